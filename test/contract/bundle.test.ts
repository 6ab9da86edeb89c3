import { strict as assert } from 'node:assert';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { root } from '../../scripts/lib/paths.mjs';
import * as table from '../../src/catalog/search/words/synonymTable.ts';
import { startSchemaWorker } from '../../src/calls/arguments/schemaWorker.ts';
import { SCRIPT_LIMITS } from '../../src/calls/script/scriptTypes.ts';
import { startScriptWorker } from '../../src/calls/script/scriptWorker.ts';

/** One file of what is shipped: its modules, what it loads at once, and what it loads on first use. */
interface Chunk {
  readonly modules: readonly string[];
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** What it is in on disk: small ones are in one. */
  readonly file: string;
}

const ACTIVATION = 'extension.js';
/** Large, or needed by few: nothing may load them at once. */
const ON_FIRST_USE = [
  'sdk.js',
  'appPanel.js',
  'argumentValidator.js',
  'schemaWorker.js',
  'scriptRun.js',
  'windowsWatchdog.js',
  'synonymTable.js',
  'broker.js',
  'readToml.js',
];

describe('bundles', () => {
  const folder = join(root, 'out', 'production');
  let chunks: Readonly<Record<string, Chunk>>;

  before(function () {
    this.timeout(60_000);
    const args = ['scripts/bundle.mjs', '--production', '--out', 'out/production'];
    execFileSync(process.execPath, args, { cwd: root, stdio: 'pipe' });
    chunks = JSON.parse(readFileSync(join(root, 'out', 'production.json'), 'utf8')) as typeof chunks;
  });

  it('are what is shipped, and load nothing but the editor, Node and each other', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.js'));
    const held = new Set(Object.values(chunks).map(({ file }) => file));
    assert.deepEqual(files.sort(), [...held].sort());
    assert.ok(files.length < 120, `${files.length} files`);
    const allowed = new Set(['vscode', ...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
    for (const [file, { imports, dynamicImports }] of Object.entries(chunks)) {
      const foreign = [...imports, ...dynamicImports].filter((name) => !allowed.has(name) && !(name in chunks));
      assert.deepEqual(foreign, [], file);
    }
  });

  it('hold each module once, but for what stands alone', () => {
    // What is copied out of the extension, and what runs in a page, which can load nothing.
    const alone = ['replay.js', 'page.js', 'appView.js'];
    const modules = Object.entries(chunks).flatMap(([file, chunk]) => (alone.includes(file) ? [] : chunk.modules));
    for (const file of alone) assert.deepEqual(loadedWith(file), [file]);
    assert.ok(modules.length > 400, `${modules.length} modules`);
    assert.deepEqual(
      modules.filter((module, index) => modules.indexOf(module) !== index),
      [],
    );
  });

  it('keep activation to one small file of our own code', () => {
    assert.deepEqual(loadedWith(ACTIVATION), [ACTIVATION]);
    const foreign = chunks[ACTIVATION]?.modules.filter((module) => module.includes('node_modules'));
    assert.deepEqual(foreign, []);
    const { size } = statSync(join(folder, ACTIVATION));
    assert.ok(size < 135_000, `${size} bytes`);
  });

  it('load what is heavy on first use only', () => {
    for (const heavy of ON_FIRST_USE) {
      assert.ok(heavy in chunks, heavy);
      const users = Object.entries(chunks);
      assert.ok(
        users.some(([, { dynamicImports }]) => dynamicImports.includes(heavy)),
        `${heavy} is loaded by something`,
      );
      assert.deepEqual(
        users.filter(([, { imports }]) => imports.includes(heavy)).map(([file]) => file),
        [],
        heavy,
      );
    }
  });

  it('keep the MCP SDK to itself, and Ajv out of it', () => {
    const packagesOf = (file: string): readonly string[] =>
      loadedWith(file).flatMap(
        (each) =>
          chunks[each]?.modules.flatMap((module) => /node_modules\/(@[^/]+|[^/]+)\//.exec(module)?.[1] ?? []) ?? [],
      );
    const withSdk = Object.keys(chunks).filter((file) => packagesOf(file).includes('@modelcontextprotocol'));
    // What the host's side of apps shares with it is named after the package's folder.
    assert.deepEqual(withSdk.toSorted(), ['appPanel.js', 'dist.js', 'sdk.js']);
    assert.deepEqual(
      packagesOf('sdk.js').filter((name) => name.startsWith('ajv')),
      [],
    );
    assert.ok(packagesOf('schemaWorker.js').includes('ajv'));
  });

  it('have the table of synonyms packed, and read it as it is', async () => {
    const packed = (await import(join(folder, 'synonymTable.js'))) as Record<string, unknown>;
    for (const [name, text] of Object.entries(table)) assert.ok(packed[name] === text, name);
    assert.ok(statSync(join(folder, 'synonymTable.br')).size < 75_000);
  });

  it('start the process that checks schemas without the editor', async () => {
    assert.ok(!loadedWith('schemaWorker.js').includes(ACTIVATION));
    const worker = startSchemaWorker(join(folder, 'schemaWorker.js'));
    const [greeting] = (await once(worker, 'message')) as [unknown];
    assert.equal(greeting, 'ready');
    worker.send({ schemaId: 0, schema: { required: ['a'] }, args: {} });
    const [errors] = (await once(worker, 'message')) as [unknown[]];
    assert.equal(errors.length, 1);
    worker.disconnect();
    await once(worker, 'exit');
  });

  it('start the process that ends servers on Windows without the editor; it ends with its input', async () => {
    assert.deepEqual(loadedWith('windowsWatchdog.js'), ['windowsWatchdog.js']);
    const file = join(folder, 'windowsWatchdog.js');
    const watchdog = spawn(process.execPath, [file, 'mcp-switchboard-watchdog'], { stdio: ['pipe', 'ignore', 'pipe'] });
    watchdog.stdin.end('+ 1 2\n- 3\n');
    const [complaints, [code]] = await Promise.all([text(watchdog.stderr), once(watchdog, 'exit')]);
    assert.deepEqual([code, complaints], [0, '']);
  });

  it('start the process that runs scripts, with the interpreter that is shipped', async () => {
    const worker = startScriptWorker(join(folder, 'scriptWorker.js'));
    await once(worker, 'message');
    const task = { source: 'return 6 * 7', names: [], at: 0, rounds: [], calls: [], limits: SCRIPT_LIMITS };
    worker.send({ task });
    const [state] = (await once(worker, 'message')) as [unknown];
    assert.deepEqual(state, { calls: [], end: { kind: 'returned', result: '42' } });
    worker.disconnect();
    await once(worker, 'exit');
  });

  /** The file and all that it loads at once. */
  function loadedWith(file: string, seen: Set<string> = new Set()): readonly string[] {
    if (!seen.has(file) && file in chunks) {
      seen.add(file);
      for (const next of chunks[file]?.imports ?? []) loadedWith(next, seen);
    }
    return [...seen];
  }
});
