/**
 * Where the focus and the cursor are in a page.
 * @returns puts them back once the page is drawn anew: where what had the focus is gone, to what has come in its place
 */
export function focusedPlace(root: HTMLElement): () => void {
  const focused = document.activeElement;
  const key = focused?.getAttribute('data-key');
  if (!focused || key == null) return () => undefined;
  const at = keyed(root).findIndex((each) => each === focused);
  const selection = isText(focused) ? ([focused.selectionStart, focused.selectionEnd] as const) : undefined;
  return () => {
    const same = root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    const again = same ?? keyed(root).at(at) ?? keyed(root).at(-1);
    if (!again || again === document.activeElement) return;
    again.focus({ preventScroll: true });
    if (same && selection && isText(again)) again.setSelectionRange(...selection);
  };
}

/** What can have the focus again, in the order of the page. */
const keyed = (root: HTMLElement): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[data-key]')];

/** Whether it has a cursor: numbers and dates have none (HTML: *selection API of text controls*). */
function isText(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && ['text', 'search', 'url'].includes(element.type);
}
