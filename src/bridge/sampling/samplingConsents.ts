import { Sequencer } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { isRecord } from '../../base/json/json.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';

export type SamplingAnswer = 'session' | 'always' | 'never';

/** What the user said of a server's requests to one model. */
export interface SamplingConsent {
  readonly serverId: string;
  /** Of the server's definition; what changed is another one. */
  readonly fingerprint: string;
  readonly modelId: string;
  /** For display. */
  readonly serverName: string;
  readonly modelName: string;
  readonly answer: SamplingAnswer;
  /** When, in milliseconds since the epoch; absent where an earlier version kept it. */
  readonly at?: number;
}

const STORE_KEY = 'sampling.consents';

/** What the user said of servers that ask models. What holds always, or never, is kept in the workspace's store. */
export class SamplingConsents implements Disposable {
  readonly #store: KeyValueStore;
  readonly #writes = new Sequencer();
  readonly #changed = new Emitter<void>();
  #all: readonly SamplingConsent[];

  constructor(store: KeyValueStore) {
    this.#store = store;
    const stored: unknown = store.get(STORE_KEY);
    // What the store holds in another shape is left out.
    this.#all = Array.isArray(stored) ? (stored as readonly unknown[]).filter(isConsent) : [];
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  get all(): readonly SamplingConsent[] {
    return this.#all;
  }

  find(serverId: string, fingerprint: string, modelId: string): SamplingConsent | undefined {
    return this.#all.find(
      (each) => each.serverId === serverId && each.fingerprint === fingerprint && each.modelId === modelId,
    );
  }

  /** Whether the user refused this server for good, and allowed it no model. */
  refuses(serverId: string, fingerprint: string): boolean {
    const own = this.#all.filter((each) => each.serverId === serverId && each.fingerprint === fingerprint);
    return own.length > 0 && own.every(({ answer }) => answer === 'never');
  }

  async set(consent: SamplingConsent): Promise<void> {
    this.#all = [...this.#all.filter((each) => !isSame(each, consent)), consent];
    await this.#save();
  }

  /** What was said of a server holds for the one that it has become: it runs the same, under another name. */
  async moveServer(serverId: string, to: Pick<SamplingConsent, 'serverId' | 'serverName'>): Promise<void> {
    this.#all = this.#all.map((each) => (each.serverId === serverId ? { ...each, ...to } : each));
    await this.#save();
  }

  /** Takes back what was said. */
  async revoke(consent: SamplingConsent): Promise<void> {
    this.#all = this.#all.filter((each) => !isSame(each, consent));
    await this.#save();
  }

  #save(): Promise<void> {
    this.#changed.fire();
    return this.#writes.run(() =>
      this.#store.set(
        STORE_KEY,
        this.#all.filter(({ answer }) => answer !== 'session'),
      ),
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function isSame(one: SamplingConsent, other: SamplingConsent): boolean {
  return one.serverId === other.serverId && one.fingerprint === other.fingerprint && one.modelId === other.modelId;
}

function isConsent(value: unknown): value is SamplingConsent {
  return (
    isRecord(value) &&
    ['serverId', 'fingerprint', 'modelId', 'serverName', 'modelName'].every((key) => typeof value[key] === 'string') &&
    (value['answer'] === 'always' || value['answer'] === 'never')
  );
}
