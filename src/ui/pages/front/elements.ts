import { showInvisible } from '../../../base/text/showInvisible.ts';
import type { Action } from '../pageContent.ts';

type Child = Node | string;

const SVG = 'http://www.w3.org/2000/svg';

/** An element; texts are put into it as texts, with what hides in them written out. Attributes without a value are left out. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  return filled(document.createElement(name), attributes, children);
}

/** The same, of a drawing. */
export function drawn<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Name] {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** A button that keeps the focus when the page is drawn anew: by its key. */
export function button(
  key: string,
  attributes: Readonly<Record<string, string | undefined>>,
  onClick: () => void,
  ...children: readonly Child[]
): HTMLButtonElement {
  const made = element('button', { type: 'button', 'data-key': key, ...attributes }, ...children);
  made.addEventListener('click', onClick);
  return made;
}

/** A button for each action. */
export function actionButtons(actions: readonly Action[], run: (id: string) => void): readonly HTMLButtonElement[] {
  return actions.map(({ id, label, accessibleLabel }) =>
    button(`act ${id}`, { 'aria-label': accessibleLabel }, () => run(id), label),
  );
}

function filled<T extends Element>(
  made: T,
  attributes: Readonly<Record<string, string | number | undefined>>,
  children: readonly Child[],
): T {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(name, `${value}`);
  made.append(...children.map((child) => (typeof child === 'string' ? showInvisible(child) : child)));
  return made;
}
