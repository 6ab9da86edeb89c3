// The program of every page: shows what the extension sends, as texts and never as markup, and says what was clicked.
import { PageView } from './pageView.ts';
import { readState, type PageState } from './pageState.ts';
import { readContent, readEvents } from './readContent.ts';

/** What the editor gives a page (VS Code API: *Webview*). */
declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: PageState): void;
};

const editor = acquireVsCodeApi();
const root = document.querySelector<HTMLElement>('#page');
if (root) {
  const view = new PageView(
    root,
    readState(editor.getState()),
    (state) => editor.setState(state),
    (message) => editor.postMessage(message),
  );
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const content = readContent(data);
    if (content) view.show(content);
    const events = content ? undefined : readEvents(data);
    if (events) view.takeEvents(events);
  });
  window.addEventListener('scrollend', () => view.keepScroll());
  window.addEventListener('keydown', (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey;
    if (!isPlain || event.key.toLowerCase() !== 't' || isTypedInto(event.target)) return;
    event.preventDefault();
    view.toggleTables();
  });
  view.send({ type: 'ready' });
}

function isTypedInto(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('select, input, textarea');
}
