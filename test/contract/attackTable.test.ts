import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { guards } from '../mutations/guards.ts';

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('attack table of docs/security.md', () => {
  const text = textOf('docs/security.md');
  const table = text.slice(text.indexOf('## Attacks, and what happens'), text.indexOf('## What is stored'));
  const titles = [...table.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, title = '']) => title);
  const rows = titles.filter((title) => title !== 'Attack' && !title.startsWith('---'));

  it('has a test of the same title for each row', () => {
    const files = globSync(['test/unit/attacks/*.test.ts', 'test/unit/calls/attacks.test.ts'], { cwd: root });
    const tests = files.map(textOf).join('\n');
    assert.ok(rows.length > 50);
    assert.deepEqual(
      rows.filter((title) => !tests.includes(title)),
      [],
    );
  });

  it('has a guard for each row, and no other', () => {
    const known = guards.map(({ title }) => title);
    assert.deepEqual(
      { without: rows.filter((row) => !known.includes(row)), gone: known.filter((title) => !rows.includes(title)) },
      { without: [], gone: [] },
      'a row needs an entry in test/mutations, as CONTRIBUTING.md says (*Tests*)',
    );
    assert.equal(new Set(known).size, known.length);
  });

  it('knows guards that can be taken out as it says: `npm run -s mutate` shows that a test fails then', () => {
    for (const { title, test, edits } of guards) {
      assert.ok(textOf(test).includes(title), `${test} has a test “${title}”`);
      assert.ok(edits.length > 0, title);
      for (const [file, guard, replacement] of edits) {
        const count = textOf(file).split(guard).length - 1;
        assert.equal(count, 1, `${file} has this once, as test/mutations says of “${title}”: ${guard}`);
        assert.notEqual(guard, replacement);
      }
    }
  });
});
