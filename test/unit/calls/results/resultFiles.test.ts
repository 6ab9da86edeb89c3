import { strict as assert } from 'node:assert';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { KEPT_MS, ResultFiles } from '../../../../src/calls/results/resultFiles.ts';
import { eventually } from '../../../support/eventually.ts';

describe('stored results', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'switchboard-results-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('are read by ranges in UTF-16 units, which join to the whole', async () => {
    const files = new ResultFiles(folder, Date.now);
    const latin = 'plain, é, ÿ, \u0000 and \u0080 at the end';
    for (const text of ['plain, é, 漢字, 👩‍👩‍👧, \uFEFF\u0000 and a lone \uD83D at the end', latin, `${latin}Ā`]) {
      const uri = await files.store(text);
      for (const size of [1, 3, 7, 1000]) {
        let joined = '';
        while (joined.length < text.length) {
          const range = await files.read(uri, joined.length, size);
          assert.equal(range.total, text.length);
          assert.equal(range.offset, joined.length);
          joined += range.text;
        }
        assert.equal(joined, text, `${size}`);
      }
    }
    const sizes = readdirSync(folder).map((file) => statSync(path.join(folder, file)).size);
    assert.ok(sizes.includes(latin.length), 'Latin letters take a byte each');
  });

  it('have a range for any numbers', async () => {
    const files = new ResultFiles(folder, Date.now);
    const uri = await files.store('hello');
    const read = async (offset: number, length: number): Promise<string> =>
      (await files.read(uri, offset, length)).text;
    assert.equal(await read(-3, 2), 'he');
    assert.equal(await read(1.9, 2.9), 'el');
    assert.equal(await read(2, 0), 'l');
    assert.equal(await read(2, 1e12), 'llo');
    assert.equal(await read(99, 5), '');
  });

  it('that are gone, or not named by us, are said to be gone', async () => {
    const files = new ResultFiles(folder, Date.now);
    writeFileSync(path.join(folder, 'secret.utf16'), 'x');
    for (const name of ['0'.repeat(24), 'secret', '../secret', ''])
      await assert.rejects(files.read(`switchboard-result:${name}`, 0, 1), /not found/);
  });

  it('of a week ago go when one is stored; what else is in the folder stays', async () => {
    const old = path.join(folder, `${'a'.repeat(24)}.png`);
    const young = path.join(folder, `${'b'.repeat(24)}.utf16`);
    const other = path.join(folder, 'notes.txt');
    for (const file of [old, young, other]) writeFileSync(file, 'x');
    mkdirSync(path.join(folder, 'c'.repeat(24)));
    const longAgo = new Date(Date.now() - KEPT_MS - 1000);
    for (const file of [old, other]) utimesSync(file, longAgo, longAgo);
    await new ResultFiles(folder, Date.now).store('new');
    await eventually('the old one is gone', () => readdirSync(folder).length === 4);
    assert.ok(!readdirSync(folder).includes(path.basename(old)));
  });
});
