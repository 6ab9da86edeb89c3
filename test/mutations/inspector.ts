import type { Rows } from './edit.ts';

/** What the inspector shows of servers, and what its page can make it do. */
export const inspector: Rows = {
  'A message, a line of a log or a result hides or reorders what the inspector shows': [
    ['src/ui/pages/front/elements.ts', "typeof child === 'string' ? showInvisible(child) : child", 'child'],
  ],
  'A result is a picture that holds markup or a script': [
    ['src/ui/pages/inspector/resultBlocks.ts', 'if (SHOWN_MEDIA.test(mimeType))', 'if (mimeType !== "")'],
  ],
  'A result has markup, or a link to a page or a command': [
    ['src/ui/pages/inspector/resultBlocks.ts', 'oneLine(String(value).slice(0, MAX_CELL))', 'String(value)'],
  ],
  'A page sends what no form of it asks for, or more than anybody writes': [
    [
      'src/ui/pages/pageMessages.ts',
      "block.kind === 'form' && block.id === message.form &&",
      "block.kind === 'form' &&",
    ],
  ],
  'A secret is in a message, or in a line of a log, that the inspector is sent': [
    ['src/ui/pages/inspector/events/eventRows.ts', 'masked(withinSize(event))', 'event'],
  ],
  'A message becomes another command where it is copied for a shell': [
    ['src/ui/pages/inspector/events/eventRows.ts', "`'${text.replaceAll(\"'\", String.raw`'\\''`)}'`", "`'${text}'`"],
  ],
  'A schema makes a form that has no end': [
    [
      'src/ui/pages/forms/schemaForm.ts',
      'reading.depth > MAX_DEPTH || reading.count.fields > MAX_FIELDS',
      'reading.depth > 1_000',
    ],
  ],
  'A schema of a few lines whose parts are each taken in many times, or one with a choice of many large objects': [
    ['src/ui/pages/forms/schemaForm.ts', 'const MAX_WORK = 100_000', 'const MAX_WORK = Infinity'],
  ],
  'More messages, or larger ones, than a page has room for': [
    ['src/ui/pages/front/events/eventStore.ts', 'if (dropped === 0) return;', 'if (dropped >= 0) return;'],
  ],
};
