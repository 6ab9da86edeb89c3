import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { MemoryStore } from '../../base/store.ts';
import { LoginShell } from './loginShell.ts';
import { NeedsAuthMemory } from './needsAuthMemory.ts';
import { paceFor } from '../connectionTimings.ts';
import { patientFetch } from '../http/fetchWithoutTimeout.ts';
import { ProcessKeeper } from '../process/processGuard.ts';
import { SlotQueue } from './startQueue.ts';
import { startServer, type StartOptions, type StartShare } from './startServer.ts';
import type { PoolPorts } from '../poolPorts.ts';
import type { Session } from '../connectionTypes.ts';
import { Verdicts } from './eraCache.ts';

/**
 * Starts the servers of one pool, a few at a time, and keeps what they share: what was learnt about them, and watch over
 * their processes. Loaded with the first start: activation needs nothing of what opens a connection.
 */
export class Starter implements StartShare, Disposable {
  readonly ports: PoolPorts;
  readonly local: SlotQueue;
  readonly remote: SlotQueue;
  readonly verdicts: Verdicts;
  readonly keeper: ProcessKeeper;
  readonly needsAuth: NeedsAuthMemory | undefined;
  readonly fetch: typeof fetch;
  readonly loginPath: () => Promise<string | undefined>;

  constructor(ports: PoolPorts) {
    const { clock, platform, stateDir } = ports;
    this.ports = ports;
    this.local = new SlotQueue(() => ports.settings().localConcurrency);
    this.remote = new SlotQueue(() => ports.settings().remoteConcurrency);
    this.verdicts = new Verdicts(ports.store ?? new MemoryStore(), clock);
    this.keeper = new ProcessKeeper(platform, clock, stateDir);
    this.needsAuth =
      stateDir === undefined
        ? undefined
        : new NeedsAuthMemory(
            join(stateDir, 'needs-auth.json'),
            clock,
            () => paceFor(ports.settings()).needsAuthMemoryMs,
          );
    this.fetch = patientFetch(ports.fetch);
    const shell = new LoginShell(ports);
    this.loginPath = ports.loginPath ?? (() => shell.path());
  }

  /** One attempt; see `startServer`. */
  start(options: StartOptions): Promise<Session> {
    return startServer(this, options);
  }

  dispose(): void {
    this.keeper.dispose();
  }
}
