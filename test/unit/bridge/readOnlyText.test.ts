import { strict as assert } from 'node:assert';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

const shown: { readonly path: string; readonly query: string }[] = [];
const t = (text: string, value: unknown): string => text.replace('{0}', String(value));
const { showReadOnlyText } = await withStubbedEditor(
  {
    l10n: { t },
    Uri: { from: (parts: object) => parts },
    window: { showTextDocument: async (uri: (typeof shown)[number]) => void shown.push(uri) },
  },
  () => import('../../../src/bridge/readOnlyText.ts'),
);

describe('a text in a read-only tab', () => {
  it('is shown as far as an address may be long, as a skill of 16 MB is, and how much is missing is said', async () => {
    await showReadOnlyText('a/b.md', 'x'.repeat(16_000_000));
    await showReadOnlyText('short.txt', 'x\ny');
    assert.deepEqual(
      shown.map(({ path, query }) => [path, query.length, query.split('\n').at(-1)]),
      [
        ['/a_b.md', 1_000_000 + '\n(15000000 more characters)'.length, '(15000000 more characters)'],
        ['/short.txt', 3, 'y'],
      ],
    );
  });
});
