import { isRecord } from '../../base/json/json.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { HostingChoice } from '../serverTypes.ts';

/** The fingerprint that the user judged, and how. */
export interface Approval {
  readonly fingerprint: string;
  readonly verdict: 'approved' | 'rejected';
  /** What was judged, as `describeLaunch` told it: what a later edit is compared with. */
  readonly launch?: readonly string[];
  /** When, in milliseconds since the epoch; absent where an earlier version kept it. */
  readonly at?: number;
}

const KEYS = { approvals: 'servers.approvals', disabled: 'servers.disabled', hosting: 'servers.hosting' } as const;

/** What the user decided about the servers of this workspace, kept in a store; one key per concern. */
export class DecisionStore {
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  approvals(): ReadonlyMap<string, Approval> {
    const stored = this.#store.get(KEYS.approvals);
    return new Map(Object.entries(isRecord(stored) ? stored : {}).filter(isApprovalOfId));
  }

  async setApprovals(approvals: ReadonlyMap<string, Approval>): Promise<void> {
    await this.#store.set(KEYS.approvals, approvals.size > 0 ? Object.fromEntries(approvals) : undefined);
  }

  disabled(): ReadonlySet<string> {
    const stored = this.#store.get(KEYS.disabled);
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []);
  }

  async setDisabled(ids: ReadonlySet<string>): Promise<void> {
    await this.#store.set(KEYS.disabled, ids.size > 0 ? [...ids] : undefined);
  }

  hosting(): HostingChoice {
    const stored = this.#store.get(KEYS.hosting);
    return stored === 'switchboard' || stored === 'editor' ? stored : 'undecided';
  }

  async setHosting(choice: HostingChoice): Promise<void> {
    await this.#store.set(KEYS.hosting, choice === 'undecided' ? undefined : choice);
  }
}

function isApprovalOfId(pair: [string, unknown]): pair is [string, Approval] {
  const value = pair[1];
  return (
    isRecord(value) &&
    (value['launch'] === undefined || Array.isArray(value['launch'])) &&
    typeof value['fingerprint'] === 'string' &&
    (value['verdict'] === 'approved' || value['verdict'] === 'rejected')
  );
}
