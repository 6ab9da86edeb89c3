import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { systemClock } from '../../../src/base/clock.ts';
import { sha256 } from '../../../src/base/json/json.ts';
import { NOTHING_KEPT } from '../../../src/connection/auth/grants/accountGrants.ts';
import { GrantStore, type GrantStoreOptions } from '../../../src/connection/auth/grants/grantStore.ts';
import { ProcessRegistry } from '../../../src/connection/process/processRegistry.ts';
import { NeedsAuthMemory } from '../../../src/connection/start/needsAuthMemory.ts';
import { type EditorState, FIXTURES, KeptState } from '../../support/keptState.ts';
import { KEPT_THINGS } from '../../support/keptThings.ts';
import { eventually } from '../../support/eventually.ts';

const RELEASES = readdirSync(FIXTURES).filter((name) => /^\d/.test(name));
const LATER = 99;

/** The files of a folder and what is in them. */
function textsIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return Object.fromEntries(
    names.map(({ name, parentPath }) => [name, readFileSync(path.join(parentPath, name), 'utf8')]),
  );
}

/** As if a later version had written all of it, in forms that this one doesn't know. */
function later({ workspace, profile, secrets }: EditorState): void {
  for (const values of [workspace, profile])
    for (const key of Object.keys(values)) values[key] = { version: LATER, value: { unknown: values[key] } };
  for (const [key, text] of Object.entries(secrets))
    secrets[key] = JSON.stringify({ ...(JSON.parse(text) as object), version: LATER, grants: 'elsewhere' });
}

/** What the keys begin with that code gives to a store, by the file that does. */
function keysInCode(): ReadonlyMap<string, readonly string[]> {
  const files = Object.entries(textsIn(path.join(root, 'src')));
  const constantsIn = (code: string): readonly (readonly [string, readonly string[]])[] =>
    [...code.matchAll(/const ([A-Z_]+)\b[^=;\n]*= ([^;]*);/g)].map(
      ([, name = '', value = '']) => [name, [...value.matchAll(/'([^']+)'/g)].map(([, key = '']) => key)] as const,
    );
  const everywhere = new Map(files.flatMap(([, code]) => constantsIn(code)));
  // Those that keep what others give them a key for.
  const others = ['versionedState.ts', 'renamedServer.ts'];
  return new Map(
    files.flatMap(([file, code]) => {
      const given = [...code.matchAll(/[sS]tore\.set\(\s*(\w+)/g)].map(([, name = '']) => name);
      if (given.length === 0 || others.includes(file)) return [];
      const own = new Map(constantsIn(code));
      const named = [...own].flatMap(([name, keys]) => (/^(?:STORE_)?(?:KEYS?|PREFIX(?:ES)?)$/.test(name) ? keys : []));
      return [[file, [...named, ...given.flatMap((name) => own.get(name) ?? everywhere.get(name) ?? [])]] as const];
    }),
  );
}

describe('what is kept', () => {
  it('is in the fixture of this version, each key that the code has', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    const from = path.join(FIXTURES, version);
    const { workspace, profile } = JSON.parse(readFileSync(path.join(from, 'state.json'), 'utf8')) as EditorState;
    const inFiles = ['tools', 'tasks'].flatMap((name) =>
      Object.values(textsIn(path.join(from, 'files', name))).map((text) => (JSON.parse(text) as { key: string }).key),
    );
    const kept = [...Object.keys(workspace), ...Object.keys(profile), ...inFiles];
    const code = keysInCode();
    assert.ok(code.size > 12, `${code.size} files`);
    for (const [file, keys] of code) {
      assert.ok(keys.length > 0, `${file}: its keys are found`);
      for (const key of keys)
        assert.ok(
          kept.some((each) => each.startsWith(key)),
          `${file}: ${key}`,
        );
    }
  });

  for (const release of RELEASES) {
    const from = path.join(FIXTURES, release);

    it(`by ${release} is all there in this version, also after another start`, async () => {
      const before = JSON.parse(readFileSync(path.join(from, 'seen.json'), 'utf8')) as Record<string, unknown>;
      const kept = new KeptState(from);
      try {
        const keys = [kept.state.workspace, kept.state.profile, kept.state.secrets].map((values) =>
          Object.keys(values),
        );
        await kept.rig.host.start();
        await eventually('the approved server runs', () =>
          kept.rig.host.pool.all.some(({ state }) => state.kind === 'connected'),
        );
        assert.deepEqual(await kept.seen(), before);
        await kept.rig.host.stop();
        const after = [kept.state.workspace, kept.state.profile, kept.state.secrets].map((values) =>
          Object.keys(values),
        );
        for (const [at, names] of keys.entries())
          assert.deepEqual(
            names.filter((name) => !after[at]?.includes(name)),
            [],
          );
        assert.deepEqual(kept.warnings, []);
      } finally {
        await kept.stop();
      }
    });

    it(`has a fixture of ${release} with each thing that was kept then`, () => {
      const seen = JSON.parse(readFileSync(path.join(from, 'seen.json'), 'utf8')) as Record<string, unknown>;
      assert.deepEqual(
        Object.keys(seen).filter((name) => !(name in KEPT_THINGS)),
        [],
        'no longer looked for',
      );
      for (const [name, value] of Object.entries(seen))
        assert.ok(![null, false, '', '[]', '{}'].includes(typeof value === 'object' ? JSON.stringify(value) : (value as never)), name); // prettier-ignore
    });

    it(`by a later version than this stays as it is, and says so (from ${release})`, async () => {
      const kept = new KeptState(from, undefined, later);
      try {
        const stores = ['tools', 'tasks'].map((name) => path.join(kept.files, name));
        for (const folder of stores)
          for (const [name, text] of Object.entries(textsIn(folder))) {
            const { key, value } = JSON.parse(text) as { readonly key: string; readonly value: object };
            const changed = JSON.stringify({ key, value: { ...value, version: LATER } });
            writeFileSync(path.join(folder, name), changed);
          }
        const before = structuredClone(kept.state);
        const files = stores.map(textsIn);
        await kept.rig.host.start();
        // All of it is decided anew, and changes, while this window lasts.
        for (const { keep } of Object.values(KEPT_THINGS)) await keep(kept);
        assert.equal((await kept.seen())['whom a rule is for'], true);
        await kept.rig.host.stop();
        assert.deepEqual(kept.state.workspace, { ...kept.state.workspace, ...before.workspace });
        assert.deepEqual(kept.state.profile, before.profile);
        assert.deepEqual(kept.state.secrets, before.secrets);
        assert.deepEqual(stores.map(textsIn), files);
        for (const key of Object.keys(before.workspace))
          assert.ok(
            kept.warnings.some((text) => text.startsWith(`“${key}” was saved by a later version`)) ||
              key.startsWith('connection.verdict.'),
            key,
          );
      } finally {
        await kept.stop();
      }
    });
  }

  describe('in files by a later version', () => {
    it('is no one’s to end, as for servers, or to change, as for refusals', async () => {
      const kept = new KeptState();
      try {
        const processes = path.join(kept.files, 'processes');
        mkdirSync(processes);
        const entry = JSON.stringify({ version: LATER, owner: { pid: 4_000_000, start: 'long ago' }, processes: [] });
        writeFileSync(path.join(processes, 'x.json'), entry);
        await new ProcessRegistry(processes, process.platform, systemClock, 'a-mark-of-this-test').sweep();
        assert.deepEqual(textsIn(processes), { 'x.json': entry });

        const file = path.join(kept.files, 'needs-auth.json');
        const known = JSON.stringify({ version: LATER, servers: ['a'] });
        writeFileSync(file, known);
        const memory = new NeedsAuthMemory(file, systemClock, process.platform, () => 900_000);
        await memory.note('key', 'HTTP 401');
        assert.equal(await memory.recall('key'), undefined);
        assert.equal(readFileSync(file, 'utf8'), known);
      } finally {
        await kept.stop();
      }
    });

    it('or is a FIFO or a folder in their place: nobody waits for it, and nothing fails', async function () {
      if (process.platform === 'win32') return;
      for (const make of [(at: string) => execFileSync('mkfifo', [at]), (at: string) => mkdirSync(at)]) {
        const kept = new KeptState();
        try {
          const { secrets, files } = kept;
          const processes = path.join(files, 'processes');
          mkdirSync(processes);
          make(path.join(processes, 'x.json'));
          await new ProcessRegistry(processes, process.platform, systemClock, 'a-mark-of-this-test').sweep();

          const file = path.join(files, 'needs-auth.json');
          make(file);
          const memory = new NeedsAuthMemory(file, systemClock, process.platform, () => 900_000);
          assert.equal(await memory.recall('key'), undefined);
          await memory.note('key', 'HTTP 401');

          const options: GrantStoreOptions = { secrets, folder: files, clock: systemClock, platform: process.platform };
          const name = sha256(await new GrantStore(options).keyOf('b')).slice(0, 32);
          make(path.join(files, name));
          const registrations = { 'https://as.example.com': { client: { client_id: 'mine' } } };
          await new GrantStore(options).change('b', () => ({ ...NOTHING_KEPT, registrations }));
          assert.deepEqual((await new GrantStore(options).read('b')).registrations, registrations);
        } finally {
          await kept.stop();
        }
      }
    });

    it('as a sign-in lets one sign in for as long as the window lasts', async () => {
      const kept = new KeptState();
      try {
        let told = 0;
        const { secrets, files } = kept;
        const options = { secrets, folder: files, clock: systemClock, platform: process.platform };
        const store = new GrantStore({ ...options, onNewer: () => void told++ });
        const key = await store.keyOf('b');
        const text = JSON.stringify({ version: LATER, generation: 'g', all: {} });
        await secrets.set(key, text);
        assert.deepEqual((await store.read('b')).grants, []);
        const registrations = { 'https://as.example.com': { client: { client_id: 'mine' } } };
        await store.change('b', () => ({ ...NOTHING_KEPT, registrations }));
        assert.deepEqual((await store.read('b')).registrations, registrations);
        await store.change('b', () => NOTHING_KEPT);
        assert.deepEqual((await store.read('b')).registrations, {});
        assert.equal(await secrets.get(key), text);
        assert.equal(told, 1);
      } finally {
        await kept.stop();
      }
    });
  });
});
