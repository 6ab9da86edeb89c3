import type { NeedsAuthMemory } from './needsAuthMemory.ts';
import type { ProcessKeeper } from './processKeeper.ts';
import type { SlotQueue } from './slotQueue.ts';
import type { Verdicts } from './verdicts.ts';
import type { ConnectionState, PoolPorts } from './types.ts';

/** What a connection shares with the others of its pool. */
export interface ConnectionShare {
  readonly ports: PoolPorts;
  readonly local: SlotQueue;
  readonly remote: SlotQueue;
  readonly verdicts: Verdicts;
  readonly fetch: typeof fetch;
  readonly loginPath: () => Promise<string | undefined>;
  readonly keeper: ProcessKeeper;
  readonly needsAuth: NeedsAuthMemory | undefined;
  onState(previous: ConnectionState): void;
  onTools(): void;
}
