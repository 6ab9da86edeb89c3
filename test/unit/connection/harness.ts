import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../../src/base/clock.ts';
import { ConnectionPool } from '../../../src/connection/connectionPool.ts';
import type { PoolPorts, PoolSettings } from '../../../src/connection/connectionPoolPorts.ts';
import type {
  ConnectionSpec,
  ConnectionState,
  ConnectionTarget,
  ServerConnection,
} from '../../../src/connection/connectionTypes.ts';
import type { StopGrace } from '../../../src/connection/process/stopGrace.ts';
import type { HttpFixture } from '../../fixtures/servers/http.ts';
import { eventually as untilTrue } from '../../support/eventually.ts';

/** Short enough for tests, long enough for a Node process to notice the end of its input. */
export const SHORT_GRACE: StopGrace = { afterEofMs: 500, afterTermMs: 300 };

/** A pool on the real clock with everything it logs and every state it goes through. */
export class PoolHarness {
  readonly pool: ConnectionPool;
  /** `server: level: line` */
  readonly log: string[] = [];
  /** `server: state`, without what else changes in a state. */
  readonly states: string[] = [];
  readonly #subscription;
  readonly #known = new Map<string, ConnectionTarget>();

  constructor(settings: Partial<PoolSettings> = {}, ports: Partial<PoolPorts> = {}) {
    this.pool = new ConnectionPool({
      clock: systemClock,
      log: (server) => ({ log: (level, message) => this.log.push(`${server}: ${level}: ${message}`) }),
      platform: process.platform,
      hostEnvironment: process.env,
      fetch,
      homeDir: tmpdir(),
      loginPath: async () => undefined,
      clientInfo: { name: 'test', version: '0.0.0' },
      settings: () => ({
        localConcurrency: 3,
        remoteConcurrency: 20,
        handshakeTimeoutMs: 15_000,
        discoveryTimeoutMs: 15_000,
        ...settings,
      }),
      ...ports,
    });
    const last = new Map<string, string>();
    this.#subscription = this.pool.onDidChangeState(({ name, state }) => {
      if (last.get(name) !== state.kind) this.states.push(`${name}: ${state.kind}`);
      last.set(name, state.kind);
    });
  }

  /** Adds one server and connects it. */
  async connect(spec: ConnectionSpec, id: string = 'server'): Promise<ServerConnection> {
    this.#known.set(id, target(id, spec));
    this.pool.reconcile([...this.#known.values()]);
    await this.pool.connect(id);
    return this.server(id);
  }

  server(id: string = 'server'): ServerConnection {
    const connection = this.pool.get(id);
    if (!connection) throw new Error(`no server ${id}`);
    return connection;
  }

  /** Waits until the server is in the state. */
  async until(
    kind: ConnectionState['kind'],
    id: string = 'server',
    timeoutMs: number = 25_000,
  ): Promise<ConnectionState> {
    await eventually(() => this.server(id).state.kind === kind, `${id} to be ${kind}`, timeoutMs);
    return this.server(id).state;
  }

  async end(grace: StopGrace = SHORT_GRACE): Promise<void> {
    await this.pool.stopAll(grace);
    this.#subscription.dispose();
    this.pool.dispose();
  }
}

/** For a suite: what its tests put there is ended after each of them, pools before the servers that they talk to. */
export function endedAfterEach(): {
  readonly harnesses: PoolHarness[];
  readonly fixtures: HttpFixture[];
} {
  const harnesses: PoolHarness[] = [];
  const fixtures: HttpFixture[] = [];
  afterEach(async () => {
    for (const harness of harnesses.splice(0)) await harness.end();
    for (const fixture of fixtures.splice(0)) await fixture.close();
  });
  return { harnesses, fixtures };
}

export function target(id: string, spec: ConnectionSpec, more: Partial<ConnectionTarget> = {}): ConnectionTarget {
  return {
    id,
    name: id,
    scope: 'user',
    key: JSON.stringify(spec),
    autoStart: true,
    resolve: async () => spec,
    ...more,
  };
}

/** One of the servers in `test/fixtures/servers`. */
export function fixture(name: string, ...args: string[]): Extract<ConnectionSpec, { type: 'stdio' }> {
  const file = fileURLToPath(new URL(`../../fixtures/servers/${name}.ts`, import.meta.url));
  return { type: 'stdio', command: process.execPath, args: [file, ...args], env: {} };
}

export function remote(
  type: 'http' | 'sse' | 'url' | 'ws',
  url: string,
  headers: Record<string, string> = {},
): ConnectionSpec {
  return { type, url, headers };
}

/** A folder that is removed again. */
export function temporaryFolder(): { readonly path: string; file(name: string): string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'switchboard-'));
  return {
    path,
    file: (name) => join(path, name),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The process ids in a file. */
export function pidsIn(file: string): number[] {
  return readText(file).trim().split(/\s+/).filter(Boolean).map(Number);
}

export async function eventually(test: () => boolean, what: string, timeoutMs: number = 25_000): Promise<void> {
  await untilTrue(what, test, timeoutMs);
}

export function isAlive(pid: number): boolean {
  const stat = readText(`/proc/${pid}/stat`);
  if (process.platform === 'linux') return stat !== '' && !/\) [ZX] /.test(stat);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  try {
    await promise;
  } catch (error) {
    return error as Error & { code?: string };
  }
  throw new Error('it did not fail');
}
