import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { ConfigLoader } from '../../../src/config/configLoader.ts';
import type { ConfigSnapshot, ConfigSource } from '../../../src/config/configTypes.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { eventually } from '../../support/eventually.ts';
import { sourceOf } from './sources.ts';

const namesIn = ({ results }: ConfigSnapshot): string =>
  results
    .map(
      ({ status, entries, stale }) => `${status}${stale ? ' stale' : ''}: ${entries.map((entry) => entry.name).join()}`,
    )
    .join('; ');

describe('config/loader', () => {
  let folder: string;
  let loader: ConfigLoader;
  let ports: NodeConfigPorts;

  const fileSource = (name: string): ConfigSource => sourceOf({ file: path.join(folder, name) });
  const write = (name: string, ...servers: string[]): void =>
    writeFileSync(
      path.join(folder, name),
      JSON.stringify(Object.fromEntries(servers.map((key) => [key, { command: key }]))),
    );
  const open = async (...sources: ConfigSource[]): Promise<void> => {
    ports = new NodeConfigPorts(sources);
    loader = new ConfigLoader(ports, systemClock, silentLogger);
    await loader.start();
  };
  const next = (): Promise<ConfigSnapshot> =>
    new Promise((resolve) => {
      const subscription = loader.onDidChange((snapshot) => {
        subscription.dispose();
        resolve(snapshot);
      });
    });

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'switchboard-config-'));
  });
  afterEach(() => {
    loader.dispose();
    rmSync(folder, { recursive: true });
  });

  it('reads every source once; a second start is the first', async () => {
    write('a.json', 'a');
    await open(fileSource('a.json'), fileSource('none.json'));
    assert.equal(namesIn(loader.snapshot), 'found: a; absent: ');
    assert.equal(await loader.start(), loader.snapshot);
    assert.equal(ports.reads.length, 2);
  });

  it('rereads only what changed, and keeps the results of the rest', async () => {
    write('a.json', 'a');
    const setting = sourceOf({ id: 'setting' });
    await open(fileSource('a.json'), setting);
    const [before] = loader.snapshot.results;
    ports.reads.length = 0;
    const change = next();
    ports.setText('setting', '{"s":{"command":"s"}}');
    const snapshot = await change;
    assert.equal(namesIn(snapshot), 'found: a; found: s');
    assert.equal(snapshot.results[0], before);
    assert.deepEqual(ports.reads, ['setting']);
  });

  it('notices a file, and a folder, that appear later', async () => {
    await open(fileSource('sub/a.json'));
    const change = next();
    mkdirSync(path.join(folder, 'sub'));
    write('sub/a.json', 'a');
    assert.equal(namesIn(await change), 'found: a');
    const gone = next();
    rmSync(path.join(folder, 'sub/a.json'));
    assert.equal(namesIn(await gone), 'absent: ');
  });

  it('keeps the last good entries of a file that is broken at the moment', async () => {
    write('a.json', 'a', 'b');
    await open(fileSource('a.json'));
    let change = next();
    writeFileSync(path.join(folder, 'a.json'), '{"a": {"command": ');
    const broken = await change;
    assert.equal(namesIn(broken), 'broken stale: a,b');
    assert.deepEqual(broken.results[0]?.problems.map((problem) => problem.code).slice(0, 1), ['value-expected']);
    change = next();
    write('a.json', 'b');
    assert.equal(namesIn(await change), 'found: b');
  });

  it('keeps the entries of a file that is emptied or moved away while it is written, and drops those of one that stays so', async () => {
    write('a.json', 'a');
    write('b.json', 'b');
    await open(fileSource('a.json'), fileSource('b.json'));
    const shown: string[] = [];
    loader.onDidChange((snapshot) => shown.push(namesIn(snapshot)));
    const [a, b] = ['a.json', 'b.json'].map((name) => path.join(folder, name)) as [string, string];
    const reads = ports.reads.length;
    writeFileSync(a, '');
    rmSync(b);
    await eventually('both to be read as they are', () => ports.reads.length >= reads + 2);
    writeFileSync(a, '{"a": ');
    await eventually('the entries of the broken file', () => shown.at(-1)?.startsWith('broken stale: a'));
    write('a.json', 'a', 'c');
    write('b.json', 'b');
    await eventually('the new text', () => shown.at(-1) === 'found: a,c; found: b');
    assert.ok(
      shown.every((names) => names.includes(': a') && names.endsWith(': b')),
      shown.join(' | '),
    );
    writeFileSync(a, '\n');
    rmSync(b);
    await eventually('both to be empty', () => shown.at(-1) === 'found: ; absent: ');
  });

  it('a file that is broken from the start gives what stands whole before the error', async () => {
    writeFileSync(path.join(folder, 'a.json'), '{"a":{"command":"x"},"b":');
    await open(fileSource('a.json'));
    assert.equal(namesIn(loader.snapshot), 'broken: a');
  });

  it('what exists and can not be read is a problem', async () => {
    mkdirSync(path.join(folder, 'a.json'));
    await open(fileSource('a.json'));
    assert.equal(namesIn(loader.snapshot), 'broken: ');
    assert.equal(loader.snapshot.results[0]?.problems[0]?.code, 'unreadable');
  });

  it('publishes nothing where nothing changed', async () => {
    write('a.json', 'a');
    await open(fileSource('a.json'));
    let published = 0;
    loader.onDidChange(() => (published += 1));
    const before = loader.snapshot;
    assert.equal(await loader.reload(), before);
    assert.equal(published, 0);
    assert.equal(ports.reads.length, 2);
  });

  it('follows the list of sources', async () => {
    write('a.json', 'a');
    write('b.json', 'b');
    await open(fileSource('a.json'));
    const change = next();
    ports.setSources([fileSource('b.json')]);
    assert.equal(namesIn(await change), 'found: b');
  });

  it('a change while it is being read is not lost', async () => {
    const setting = sourceOf({ id: 'setting' });
    await open(setting);
    const read = ports.read.bind(ports);
    let raced = false;
    ports.read = async (source) => {
      const text = await read(source);
      if (!raced) ports.setText('setting', '{"late":{"command":"x"}}');
      raced = true;
      return text;
    };
    ports.setText('setting', '{"early":{"command":"x"}}');
    assert.equal(namesIn(await next()), 'found: early');
    assert.equal(namesIn(await next()), 'found: late');
  });

  it('has a problem for a working directory that isn’t there, until it is', async () => {
    const cwd = path.join(folder, 'later');
    writeFileSync(
      path.join(folder, 'a.json'),
      JSON.stringify({
        a: { command: 'x', cwd },
        b: { command: 'x', cwd, disabled: true },
        c: { command: 'x', cwd: folder },
      }),
    );
    ports = new NodeConfigPorts([fileSource('a.json')]);
    const context = { env: {}, platform: process.platform, userHome: folder, workspaceFolders: [] };
    loader = new ConfigLoader(ports, systemClock, silentLogger, () => context);
    const codesOf = ({ results }: ConfigSnapshot): string[] =>
      results.flatMap(({ problems }) => problems.map(({ code, serverName }) => `${serverName} ${code}`));
    assert.deepEqual(codesOf(await loader.start()), ['a cwd-not-found']);
    const changed = next();
    mkdirSync(cwd);
    assert.deepEqual(codesOf(await changed), []);
  });
});
