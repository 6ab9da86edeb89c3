import { element } from './elements.ts';

/** So many members are drawn at once. */
const AT_ONCE = 200;
const LONGEST_TEXT = 10_000;

/** A JSON text as a tree that opens: what is folded isn't drawn. What is no JSON is shown as it is. */
export function jsonTree(text: string): HTMLElement {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return element('pre', { class: 'code', tabindex: '0' }, text);
  }
  return element('div', { class: 'json' }, node(undefined, value, 0));
}

function node(name: string | undefined, value: unknown, level: number): HTMLElement {
  const label = name === undefined ? [] : [element('span', { class: 'key' }, name), ': '];
  if (typeof value !== 'object' || value === null)
    return element('div', { class: 'leaf' }, ...label, element('span', { class: `is-${typeof value}` }, shown(value)));
  const members = Object.entries(value);
  const brackets = Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`;
  if (members.length === 0) return element('div', { class: 'leaf' }, ...label, brackets);
  const details = element(
    'details',
    {},
    element('summary', {}, ...label, element('span', { class: 'quiet' }, brackets)),
  );
  const open = (): void => {
    if (details.childElementCount === 1) details.append(...children(members, level + 1, 0));
  };
  details.addEventListener('toggle', open, { once: true });
  if (level < 2 && members.length <= 50) {
    open();
    details.open = true;
  }
  return details;
}

function children(
  members: readonly (readonly [string, unknown])[],
  level: number,
  from: number,
): readonly HTMLElement[] {
  const drawn = members.slice(from, from + AT_ONCE).map(([key, each]) => node(key, each, level));
  const left = members.length - from - AT_ONCE;
  if (left <= 0) return drawn;
  const more = element('button', { type: 'button' }, `+${left}`);
  more.addEventListener('click', () => more.replaceWith(...children(members, level, from + AT_ONCE)));
  return [...drawn, more];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}… (+${text.length - LONGEST_TEXT})` : text;
}
