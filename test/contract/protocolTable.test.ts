import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { PROTOCOL, protocolPage, SURFACES } from '../../scripts/lib/protocol-table.mjs';

const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('docs/protocol.md', () => {
  it('is what the table says: `npm run docs`', () => assert.equal(textOf('docs/protocol.md'), protocolPage()));

  it('has a cell for each surface, and tests that there are, for each row', () => {
    for (const { feature, era, cells, tests } of PROTOCOL) {
      assert.equal(cells.length, SURFACES.length, `${feature}, ${era}`);
      assert.ok(tests.length > 0, `${feature}, ${era}`);
      for (const [file, title] of tests) assert.ok(textOf(file).includes(title), `${file} has “${title}”`);
    }
  });
});
