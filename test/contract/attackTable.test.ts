import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

describe('attack table of docs/security.md', () => {
  it('has a test of the same title for each row', () => {
    const files = globSync(['test/unit/attacks/*.test.ts', 'test/unit/calls/attacks.test.ts'], { cwd: root });
    const tests = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
    const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
    const table = text.slice(text.indexOf('## Attacks, and what happens'), text.indexOf('## What is stored'));
    const titles = [...table.matchAll(/^\| (.+?) \| .+ \|$/gm)].map(([, title = '']) => title);
    const rows = titles.filter((title) => title !== 'Attack' && !title.startsWith('---'));
    assert.ok(rows.length > 50);
    assert.deepEqual(
      rows.filter((title) => !tests.includes(title)),
      [],
    );
  });
});
