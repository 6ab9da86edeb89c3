import { strict as assert } from 'node:assert';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from '../../../src/base/log.ts';
import { FileStore } from '../../../src/platform/fileStore.ts';

describe('FileStore', () => {
  const lines: string[] = [];
  const log: Logger = { log: (level, message) => lines.push(`${level}: ${message}`) };
  let folder: string;
  const open = async (at = folder): Promise<FileStore> => {
    const store = new FileStore(at, log);
    await store.load();
    return store;
  };

  beforeEach(() => {
    lines.length = 0;
    folder = path.join(mkdtempSync(path.join(tmpdir(), 'switchboard-store-')), 'tools');
  });

  afterEach(() => rmSync(path.dirname(folder), { recursive: true, force: true }));

  it('has what an earlier one wrote, whatever the key holds', async () => {
    const store = await open();
    const keys = ['catalog/a', '../../etc/passwd', 'con', '__proto__', 'ÄÖ/\\:*?', 'x'.repeat(5_000)];
    await Promise.all(keys.map((key, place) => store.set(key, { place })));
    const again = await open();
    assert.deepEqual(
      keys.map((key) => again.get(key)),
      keys.map((_, place) => ({ place })),
    );
    assert.equal(readdirSync(folder).length, keys.length, 'a file for each, no drafts, all in the folder');
    assert.deepEqual(lines, []);
  });

  it('only the user can read what it writes', async function () {
    if (process.platform === 'win32') return;
    await (await open()).set('a', 1);
    const [name = ''] = readdirSync(folder);
    const modes = [folder, path.join(folder, name)].map((each) => statSync(each).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600]);
  });

  it('the last of many changes wins, and what is removed is gone', async () => {
    const store = await open();
    await Promise.all(Array.from({ length: 20 }, (_, number) => store.set('a', number)));
    await store.set('b', 1);
    await store.set('b', undefined);
    await store.set('c', undefined);
    const again = await open();
    assert.equal(again.get('a'), 19);
    assert.equal(again.get('b'), undefined);
    assert.equal(readdirSync(folder).length, 1);
  });

  it('gives a new value at once', async () => {
    const store = await open();
    const written = store.set('a', 1);
    assert.equal(store.get('a'), 1);
    await written;
  });

  it('a damaged file counts as empty and is written anew; the others are read', async () => {
    const store = await open();
    await store.set('a', 1);
    const [name] = readdirSync(folder);
    await store.set('b', 2);
    writeFileSync(path.join(folder, name ?? ''), '{"key":"a","val');
    writeFileSync(path.join(folder, 'other.json'), 'null');
    const again = await open();
    assert.equal(again.get('a'), undefined);
    assert.equal(again.get('b'), 2);
    assert.match(lines.join(), /^warning: .* counts as empty/);
    await again.set('a', 3);
    assert.equal((await open()).get('a'), 3);
  });

  it('a folder that can’t be written costs only what would last', async () => {
    writeFileSync(folder, 'a file is in its place');
    const store = await open();
    await store.set('a', 1);
    assert.equal(store.get('a'), 1);
    assert.match(lines.join(), /could not be written/);
  });
});
