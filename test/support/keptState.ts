import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import type { KeyValueStore } from '../../src/base/keyValueStore.ts';
import type { Logger } from '../../src/base/log.ts';
import { type Upgrades, VersionedStore } from '../../src/base/versionedState.ts';
import type { SecretPort, SignInPorts } from '../../src/connection/auth/signInPorts.ts';
import { STATE_UPGRADES } from '../../src/host/stateUpgrades.ts';
import { FileStore } from '../../src/platform/fileStore.ts';
import { KEPT_THINGS } from './keptThings.ts';
import { NodeConfigPorts } from './nodeConfigPorts.ts';
import { TestHost } from './testHost.ts';

/** What each release left, by its version; see `npm run state-fixture`. */
export const FIXTURES = path.join(root, 'test/fixtures/state');

/** What a release keeps in the editor's stores. Beside it, in a folder `files`, is what it keeps in files. */
export interface EditorState {
  /** When it was written, in milliseconds since the epoch. */
  readonly at: number;
  readonly workspace: Record<string, unknown>;
  readonly profile: Record<string, unknown>;
  readonly secrets: Record<string, string>;
}

/** A store on an object that the test can look at, as the editor writes it. */
class ObjectStore implements KeyValueStore {
  readonly #values: Record<string, unknown>;

  constructor(values: Record<string, unknown>) {
    this.#values = values;
  }

  get(key: string): unknown {
    return this.#values[key];
  }

  async set(key: string, value: unknown): Promise<void> {
    if (value === undefined) delete this.#values[key];
    else this.#values[key] = JSON.parse(JSON.stringify(value));
  }
}

/** A host on a copy of the fixtures' workspace, with what is kept as the extension keeps it. */
export class KeptState {
  readonly state: EditorState;
  readonly rig: TestHost;
  readonly workspace: VersionedStore;
  readonly profile: VersionedStore;
  readonly tools: VersionedStore;
  readonly tasks: VersionedStore;
  readonly secrets: SecretPort;
  /** As old as the state, so that what is kept for some days still is. */
  readonly clock: Clock;
  /** What was logged as a warning. */
  readonly warnings: string[] = [];
  /** Of the files that are kept. */
  readonly files: string;
  readonly #folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-state-')));
  readonly #secretChanged = new Emitter<string>();

  /** @param from the folder of a fixture; without one, nothing is kept yet */
  constructor(from?: string, upgrades: Upgrades = STATE_UPGRADES, change: (state: EditorState) => void = () => {}) {
    const now = Date.now();
    this.state = from
      ? (JSON.parse(readFileSync(path.join(from, 'state.json'), 'utf8')) as EditorState)
      : { at: now, workspace: {}, profile: {}, secrets: {} };
    change(this.state);
    this.clock = { ...systemClock, now: () => this.state.at + Date.now() - now };
    this.files = path.join(this.#folder, 'files');
    mkdirSync(this.files);
    if (from) cpSync(path.join(from, 'files'), this.files, { recursive: true });
    const folder = path.join(this.#folder, 'workspace');
    cpSync(path.join(FIXTURES, 'workspace'), folder, { recursive: true });
    const log: Logger = { log: (level, message) => void (level === 'warning' && this.warnings.push(message)) };
    const versioned = (store: KeyValueStore): VersionedStore => new VersionedStore(store, log, upgrades);
    this.workspace = versioned(new ObjectStore(this.state.workspace));
    this.profile = versioned(new ObjectStore(this.state.profile));
    this.tools = versioned(new FileStore(path.join(this.files, 'tools'), log));
    this.tasks = versioned(new FileStore(path.join(this.files, 'tasks'), log));
    const { secrets } = this.state;
    this.secrets = {
      get: async (key) => secrets[key],
      set: async (key, value) => void (secrets[key] = value),
      delete: async (key) => void delete secrets[key],
      onDidChange: this.#secretChanged.event,
    };
    const file = path.join(folder, '.mcp.json');
    this.rig = new TestHost({
      folder,
      store: this.workspace,
      ports: {
        log,
        toolStore: this.tools,
        calls: { taskStore: this.tasks },
        stateDir: this.files,
        clock: this.clock,
        signIn: async () => ({ secrets: this.secrets }) as unknown as SignInPorts,
        config: new NodeConfigPorts([
          // The same wherever the tests run.
          { id: 'project:state', scope: 'project', format: 'mcp', label: '.mcp.json', file, folder: { name: 'demo', path: folder } }, // prettier-ignore
        ]),
      },
    });
  }

  /** What is seen of each thing that is kept. */
  async seen(): Promise<Record<string, unknown>> {
    const seen = Object.entries(KEPT_THINGS).map(async ([name, { look }]) => [name, await look(this)] as const);
    return JSON.parse(JSON.stringify(Object.fromEntries(await Promise.all(seen)))) as Record<string, unknown>;
  }

  /** Writes a fixture of what is kept now. */
  save(to: string, seen: Readonly<Record<string, unknown>>): void {
    rmSync(to, { recursive: true, force: true });
    mkdirSync(to, { recursive: true });
    writeFileSync(path.join(to, 'state.json'), `${JSON.stringify(this.state, undefined, 2)}\n`);
    writeFileSync(path.join(to, 'seen.json'), `${JSON.stringify(seen, undefined, 2)}\n`);
    cpSync(this.files, path.join(to, 'files'), { recursive: true });
  }

  async stop(): Promise<void> {
    await this.rig.stop();
    this.#secretChanged.dispose();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
