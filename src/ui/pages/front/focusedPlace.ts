/** Where the focus and the cursor are in a page. @returns puts them back once the page is drawn anew */
export function focusedPlace(root: HTMLElement): () => void {
  const focused = document.activeElement;
  const key = focused?.getAttribute('data-key');
  if (!focused || key == null) return () => undefined;
  const selection = isText(focused) ? ([focused.selectionStart, focused.selectionEnd] as const) : undefined;
  return () => {
    const again = root.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (!again || again === document.activeElement) return;
    again.focus({ preventScroll: true });
    if (selection && isText(again)) again.setSelectionRange(...selection);
  };
}

/** Whether it has a cursor: numbers and dates have none (HTML: *selection API of text controls*). */
function isText(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  if (element instanceof HTMLTextAreaElement) return true;
  return element instanceof HTMLInputElement && ['text', 'search', 'url'].includes(element.type);
}
