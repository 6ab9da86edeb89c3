/**
 * Runs in a page: the texts that end where their box does, with no way to see the rest: placeholders of inputs, titles and rows of lists at
 * the top, buttons, notifications, dialogs, titles of views, the status bar, the walkthrough, the chat and pages of ours. Rows of trees end
 * in an ellipsis in every language, and have the whole text in their tooltip; what only screen readers read is in a box of one pixel; what
 * scrolls can be seen; what the editor shows besides isn't ours.
 */
export function cutTexts(body: unknown): readonly string[] {
  const page = globalThis as unknown as Page;
  const OURS =
    '.notification-toast, .interactive-session :is(.chat-confirmation-widget2, .chat-confirmation-widget-container, .progress-step), .welcome-view-content, .monaco-dialog-box, .quick-input-widget, .sidebar .pane-header, .sidebar .composite.title, .statusbar-item[id^="mcp-switchboard"], .gettingStartedContainer .gettingStartedSlideDetails, #page';
  const NOT_OURS =
    '.notification-list-item-source, .monaco-icon-label:not(.quick-input-list *), .monaco-editor, .getting-started-media, .monaco-findInput:not(.quick-input-widget *)';
  const isOurs = (box: Box): boolean => Boolean(box.closest(OURS)) && !box.closest(NOT_OURS);
  const hides = (style: string): boolean => style === 'hidden' || style === 'clip';

  /** As the input draws it: whether it fits can't be seen by its size. */
  function isCutInput(input: Box): boolean {
    const style = page.getComputedStyle(input);
    const drawn = page.document.createElement('canvas').getContext('2d');
    drawn.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    return drawn.measureText(input.placeholder ?? '').width > room;
  }

  /** Whether a box around a text ends before it: to the right, or with more than half of a line out of sight. */
  function isCut(text: Text): boolean {
    const range = page.document.createRange();
    range.selectNodeContents(text);
    const lines = [...range.getClientRects()];
    for (let box = text.parentElement; box && lines.length > 0; box = box.parentElement) {
      const style = page.getComputedStyle(box);
      if (style.visibility === 'hidden' || (box.clientWidth <= 1 && style.display !== 'inline')) return false;
      // What scrolls, also by the editor's own means.
      if (/auto|scroll/.test(style.overflowX + style.overflowY) || box.matches('.monaco-scrollable-element'))
        return false;
      if (style.display === 'inline') continue;
      const { right, bottom } = box.getBoundingClientRect();
      if (hides(style.overflowX)) {
        // Behind an ellipsis nothing is drawn, but the box knows of it.
        if (style.textOverflow === 'ellipsis' && box.scrollWidth > box.clientWidth + 1) return true;
        if (lines.some((line) => line.right > right + 1)) return true;
      }
      if (hides(style.overflowY) && lines.some((line) => line.top + line.height / 2 > bottom)) return true;
      if (box.matches(OURS)) return false;
    }
    return false;
  }

  const inputs = [...(body as Box).querySelectorAll('input, textarea')]
    .filter((input) => isOurs(input) && input.offsetParent !== null && input.value === '' && input.placeholder)
    .filter(isCutInput)
    .map(({ placeholder }) => placeholder ?? '');
  const texts: string[] = [];
  const walker = page.document.createTreeWalker(body, page.NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode())
    if (text.textContent.trim() && text.parentElement && isOurs(text.parentElement) && isCut(text))
      texts.push(text.textContent);
  return [...inputs, ...texts];
}

/** How wide two letters of Japanese or Chinese are drawn, in em: 2 with any font that has them, and without one how wide what stands for them is. */
export function cjkWidth(): number {
  const drawn = (globalThis as unknown as Page).document.createElement('canvas').getContext('2d');
  drawn.font = '100px system-ui, sans-serif';
  return drawn.measureText('許可').width / 100;
}

interface Page {
  readonly NodeFilter: { readonly SHOW_TEXT: number };
  readonly document: {
    createElement(name: 'canvas'): { getContext(kind: '2d'): Drawn };
    createRange(): { selectNodeContents(node: Text): void; getClientRects(): Iterable<Rect> };
    createTreeWalker(root: unknown, show: number): { nextNode(): Text | null };
  };
  getComputedStyle(element: Box): Style;
}

interface Style {
  readonly display: string;
  readonly visibility: string;
  readonly overflowX: string;
  readonly overflowY: string;
  readonly textOverflow: string;
  readonly paddingLeft: string;
  readonly paddingRight: string;
  readonly fontStyle: string;
  readonly fontWeight: string;
  readonly fontSize: string;
  readonly fontFamily: string;
}

interface Drawn {
  font: string;
  measureText(text: string): { readonly width: number };
}

interface Rect {
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
}

interface Text {
  readonly textContent: string;
  readonly parentElement: Box | null;
}

interface Box extends Text {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly offsetParent: unknown;
  readonly value?: string;
  readonly placeholder?: string;
  closest(selector: string): unknown;
  matches(selector: string): boolean;
  getBoundingClientRect(): Rect;
  querySelectorAll(selector: string): Iterable<Box>;
}
