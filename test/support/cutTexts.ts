/**
 * Runs in a page: the texts that end where their box does, with no way to see the rest. Rows of lists end in an ellipsis in every language,
 * and have the whole text in their tooltip; what only screen readers read is in a box of one pixel; what the editor shows besides isn't ours.
 */
export function cutTexts(body: unknown): readonly string[] {
  const page = globalThis as unknown as { getComputedStyle(element: Box): { overflowX: string } };
  const OURS = '.notification-toast, .interactive-session, .welcome-view-content, .monaco-dialog-box, #page';
  const NOT_OURS = '.notification-list-item-source, .monaco-icon-label, .interactive-input-part, .monaco-editor, .monaco-list-row[role="treeitem"]:not(:has(.interactive-item-container))'; // prettier-ignore
  return [...(body as Box).querySelectorAll('*')]
    .filter(
      (box) => box.childElementCount === 0 && box.closest(OURS) && !box.closest(NOT_OURS) && box.offsetParent !== null,
    )
    .filter(
      (box) =>
        box.clientWidth > 1 &&
        box.scrollWidth > box.clientWidth + 1 &&
        page.getComputedStyle(box).overflowX === 'hidden',
    )
    .map(({ textContent }) => textContent)
    .filter((text) => text.trim() !== '');
}

interface Box {
  readonly scrollWidth: number;
  readonly clientWidth: number;
  readonly offsetParent: unknown;
  readonly childElementCount: number;
  readonly textContent: string;
  closest(selector: string): unknown;
  querySelectorAll(selector: string): Iterable<Box>;
}
