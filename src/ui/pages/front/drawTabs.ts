import type { Block, TabsBlock } from '../pageContent.ts';
import { button, element } from './elements.ts';
import type { PageView } from './pageView.ts';

/** Tabs and the panel of the chosen one; arrows, Home and End choose another (ARIA Authoring Practices: *Tabs*). @param draw draws a block of the panel */
export function drawTabs(
  view: PageView,
  block: TabsBlock,
  place: string,
  draw: (block: Block, place: string) => HTMLElement,
): HTMLElement {
  const { id, label, value, options, blocks } = block;
  const choose = (chosen: string | undefined): void => {
    if (chosen !== undefined && chosen !== value) view.send({ type: 'choose', id, value: chosen });
  };
  const tabs = options.map((option) => {
    const isChosen = option.value === value;
    return button(
      `tab ${id} ${option.value}`,
      {
        role: 'tab',
        id: `tab-${place}-${option.value}`,
        class: 'tab',
        'aria-selected': String(isChosen),
        ...(isChosen ? { 'aria-controls': `panel-${place}` } : {}),
        tabindex: isChosen ? '0' : '-1',
      },
      () => choose(option.value),
      option.label,
    );
  });
  const list = element('div', { role: 'tablist', 'aria-label': label, class: 'tabs' }, ...tabs);
  list.addEventListener('keydown', (event) => {
    const now = tabs.findIndex((tab) => tab === document.activeElement);
    const to = nextTab(event.key, now, tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    tabs[to]?.focus();
    choose(options[to]?.value);
  });
  const panel = element(
    'div',
    { role: 'tabpanel', id: `panel-${place}`, 'aria-labelledby': `tab-${place}-${value}` },
    ...blocks.map((each, number) => draw(each, `${place}-${number}`)),
  );
  return element('div', {}, list, panel);
}

function nextTab(key: string, now: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (now + 1) % count;
    case 'ArrowLeft':
      return (now + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
