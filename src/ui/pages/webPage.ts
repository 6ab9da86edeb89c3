// Loaded when a page is first opened.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { Batch, Sequencer } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { EventFeed, type EventSource } from './eventFeed.ts';
import type { PageContent, ShowMessage } from './pageContent.ts';
import { pageHtml } from './pageHtml.ts';
import { offers, parsePageMessage, showsEvents, type PageRequest } from './pageMessages.ts';

/** What becomes of many changes at once is drawn once, in milliseconds. */
const REDRAW_MS = 300;

/** What a page shows and does. */
export interface PageSource {
  /** One page of each is open at most. */
  readonly viewType: string;
  readonly title: string;
  content(): Promise<PageContent>;
  /** Calls `changed` whenever another content may be due, until disposed. */
  watch(changed: () => void): Disposable;
  /** Does what a button stands for, or takes a choice; the content of the moment offers it. */
  take(message: PageRequest): Promise<void>;
  /** What its blocks of events show. */
  readonly events?: EventSource;
}

const open = new Map<string, Promise<vscode.WebviewPanel>>();

/** Shows the page, or brings it to the front. @param extension where `dist` is */
export async function showPage(source: PageSource, extension: vscode.Uri): Promise<void> {
  const { viewType } = source;
  const shown = open.get(viewType);
  if (shown) return (await shown).reveal();
  const opening = openPage(source, extension);
  open.set(viewType, opening);
  try {
    (await opening).onDidDispose(() => open.delete(viewType));
  } catch (error) {
    open.delete(viewType);
    throw error;
  }
}

async function openPage(source: PageSource, extension: vscode.Uri): Promise<vscode.WebviewPanel> {
  const { viewType, title } = source;
  const dist = (name: string): Promise<string> => readFile(vscode.Uri.joinPath(extension, 'dist', name).fsPath, 'utf8');
  const [script, style] = await Promise.all([dist('page.js'), dist('page.css')]);
  const panel = vscode.window.createWebviewPanel(viewType, title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [],
  });
  const disposables = connect(panel, source);
  panel.onDidDispose(() => disposables.dispose());
  const nonce = randomBytes(16).toString('base64url');
  panel.webview.html = pageHtml({ title, language: vscode.env.language, script, style, nonce });
  return panel;
}

/** What a hidden page would show is worked out when it is seen again: it loads anew then, and says that it is ready. */
function connect(panel: vscode.WebviewPanel, source: PageSource): DisposableStore {
  const disposables = new DisposableStore();
  const feed =
    source.events && disposables.add(new EventFeed(source.events, (message) => panel.webview.postMessage(message)));
  if (feed) disposables.add(panel.onDidChangeViewState(() => !panel.visible && feed.stop()));
  // A later content is never drawn before an earlier one.
  const contents = new Sequencer();
  let last: PageContent | undefined;
  let waiting: Promise<void> | undefined;
  let isBroken = false;
  const show = async (): Promise<void> => {
    waiting = undefined;
    if (disposables.isDisposed) return;
    last = await source.content();
    if (disposables.isDisposed) return;
    await panel.webview.postMessage({ type: 'show', content: last } satisfies ShowMessage);
    feed?.follow(panel.visible && showsEvents(last));
  };
  // One that waits shows what is new since, too: a page that says it is ready in a loop queues no more. Its error is told
  // once until it can be drawn again: changes come by themselves.
  const draw = (): Promise<void> =>
    (waiting ??= contents.run(async () => {
      try {
        await show();
        isBroken = false;
      } catch (error) {
        if (!isBroken) void notify('error', messageOf(error));
        isBroken = true;
      }
    }));
  const redraw = disposables.add(new Batch(REDRAW_MS, systemClock, () => panel.visible && void draw()));
  disposables.add(source.watch(() => redraw.trigger()));
  disposables.add(
    panel.webview.onDidReceiveMessage(async (value: unknown) => {
      const message = parsePageMessage(value);
      if (!message || (message.type !== 'ready' && (!last || !offers(last, message)))) return;
      // It has been loaded anew, and has nothing.
      if (message.type === 'ready') feed?.stop();
      if (message.type === 'ready' || (await hasTaken(source, message))) await draw();
    }),
  );
  return disposables;
}

/** The error of what a button does is shown to the user, as that of a command is. */
async function hasTaken(source: PageSource, message: Parameters<PageSource['take']>[0]): Promise<boolean> {
  try {
    await source.take(message);
    return true;
  } catch (error) {
    void notify('error', messageOf(error));
    return false;
  }
}
