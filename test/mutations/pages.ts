import type { Rows } from './edit.ts';

/** What pages (webviews) show and do. */
export const pages: Rows = {
  'A name hides or reorders what a page says': [
    ['src/ui/pages/budget/budgetContent.ts', 'oneLine(nameOf(name))', 'nameOf(name)'],
    ['src/ui/pages/usage/usageContent.ts', 'cells = [oneLine(tool), ', 'cells = [tool, '],
  ],
  'A page says that a button was clicked that it doesn’t have': [
    [
      'src/ui/pages/pageMessages.ts',
      'return actions.some((action) => action.id === id)',
      'return actions.every((action) => action.id !== id)',
    ],
  ],
  'A page is sent something else than its content': [
    ['src/ui/pages/front/readContent.ts', "type === 'show' && isContent(content)", "type === 'show'"],
  ],
  'A page loads something, or runs a script that it is given': [
    ['src/ui/pages/pageHtml.ts', '"default-src \'none\'",\n', ''],
  ],
};
