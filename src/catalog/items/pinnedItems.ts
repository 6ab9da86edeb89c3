// Loaded before the first server is.
import { dropOldest } from '../../base/data/dropOldest.ts';
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import { inSlices } from '../../base/timeSlices.ts';
import type { McpTool, Session } from '../../connection/connectionTypes.ts';
import type { PinningMode } from '../pinningModes.ts';
import type { OpenChange, PinStore } from '../toolPins.ts';
import type { ItemPages } from './listServerItems.ts';

type Item = ItemPages['items'][number];

/** What is pinned: how it is listed, and what is compared of it. */
export interface PinnedKind {
  /** In sentences. */
  readonly noun: 'prompt' | 'skill';
  /** What says that the list is another. */
  readonly notification: string;
  /** All pages. */
  list(session: Session, signal?: AbortSignal): Promise<ItemPages>;
  /** What identifies one, as the server gave it. */
  nameOf(item: Item): string | undefined;
  /** What no two have, however they spell their names; absent: the name. */
  placeOf?(item: Item): string | undefined;
  /** An item with all that is shown of it, for people or models; `undefined`: it can't be asked for. */
  asTool(item: Item): McpTool | undefined;
  /** Those that need an answer of the user's own, although the server listed them when it was approved; absent: none. */
  ownConsent?(items: readonly McpTool[]): readonly string[];
}

export interface PinnedItemsPorts {
  readonly clock: Clock;
  /** What was approved of the items. */
  readonly pins: PinStore;
  fingerprintOf(serverId: string): string | undefined;
  pinning(): PinningMode;
}

/** What a server listed last. */
interface Listed {
  readonly fingerprint: string;
  readonly mode: PinningMode;
  /** As the server gave them. */
  readonly items: readonly Item[];
  /** The items in the form of tools: what is pinned. */
  readonly pinned: readonly McpTool[];
  readonly open: ReadonlyMap<string, OpenChange>;
  /** What clients were told of: items that are held back, or were until the server listed them as approved again. */
  readonly toldOf: ReadonlySet<string>;
}

/** So many items are known of a session that it doesn't list; of more, the oldest is fetched anew. */
const MAX_UNLISTED = 200;

const NO_CHANGES: ReadonlyMap<string, OpenChange> = new Map();
const NOTHING_TOLD: ReadonlySet<string> = new Set();

/**
 * Prompts and skills are pinned as tools are: the first list after a server was approved is what is approved of it. A changed one asks
 * before a model gets it, or is neither listed nor given (`block`), until the user has reviewed the change. Every list of
 * either comes from here.
 */
export class PinnedItems {
  readonly #ports: PinnedItemsPorts;
  readonly #kind: PinnedKind;
  readonly #listed = new Map<string, Listed>();
  /** Until when what each session listed counts. */
  readonly #freshUntil = new WeakMap<Session, number>();
  readonly #followed = new WeakSet<Session>();
  /** Items that the server has and doesn't list, as it gave them since it last said that its items changed. */
  readonly #unlisted = new WeakMap<Session, Map<string, Item>>();
  /** How often each session has said that its items changed. */
  readonly #revisions = new WeakMap<Session, number>();
  readonly #changed = new Emitter<string>();
  readonly #offered = new Emitter<string>();

  constructor(ports: PinnedItemsPorts, kind: PinnedKind) {
    this.#ports = ports;
    this.#kind = kind;
  }

  /** Fires with a server's id when others of it are held back, or wait for a review. */
  get onDidChange(): Event<string> {
    return this.#changed.event;
  }

  /**
   * Fires with a server's id when a list that a client has may be out of date: an item is held back, or a held back one may be
   * listed after a review. A list that only gives items another text doesn't fire it, or a client that lists again each time
   * it is told would never come to an end.
   */
  get onDidChangeOffered(): Event<string> {
    return this.#offered.event;
  }

  /** The names of what is pinned of a server, and of what isn't yet because it waits for a review, as one with another name than before does. */
  pinnedOf(serverId: string): readonly string[] {
    const fingerprint = this.#ports.fingerprintOf(serverId);
    if (fingerprint === undefined) return [];
    return [...new Set([...this.#ports.pins.pinnedOf(serverId, fingerprint), ...this.changesOf(serverId).keys()])];
  }

  /**
   * All pages of a server's list, but for those that wait for a review before they may be listed; of these it is said.
   * @throws SwitchboardError as `Session.request` does
   */
  async list(serverId: string, session: Session, signal?: AbortSignal): Promise<ItemPages> {
    const { pins } = this.#ports;
    const fingerprint = this.#ports.fingerprintOf(serverId);
    this.#follow(session);
    const askedAt = this.#ports.clock.now();
    const revision = this.#revisions.get(session);
    const all = this.#withoutRepeated(this.#withUnlisted(session, await this.#kind.list(session, signal)));
    const pinned = all.items.flatMap((item) => this.#kind.asTool(item) ?? []);
    await inSlices(pins.prepare(pinned));
    // Of another definition, which is being started anew, nobody knows what was approved.
    if (fingerprint === undefined || this.#ports.fingerprintOf(serverId) !== fingerprint) return { ...all, items: [] };
    // A list that was overtaken by a change may be half old.
    if (this.#revisions.get(session) === revision) this.#freshUntil.set(session, askedAt + all.freshForMs);
    const blocked = blockedOf(this.#examine(serverId, { fingerprint, items: all.items, pinned }, 'listed'));
    if (blocked.size === 0) return all;
    const noun = this.#kind.noun === 'prompt' ? 'Prompt' : 'Skill';
    return {
      ...all,
      items: all.items.filter((item) => !blocked.has(this.#kind.nameOf(item) ?? '')),
      leftOut: [
        ...all.leftOut,
        ...[...blocked].map((name) => `${noun} ${name}: it changed since the user approved it.`),
      ],
    };
  }

  /**
   * What the server lists, those that wait for a review among it: asked for only where what is known is out of date.
   * @throws SwitchboardError as `Session.request` does
   */
  async known(serverId: string, session: Session, signal?: AbortSignal): Promise<readonly Item[]> {
    if (this.#ports.clock.now() >= (this.#freshUntil.get(session) ?? 0)) await this.list(serverId, session, signal);
    return this.lastListed(serverId);
  }

  /** What the server listed last, those that wait for a review among it. */
  lastListed(serverId: string): readonly Item[] {
    return this.#listed.get(serverId)?.items ?? [];
  }

  /** Adds one that the server gave although it doesn't list it, as it is now. */
  async add(serverId: string, session: Session, item: Item): Promise<void> {
    const name = this.#kind.nameOf(item);
    const unlisted = this.#unlisted.get(session) ?? new Map<string, Item>();
    this.#unlisted.set(session, unlisted);
    if (name !== undefined) {
      unlisted.delete(name);
      unlisted.set(name, item);
    }
    dropOldest(unlisted, MAX_UNLISTED);
    await this.list(serverId, session);
  }

  /** What is known of a session's items is out of date. */
  forget(session: Session): void {
    this.#freshUntil.delete(session);
    this.#unlisted.delete(session);
  }

  #withUnlisted(session: Session, all: ItemPages): ItemPages {
    const unlisted = [...(this.#unlisted.get(session)?.values() ?? [])];
    return unlisted.length === 0 ? all : { ...all, items: [...all.items, ...unlisted] };
  }

  /** Whether it needs an answer of the user's own first: it came after the server was approved, or is one that always does. */
  isNew(serverId: string, name: string): boolean {
    const fingerprint = this.#ports.fingerprintOf(serverId);
    if (fingerprint === undefined || this.#ports.pinning() === 'off') return false;
    return this.#ports.pins.unseen(serverId, fingerprint).includes(name);
  }

  /** The user gave that answer. */
  acknowledge(serverId: string, name: string): void {
    const fingerprint = this.#ports.fingerprintOf(serverId);
    if (fingerprint !== undefined) this.#ports.pins.acknowledge(serverId, fingerprint, name);
  }

  /**
   * Whether an item may be given to a model as it is now. One that was approved and that the server doesn't list now, or
   * whose list fails, nobody can compare: it may have changed.
   * @throws SwitchboardError `denied` where that isn't given (`block`); as `Session.request` does where `signal` aborts
   */
  async verdictOf(
    serverId: string,
    session: Session,
    name: string,
    signal?: AbortSignal,
  ): Promise<'ok' | OpenChange['verdict']> {
    if (this.#ports.pinning() === 'off') return 'ok';
    let isListed = this.#ports.clock.now() < (this.#freshUntil.get(session) ?? 0);
    if (!isListed)
      isListed = await this.list(serverId, session, signal).then(
        () => true,
        (error: unknown) => {
          if (signal?.aborted) throw error;
          return false;
        },
      );
    const verdict = this.changesOf(serverId).get(name)?.verdict;
    if (verdict !== undefined) return verdict;
    const isCompared = isListed && this.#listed.get(serverId)?.pinned.some((item) => item.name === name);
    return isCompared ? 'ok' : this.#verdictOfUnlisted(serverId, name);
  }

  #verdictOfUnlisted(serverId: string, name: string): 'ok' | 'warn' {
    const fingerprint = this.#ports.fingerprintOf(serverId);
    // What was never listed, nobody was shown.
    if (fingerprint === undefined || !this.#ports.pins.has(serverId, fingerprint, name)) return 'ok';
    if (this.#ports.pinning() === 'warn') return 'warn';
    throw new SwitchboardError(
      'denied',
      `The server doesn't list the ${this.#kind.noun} ${name} now, so nobody can tell whether it is as the user approved it. It was not fetched.`,
      { remedy: `Try again later, or continue without this ${this.#kind.noun}.` },
    );
  }

  /** What of a server's items, as it listed them last, changed since they were approved, by name. */
  changesOf(serverId: string): ReadonlyMap<string, OpenChange> {
    const listed = this.#listed.get(serverId);
    if (!listed) return NO_CHANGES;
    const { fingerprint, mode, open } = listed;
    if (fingerprint !== this.#ports.fingerprintOf(serverId)) return NO_CHANGES;
    return mode === this.#ports.pinning() ? open : this.#examine(serverId, listed, 'decided');
  }

  /** Takes an item as it was listed last for approved. */
  accept(serverId: string, name: string): void {
    const listed = this.#listed.get(serverId);
    if (!listed || listed.fingerprint !== this.#ports.fingerprintOf(serverId)) return;
    const accepted = listed.pinned.find((item) => item.name === name);
    if (!accepted) return;
    this.#ports.pins.accept(serverId, listed.fingerprint, [accepted]);
    this.#examine(serverId, listed, 'decided');
  }

  /** @param cause the server gave its list, or the user decided otherwise on what it listed before */
  #examine(
    serverId: string,
    { fingerprint, items, pinned }: Pick<Listed, 'fingerprint' | 'items' | 'pinned'>,
    cause: 'listed' | 'decided',
  ): Listed['open'] {
    const mode = this.#ports.pinning();
    const known = this.#listed.get(serverId);
    const before = known?.open ?? NO_CHANGES;
    const ownConsent = (): readonly string[] => this.#kind.ownConsent?.(pinned) ?? [];
    const now = this.#ports.pins.examine(serverId, fingerprint, pinned, mode, ownConsent);
    const isOther = digestOf(now) !== digestOf(before);
    // A change that is under review stays the same object.
    const open = isOther ? now : before;
    const blocked = blockedOf(open);
    // A server can list an item as approved and changed by turns: that is told once, until a review.
    const told = known?.fingerprint === fingerprint ? known.toldOf : NOTHING_TOLD;
    const toldOf = cause === 'listed' && known?.mode === mode ? new Set([...told, ...blocked]) : blocked;
    this.#listed.set(serverId, { fingerprint, mode, items, pinned, open, toldOf });
    if (isOther) this.#changed.fire(serverId);
    if (toldOf.size !== told.size || [...toldOf].some((name) => !told.has(name))) this.#offered.fire(serverId);
    return open;
  }

  /** Of several in one place the first counts, as in the comparison: no other text comes beside the approved one. */
  #withoutRepeated(all: ItemPages): ItemPages {
    const places = new Set<unknown>();
    const items = all.items.filter((item) => {
      const place = this.#kind.placeOf?.(item) ?? this.#kind.nameOf(item);
      return !places.has(place) && places.add(place);
    });
    const count = all.items.length - items.length;
    if (count === 0) return all;
    const { noun } = this.#kind;
    const sentence = count === 1 ? `A ${noun} that is listed twice.` : `${count} ${noun}s that are listed again.`;
    return { ...all, items, leftOut: [...all.leftOut, sentence] };
  }

  /** The listener ends with the session. */
  #follow(session: Session): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    session.onNotification(({ method }) => {
      if (method !== this.#kind.notification) return;
      this.forget(session);
      this.#revisions.set(session, (this.#revisions.get(session) ?? 0) + 1);
    });
  }
}

/** The names of what is held back. */
function blockedOf(open: ReadonlyMap<string, OpenChange>): Set<string> {
  return new Set([...open].filter(([, { verdict }]) => verdict === 'block').map(([name]) => name));
}

function digestOf(open: ReadonlyMap<string, OpenChange>): string {
  return [...open.values()]
    .map(({ change, verdict }) => `${verdict} ${change.kind} ${'current' in change ? change.current.hash : ''}`)
    .join('\n');
}
