import { strict as assert } from 'node:assert';
import { execFile, execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { sha256 } from '../../../src/base/json/json.ts';
import type { Logger } from '../../../src/base/log.ts';
import { type Upgrades, VersionedStore } from '../../../src/base/versionedState.ts';
import { FileStore } from '../../../src/platform/fileStore.ts';
import { asNobody } from '../../support/asNobody.ts';

const nameOf = (key: string): string => `${sha256(key).slice(0, 32)}.json`;

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

  it('what is no file doesn’t count, and no window waits for it', async function () {
    if (process.platform === 'win32') return;
    const store = await open();
    await store.set('a', 1);
    await store.set('b', 1);
    const [pipe = '', directory = ''] = ['a', 'b'].map((key) => path.join(folder, nameOf(key)));
    for (const file of [pipe, directory]) rmSync(file);
    execFileSync('mkfifo', [pipe]);
    mkdirSync(path.join(directory, 'inner'), { recursive: true });
    const again = await open();
    assert.deepEqual(again.keys(), []);
    assert.equal(lines.filter((line) => line.includes('counts as empty')).length, 2);
    for (const key of ['a', 'b']) await again.set(key, 2);
    assert.match(lines.at(-1) ?? '', /could not be written/, 'a folder stays');
    assert.deepEqual(readdirSync(folder).sort(), [nameOf('a'), nameOf('b')].sort(), 'no drafts');
    assert.equal((await open()).get('a'), 2);
  });

  it('a file of another user’s is known to be there, and replaced', async function () {
    if (process.platform === 'win32') return;
    await (await open()).set('a', 1);
    chmodSync(path.join(folder, nameOf('a')), 0);
    await asNobody([path.dirname(folder), folder], async () => {
      const store = await open();
      assert.deepEqual([store.get('a'), store.isUnreadable('a'), store.isUnreadable('b')], [undefined, true, false]);
      await store.set('a', 2);
      assert.equal(store.isUnreadable('a'), false);
      const again = await open();
      assert.deepEqual([again.get('a'), again.isUnreadable('a')], [2, false]);
    });
    assert.equal(lines.length, 1, lines.join('\n'));
  });

  it('what is damaged, or no file, is known to be there, and can be removed', async () => {
    const store = await open();
    for (const key of ['damaged', 'folder', 'half', 'fine']) await store.set(key, 1);
    const [damaged = '', inner = ''] = ['damaged', 'folder'].map((key) => path.join(folder, nameOf(key)));
    writeFileSync(damaged, '');
    writeFileSync(path.join(folder, nameOf('half')), '{"key":"half"}');
    rmSync(inner);
    mkdirSync(inner);
    const again = await open();
    assert.deepEqual(
      ['damaged', 'folder', 'half', 'fine', 'none'].map((key) => again.isUnreadable(key)),
      [true, true, true, false, false],
    );
    await again.set('damaged', undefined);
    assert.deepEqual(readdirSync(folder).sort(), ['folder', 'half', 'fine'].map(nameOf).sort());
    assert.equal(again.isUnreadable('damaged'), false);
  });

  it('a folder that can’t be read may have any key', async () => {
    writeFileSync(folder, 'a file is in its place');
    const store = await open();
    assert.equal(store.isUnreadable('a'), true);
    await store.set('a', 1);
    assert.equal(store.isUnreadable('a'), false);
    rmSync(folder);
    assert.equal((await open()).isUnreadable('a'), false);
  });

  it('what can’t be read since too many files are open stays for the next window', async function () {
    if (process.platform === 'win32') return;
    const store = await open();
    const keys = Array.from({ length: 200 }, (_, number) => `key ${number}`);
    await Promise.all(keys.map((key) => store.set(key, 'old')));
    for (const free of [0, 1]) {
      const program = path.join(import.meta.dirname, '../../fixtures/fewFiles.ts');
      const command = 'ulimit -n 100 && exec "$0" "$@"';
      const args = ['-c', command, process.execPath, program, folder, String(free), ...keys];
      const { stdout } = await promisify(execFile)('/bin/sh', args);
      const unread = JSON.parse(stdout) as readonly string[];
      assert.ok(unread.length > 0);
      const again = await open();
      for (const key of keys) assert.equal(again.get(key), unread.includes(key) ? 'old' : 'new', key);
      await Promise.all(keys.map((key) => again.set(key, 'old')));
    }
    assert.equal(readdirSync(folder).length, keys.length, 'no drafts');
  });

  it('removes what windows left that ended while they wrote', async () => {
    await (await open()).set('a', 1);
    const [old, fresh, others] = [`${nameOf('a')}.0123456789ab`, `${nameOf('b')}.0123456789ab`, 'mine.json.backup'];
    for (const name of [old, fresh, others]) writeFileSync(path.join(folder, name), '{}');
    const twoHoursAgo = Date.now() / 1_000 - 7_200;
    for (const name of [old, others]) utimesSync(path.join(folder, name), twoHoursAgo, twoHoursAgo);
    assert.equal((await open()).get('a'), 1);
    assert.deepEqual(readdirSync(folder).sort(), [nameOf('a'), fresh, others].sort());
  });

  describe('two windows', () => {
    const UPGRADES: Upgrades = { list: [(value) => [value]] };
    const later = async (): Promise<VersionedStore> => new VersionedStore(await open(), log, UPGRADES);
    const earlier = async (): Promise<VersionedStore> => new VersionedStore(await open(), log, {});

    it('of two versions: what the later one keeps stays, whichever of them was open first', async () => {
      const old = await earlier();
      await old.set('list', 'old');
      await old.set('other', 'old');
      const text = (): string => readFileSync(path.join(folder, nameOf('list')), 'utf8');
      const young = await later();
      assert.deepEqual(young.get('list'), ['old']);
      await young.set('list', ['young']);
      await young.set('other', 'young');
      const kept = text();
      await old.set('list', 'again');
      await Promise.all([1, 2, 3].map((value) => old.set('list', value)));
      assert.equal(old.get('list'), 3, 'while the window lasts');
      assert.equal(text(), kept);
      await old.set('list', undefined);
      assert.equal(old.get('list'), undefined);
      assert.equal(text(), kept);
      assert.equal(
        lines.filter((line) => /“list” was saved by a later version/.test(line)).length,
        1,
        lines.join('\n'),
      );
      await old.set('other', 'last');
      const next = await later();
      assert.deepEqual(
        [next.get('list'), next.get('other')],
        [['young'], 'last'],
        'of one version, the last one counts',
      );
      assert.equal(readdirSync(folder).length, 2, 'no drafts');
      await young.set('list', ['younger']);
      assert.deepEqual((await later()).get('list'), ['younger']);
    });

    it('that came meanwhile: also a value that the earlier one never read', async () => {
      const old = await earlier();
      await (await later()).set('list', ['young']);
      await old.set('list', 'old');
      assert.deepEqual((await later()).get('list'), ['young']);
    });

    it('of which one can’t read what the other wrote: it stays', async function () {
      if (process.platform === 'win32') return;
      const old = await earlier();
      await (await later()).set('list', ['young']);
      const file = path.join(folder, nameOf('list'));
      chmodSync(file, 0);
      await asNobody([path.dirname(folder), folder], () => old.set('list', 'old'));
      assert.match(lines.join(), /could not be written: EACCES/);
      assert.deepEqual(readdirSync(folder), [nameOf('list')], 'no drafts');
      chmodSync(file, 0o600);
      assert.deepEqual((await later()).get('list'), ['young']);
    });

    it('with a later form of the files: they stay', async () => {
      const store = await open();
      await store.set('a', 1);
      const file = path.join(folder, nameOf('a'));
      const text = JSON.stringify({ version: 2, key: 'a', all: 1 });
      writeFileSync(file, text);
      for (const each of [store, await open()]) {
        await each.set('a', 2);
        assert.equal(each.get('a'), 2);
        await each.set('a', undefined);
        assert.equal(readFileSync(file, 'utf8'), text);
      }
      // Once in each window, however often it is set.
      assert.equal(lines.length, 2, lines.join('\n'));
      for (const line of lines) assert.match(line, /was written by a later version of MCP Switchboard and stays/);
    });
  });
});
