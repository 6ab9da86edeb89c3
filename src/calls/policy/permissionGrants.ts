import { sha256, stableStringify, isRecord, type JsonObject } from '../../base/json/json.ts';
import { randomUUID } from 'node:crypto';
import { Sequencer } from '../../base/async.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Mask } from '../../base/text/secrets.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';

/** One tool of one server, as it was when the user allowed it: a changed tool needs a new grant. */
export interface GrantKey {
  readonly serverId: string;
  /** Of the server's definition; a changed definition voids the grant. */
  readonly fingerprint: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  /** Of the tool's definition; a changed one voids the grant. */
  readonly pin: string;
  /** Whose calls it is for; absent: those of the editor's own agents. See `callerOf`. */
  readonly caller?: string;
}

/** What a server's leave for the open world is bound to. */
export type OpenWorldKey = Pick<GrantKey, 'serverId' | 'fingerprint' | 'caller'>;

/** A server's leave for the open world. */
export interface OpenWorldGrant extends OpenWorldKey {
  readonly lasting: boolean;
}

/** A permission that the user gave. */
export interface Grant extends GrantKey {
  readonly id: string;
  /** For display. */
  readonly serverName: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly lasting: boolean;
  /** Only for these arguments: SHA-256 of them. */
  readonly argsHash?: string;
  /** The arguments, masked and folded. */
  readonly argsText?: string;
}

type GrantedArguments = Required<Pick<Grant, 'argsHash' | 'argsText'>>;

/** What a new grant is for. */
export interface GrantRequest {
  readonly key: GrantKey;
  readonly serverName: string;
  readonly at: number;
  /** Present: only for these. */
  readonly args?: JsonObject;
}

const STORE_KEY = 'grants';
const OPEN_WORLD_KEY = 'grants.openWorld';
const MAX_ARGS_TEXT = 500;

/**
 * The permissions that the user gave. A grant is for one tool of one server and allows nothing else. Session grants end with the
 * object; lasting ones are kept in the workspace's store.
 */
export class Grants {
  readonly #store: KeyValueStore;
  readonly #mask: Mask;
  readonly #byId = new Map<string, Grant>();
  readonly #index = new Map<string, { whole: number; readonly args: Map<string, number> }>();
  /** By server, fingerprint and caller: whether it lasts. */
  readonly #openWorld = new Map<string, boolean>();
  readonly #writes = new Sequencer();
  readonly #changed = new Emitter<void>();

  /** @param mask for secrets that are known */
  constructor(store: KeyValueStore, mask: Mask = (text) => text) {
    this.#store = store;
    this.#mask = mask;
    const stored = store.get(STORE_KEY);
    // What the store holds in another shape is left out.
    for (const grant of Array.isArray(stored) ? stored.filter(isGrant) : []) this.#add({ ...grant, lasting: true });
    const open = store.get(OPEN_WORLD_KEY);
    for (const key of Array.isArray(open) ? open.filter((each) => typeof each === 'string') : [])
      this.#openWorld.set(key, true);
  }

  /** Fires after a grant was given or taken back. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Every grant, in the order in which they were given. */
  get all(): readonly Grant[] {
    return [...this.#byId.values()];
  }

  /** Whether this tool was allowed, for all arguments or for these. */
  has(key: GrantKey, args: JsonObject): boolean {
    const entry = this.#index.size === 0 ? undefined : this.#index.get(textOf(key));
    if (!entry) return false;
    return entry.whole > 0 || (entry.args.size > 0 && entry.args.has(hashOf(args)));
  }

  grantForSession(request: GrantRequest): void {
    this.#grant(request, undefined, false);
  }

  async grantAlways(request: GrantRequest): Promise<void> {
    if (this.#grant(request, request.args && (await this.#recorded(request.args)), true)) await this.#save();
  }

  /** Takes back one grant by its id. */
  async revoke(id: string): Promise<void> {
    const grant = this.#byId.get(id);
    if (!grant) return;
    this.#remove(grant);
    this.#changed.fire();
    if (grant.lasting) await this.#save();
  }

  /** What was granted of a server is granted of the one that it has become: it runs the same, under another name. */
  async moveServer(serverId: string, to: Pick<Grant, 'serverId' | 'serverName'>): Promise<void> {
    for (const grant of this.all.filter((each) => each.serverId === serverId)) {
      this.#remove(grant);
      this.#add({ ...grant, ...to });
    }
    for (const [key, isLasting] of this.#openWorld)
      if (key.startsWith(`${serverId}\n`)) {
        this.#openWorld.delete(key);
        this.#openWorld.set(to.serverId + key.slice(serverId.length), isLasting);
      }
    this.#changed.fire();
    await Promise.all([this.#save(), this.#saveOpenWorld()]);
  }

  /** Gives back a grant that was revoked, as it was. */
  async restore(grant: Grant): Promise<void> {
    if (this.#byId.has(grant.id)) return;
    this.#add(grant);
    this.#changed.fire();
    if (grant.lasting) await this.#save();
  }

  /** Whether the reading tools of this server, as it is defined, may reach the open world when this caller calls them. */
  hasOpenWorld(server: OpenWorldKey): boolean {
    return this.#openWorld.size > 0 && this.#openWorld.has(openWorldText(server));
  }

  /** Lets the reading tools of this server reach the open world, in this session or always. */
  async grantOpenWorld(server: OpenWorldKey, lasting: boolean): Promise<void> {
    const key = openWorldText(server);
    this.#openWorld.set(key, lasting || this.#openWorld.get(key) === true);
    this.#changed.fire();
    if (lasting) await this.#saveOpenWorld();
  }

  /** Takes back what a server was let reach. */
  async revokeOpenWorld(server: OpenWorldKey): Promise<void> {
    if (!this.#openWorld.delete(openWorldText(server))) return;
    this.#changed.fire();
    await this.#saveOpenWorld();
  }

  #saveOpenWorld(): Promise<void> {
    const lasting = (): string[] => [...this.#openWorld].flatMap(([key, isLasting]) => (isLasting ? [key] : []));
    return this.#writes.run(() => this.#store.set(OPEN_WORLD_KEY, this.#openWorld.size > 0 ? lasting() : undefined));
  }

  /** The servers whose reading tools may reach the open world. */
  get openWorld(): readonly OpenWorldGrant[] {
    return [...this.#openWorld].map(([key, lasting]) => {
      const [serverId = '', fingerprint = '', ...caller] = key.split('\n');
      return { serverId, fingerprint, lasting, ...(caller.length === 0 ? {} : { caller: caller.join('\n') }) };
    });
  }

  async #recorded(args: JsonObject): Promise<GrantedArguments> {
    const [{ argumentText }, { recordedArguments }] = await Promise.all([
      import('../arguments/argumentText.ts'),
      import('../results/masking.ts'),
    ]);
    const text = argumentText(recordedArguments(args, this.#mask));
    return { argsHash: hashOf(args), argsText: text.slice(0, MAX_ARGS_TEXT) };
  }

  /** Whether something new came of it. */
  #grant({ key, serverName, at }: GrantRequest, forArgs: GrantedArguments | undefined, lasting: boolean): boolean {
    const same = this.all.some(
      (grant) => textOf(grant) === textOf(key) && grant.argsHash === forArgs?.argsHash && grant.lasting === lasting,
    );
    if (same) return false;
    this.#add({ ...key, id: randomUUID(), serverName, at, lasting, ...forArgs });
    this.#changed.fire();
    return true;
  }

  #add(grant: Grant): void {
    this.#byId.set(grant.id, grant);
    const text = textOf(grant);
    const entry = this.#index.get(text) ?? { whole: 0, args: new Map<string, number>() };
    if (grant.argsHash === undefined) entry.whole += 1;
    else entry.args.set(grant.argsHash, (entry.args.get(grant.argsHash) ?? 0) + 1);
    this.#index.set(text, entry);
  }

  #remove(grant: Grant): void {
    this.#byId.delete(grant.id);
    this.#index.delete(textOf(grant));
    for (const other of this.all) if (textOf(other) === textOf(grant)) this.#add(other);
  }

  #save(): Promise<void> {
    const lasting = (): readonly Grant[] => this.all.filter((grant) => grant.lasting);
    return this.#writes.run(() => this.#store.set(STORE_KEY, lasting()));
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function textOf(key: GrantKey): string {
  return JSON.stringify([key.serverId, key.fingerprint, key.pin, key.tool, key.caller ?? '']);
}

function openWorldText({ serverId, fingerprint, caller }: OpenWorldKey): string {
  return caller === undefined ? `${serverId}\n${fingerprint}` : `${serverId}\n${fingerprint}\n${caller}`;
}

function hashOf(args: JsonObject): string {
  return sha256(stableStringify(args));
}

function isGrant(value: unknown): value is Grant {
  return (
    isRecord(value) &&
    ['id', 'serverId', 'serverName', 'fingerprint', 'tool', 'pin'].every((key) => typeof value[key] === 'string') &&
    typeof value['at'] === 'number' &&
    ['argsHash', 'argsText', 'caller'].every((key) => value[key] === undefined || typeof value[key] === 'string')
  );
}
