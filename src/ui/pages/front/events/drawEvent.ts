import { oneLine } from '../../../../base/text/showInvisible.ts';
import type { EventsBlock } from '../../pageContent.ts';
import { element } from '../elements.ts';
import type { StoredEvent } from './eventStore.ts';
import { jsonTree } from '../jsonTree.ts';

/** What of a text is in its row. */
const PREVIEW = 300;

/** An event as a row of a list. */
export function drawEvent(
  event: StoredEvent,
  { words, show, server: shown }: EventsBlock,
  language: string,
): HTMLElement {
  const { kind, server, method, id, isError, text, durationMs, partner } = event;
  const isMessage = kind === 'sent' || kind === 'received';
  const ofMessages = (name: string, cell: string): readonly (readonly [string, string])[] =>
    show === 'messages' ? [[name, isMessage ? cell : '']] : [];
  const cells: readonly (readonly [name: string, text: string])[] = [
    ['time', timeText(event.at, language)],
    ...ofMessages('arrow', kind === 'sent' ? '→' : '←'),
    ...(shown === '' ? ([['server', oneLine(server)]] as const) : []),
    ['method', oneLine(method)],
    ...ofMessages('id', id === '' ? '' : `#${oneLine(id)}`),
    ...ofMessages('ms', took(durationMs, partner, event, words.waiting)),
    ['text', oneLine(text.slice(0, PREVIEW))],
  ];
  return element(
    'div',
    { role: 'option', class: `event${isError ? ' is-error' : ''}` },
    ...(isError ? [element('span', { class: 'unseen' }, `${words.error}: `)] : []),
    ...(isMessage ? [element('span', { class: 'unseen' }, `${kind === 'sent' ? words.sent : words.received} `)] : []),
    ...cells.map(([name, each]) =>
      element('span', { class: name, ...(name === 'arrow' ? { 'aria-hidden': 'true' } : {}) }, each),
    ),
  );
}

/** How long an answer took; of a request, that it waits. */
function took(
  durationMs: number | undefined,
  partner: number | undefined,
  { id, method }: StoredEvent,
  waiting: string,
): string {
  if (durationMs !== undefined) return `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`;
  return partner === undefined && id !== '' && method !== '' ? waiting : '';
}

/** An event whole, with what it is paired with. @param copy to the clipboard, by the extension */
export function drawEventDetails(
  event: StoredEvent,
  partner: StoredEvent | undefined,
  { words }: EventsBlock,
  copy: (seq: number, as: 'json' | 'curl') => void,
): readonly HTMLElement[] {
  const isRequest = event.method !== '' && event.durationMs === undefined;
  const [request, response] = isRequest ? [event, partner] : [partner, event];
  const part = (title: string, each: StoredEvent | undefined): readonly HTMLElement[] => {
    if (!each) return [];
    const buttons = [copyButton(words.copyJson, title, () => copy(each.seq, 'json'))];
    if (each.canCurl) buttons.push(copyButton(words.copyCurl, title, () => copy(each.seq, 'curl')));
    const note = each.note === '' ? [] : [element('p', { class: 'quiet' }, each.note)];
    const isMessage = each.kind === 'sent' || each.kind === 'received';
    return [
      element('h3', {}, title),
      ...note,
      isMessage ? jsonTree(each.text) : element('pre', { class: 'code', tabindex: '0' }, each.text),
      ...(isMessage ? [element('p', { class: 'actions' }, ...buttons)] : []),
    ];
  };
  if (event.kind === 'log' || (event.kind === 'other' && !partner)) return part(words.details, event);
  return [...part(words.request, request), ...part(words.response, response)];
}

function copyButton(label: string, about: string, run: () => void): HTMLElement {
  const made = element('button', { type: 'button', 'aria-label': `${label}: ${about}` }, label);
  made.addEventListener('click', run);
  return made;
}

const TIME = {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hour12: false,
} as const;
const formats = new Map<string, Intl.DateTimeFormat>();

function timeText(at: number, language: string): string {
  const format = formats.get(language) ?? new Intl.DateTimeFormat(language, TIME);
  formats.set(language, format);
  return format.format(at);
}
