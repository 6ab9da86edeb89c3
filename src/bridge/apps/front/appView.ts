// The document around an app: runs in the webview, draws the app in a frame of an origin of its own, and hands messages on.
import { jsonWeight } from '../../../base/json/jsonWeight.ts';
import type { AppWords, FromAppView, ToAppView } from '../appMessages.ts';
import { themeVariables } from './themeVariables.ts';

declare function acquireVsCodeApi(): { postMessage(message: FromAppView): void };

/** What a message of the app may weigh: see `jsonWeight`. */
const MAX_MESSAGE_WEIGHT = 8_000_000;
/** How many messages an app may send. */
const MESSAGES = { perSecond: 100, burst: 1_000 };
/** After this, an app that said nothing is said not to have started, in milliseconds. */
const START_MS = 15_000;
/** How often the focus is looked at, in milliseconds: no event tells that a frame took it. */
const FOCUS_MS = 100;
/** How often an app gives back the focus that it took, as one does that begins with a field, before it is closed. */
const MAX_FOCUS_TAKEN = 3;
const HEIGHT = { least: 60, first: 400, most: 4_000 };

const api = acquireVsCodeApi();
const part = (id: string): HTMLElement => document.getElementById(id)!;
const say = (message: FromAppView): void => api.postMessage(message);

let frame: HTMLIFrameElement | undefined;
/** How many messages the app may still send, and when that was so, in milliseconds. */
let room = { left: 0, at: 0 };
let words: AppWords | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
let watching: ReturnType<typeof setInterval> | undefined;
/** Whether the app has the focus, and how often it took it. */
let focus = { isIn: false, taken: 0 };

function open({ html, title, allow }: Extract<ToAppView, { type: 'open' }>): void {
  close();
  room = { left: MESSAGES.burst, at: performance.now() };
  const opened = document.createElement('iframe');
  // Not its parent's origin, no windows, no way out of the frame, no downloads.
  opened.setAttribute('sandbox', 'allow-scripts allow-forms');
  opened.setAttribute('allow', allow);
  opened.referrerPolicy = 'no-referrer';
  opened.title = title;
  opened.srcdoc = html;
  let loads = 0;
  opened.addEventListener('load', () => {
    loads += 1;
    // What it was led to isn't the app any more.
    if (loads > 1) fail(words?.left ?? '');
  });
  frame = opened;
  setHeight(HEIGHT.first);
  part('app').replaceChildren(opened);
  waiting = setTimeout(() => showStatus(words?.silent ?? ''), START_MS);
  focus = { isIn: false, taken: 0 };
  watching = setInterval(() => watchFocus(opened), FOCUS_MS);
}

/** A page that takes the focus gets what is typed elsewhere: into it, the focus goes with a click or a key alone. */
function watchFocus(app: HTMLIFrameElement): void {
  const isIn = document.activeElement === app;
  const isTaken = isIn && !focus.isIn && !navigator.userActivation.isActive;
  focus = { isIn: isIn && !isTaken, taken: focus.taken + Number(isTaken) };
  if (!isTaken) return;
  app.blur();
  if (focus.taken > MAX_FOCUS_TAKEN) fail(words?.focus ?? '');
}

function close(): void {
  clearTimeout(waiting);
  clearInterval(watching);
  frame?.remove();
  frame = undefined;
  showStatus('');
}

/** The app is gone; its result can be read. */
function fail(why: string): void {
  close();
  say({ type: 'gone' });
  showStatus(why);
  part('result').setAttribute('open', '');
}

function showStatus(text: string): void {
  part('status').textContent = text;
  part('status').hidden = text === '';
}

function setHeight(height: number): void {
  if (frame) frame.style.height = `${Math.min(HEIGHT.most, Math.max(HEIGHT.least, Math.ceil(height)))}px`;
}

function about({
  heading,
  notes,
  permit,
  resultLabel,
  result,
  words: said,
}: Extract<ToAppView, { type: 'about' }>): void {
  words = said;
  part('heading').textContent = heading;
  part('notes').replaceChildren(
    ...notes.map((text) => {
      const note = document.createElement('p');
      note.textContent = text;
      return note;
    }),
  );
  part('permit').textContent = permit ?? '';
  part('permit').hidden = permit === undefined;
  part('result-label').textContent = resultLabel;
  part('result-text').textContent = result;
}

function sendContext(): void {
  const { classList } = document.body;
  const isLight = classList.contains('vscode-light') || classList.contains('vscode-high-contrast-light');
  say({
    type: 'context',
    context: {
      theme: isLight ? 'light' : 'dark',
      styles: { variables: themeVariables(getComputedStyle(document.documentElement)) },
      containerDimensions: { width: part('app').clientWidth, maxHeight: HEIGHT.most },
    },
  });
}

function take(message: ToAppView): void {
  switch (message.type) {
    case 'open':
      return open(message);
    case 'about':
      return about(message);
    case 'rpc':
      // Its origin has no name.
      return frame?.contentWindow?.postMessage(message.message, '*');
    case 'started':
      // It may be gone again, and why is to be read.
      if (frame) showStatus('');
      return clearTimeout(waiting);
    case 'height':
      return setHeight(message.height);
    case 'mode':
      return void document.body.classList.toggle('fullscreen', message.mode === 'fullscreen');
    case 'failed':
      return fail(message.why);
  }
}

function isInTime(): boolean {
  const at = performance.now();
  const left = Math.min(MESSAGES.burst, room.left + ((at - room.at) / 1_000) * MESSAGES.perSecond) - 1;
  room = { left, at };
  return left >= 0;
}

/** A message as JSON, without the buffers and maps that a frame can send beside it, which have no weight; `undefined`: it is too large, or none. */
function jsonOf(message: unknown): unknown {
  try {
    if (jsonWeight(message, MAX_MESSAGE_WEIGHT) > MAX_MESSAGE_WEIGHT) return undefined;
    return JSON.parse(JSON.stringify(message)) as unknown;
  } catch {
    return undefined;
  }
}

function takeFromApp(message: unknown): void {
  if (!isInTime()) return fail(words?.flood ?? '');
  const plain = jsonOf(message);
  if (plain === undefined) fail(words?.large ?? '');
  else say({ type: 'rpc', message: plain });
}

addEventListener('message', ({ source, origin, data }: MessageEvent) => {
  if (frame && source === frame.contentWindow) takeFromApp(data);
  // The editor is of this document's origin, and frames within the app are of none.
  else if (origin === window.origin) take(data as ToAppView);
});
part('permit').addEventListener('click', () => say({ type: 'permit' }));
new MutationObserver(sendContext).observe(document.body, { attributes: true, attributeFilter: ['class'] });
new MutationObserver(sendContext).observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
new ResizeObserver(sendContext).observe(part('app'));
say({ type: 'ready' });
