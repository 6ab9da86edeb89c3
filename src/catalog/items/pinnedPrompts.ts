// Loaded before the first server is.
import type { Clock } from '../../base/clock.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { inSlices } from '../../base/timeSlices.ts';
import type { McpTool, Session } from '../../connection/connectionTypes.ts';
import type { PinningMode } from '../pinningModes.ts';
import type { OpenChange, PinStore } from '../toolPins.ts';
import { pages, type ItemPages } from './listServerItems.ts';

export interface PinnedPromptsPorts {
  readonly clock: Clock;
  /** What was approved of the prompts. */
  readonly pins: PinStore;
  fingerprintOf(serverId: string): string | undefined;
  pinning(): PinningMode;
}

/** What a server listed last. */
interface Listed {
  readonly fingerprint: string;
  readonly mode: PinningMode;
  /** The prompts in the form of tools: what is pinned. */
  readonly pinned: readonly McpTool[];
  readonly open: ReadonlyMap<string, OpenChange>;
  /** What clients were told of: prompts that are held back, or were until the server listed them as approved again. */
  readonly toldOf: ReadonlySet<string>;
}

const NO_CHANGES: ReadonlyMap<string, OpenChange> = new Map();
const NOTHING_TOLD: ReadonlySet<string> = new Set();

/**
 * Prompts are pinned as tools are: the first list after a server was approved is what is approved of it. A changed prompt asks
 * before a model gets it, or is neither listed nor given (`block`), until the user has reviewed the change. Every list of
 * prompts comes from here.
 */
export class PinnedPrompts {
  readonly #ports: PinnedPromptsPorts;
  readonly #listed = new Map<string, Listed>();
  /** Until when what each session listed counts. */
  readonly #freshUntil = new WeakMap<Session, number>();
  readonly #followed = new WeakSet<Session>();
  /** How often each session has said that its prompts changed. */
  readonly #revisions = new WeakMap<Session, number>();
  readonly #changed = new Emitter<string>();
  readonly #offered = new Emitter<string>();

  constructor(ports: PinnedPromptsPorts) {
    this.#ports = ports;
  }

  /** Fires with a server's id when other prompts of it are held back, or wait for a review. */
  get onDidChange(): Event<string> {
    return this.#changed.event;
  }

  /**
   * Fires with a server's id when a list that a client has may be out of date: a prompt is held back, or a held back one may be
   * listed after a review. A list that only gives prompts another text doesn't fire it, or a client that lists again each time
   * it is told would never come to an end.
   */
  get onDidChangeOffered(): Event<string> {
    return this.#offered.event;
  }

  /** The names of the prompts that are pinned of a server. */
  pinnedOf(serverId: string): readonly string[] {
    const fingerprint = this.#ports.fingerprintOf(serverId);
    return fingerprint === undefined ? [] : this.#ports.pins.pinnedOf(serverId, fingerprint);
  }

  /**
   * All pages of a server's prompts, but for those that wait for a review before they may be listed; of these it is said.
   * @throws SwitchboardError as `Session.request` does
   */
  async list(serverId: string, session: Session, signal?: AbortSignal): Promise<ItemPages> {
    const { pins } = this.#ports;
    const fingerprint = this.#ports.fingerprintOf(serverId);
    this.#follow(session);
    const askedAt = this.#ports.clock.now();
    const revision = this.#revisions.get(session);
    const all = withoutRepeated(await pages(session, 'prompts/list', 'prompts', signal));
    const pinned = all.items.flatMap((item) => asTool(item) ?? []);
    await inSlices(pins.prepare(pinned));
    // Of another definition, which is being started anew, nobody knows what was approved.
    if (fingerprint === undefined || this.#ports.fingerprintOf(serverId) !== fingerprint) return { ...all, items: [] };
    // A list that was overtaken by a change may be half old.
    if (this.#revisions.get(session) === revision) this.#freshUntil.set(session, askedAt + all.freshForMs);
    const blocked = blockedOf(this.#examine(serverId, fingerprint, pinned, 'listed'));
    if (blocked.size === 0) return all;
    return {
      ...all,
      items: all.items.filter(({ name }) => typeof name !== 'string' || !blocked.has(name)),
      leftOut: [
        ...all.leftOut,
        ...[...blocked].map((name) => `Prompt ${name}: it changed since the user approved it.`),
      ],
    };
  }

  /**
   * Whether a prompt may be given to a model as it is now. One that was approved and that the server doesn't list now, or
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
    const isCompared = isListed && this.#listed.get(serverId)?.pinned.some((prompt) => prompt.name === name);
    return isCompared ? 'ok' : this.#verdictOfUnlisted(serverId, name);
  }

  #verdictOfUnlisted(serverId: string, name: string): 'ok' | 'warn' {
    const fingerprint = this.#ports.fingerprintOf(serverId);
    // What was never listed, nobody was shown.
    if (fingerprint === undefined || !this.#ports.pins.has(serverId, fingerprint, name)) return 'ok';
    if (this.#ports.pinning() === 'warn') return 'warn';
    throw new SwitchboardError(
      'denied',
      `The server doesn't list the prompt ${name} now, so nobody can tell whether it is as the user approved it. It was not fetched.`,
      { remedy: 'Try again later, or continue without this prompt.' },
    );
  }

  /** What of a server's prompts, as it listed them last, changed since they were approved, by name. */
  changesOf(serverId: string): ReadonlyMap<string, OpenChange> {
    const listed = this.#listed.get(serverId);
    if (!listed) return NO_CHANGES;
    const { fingerprint, mode, pinned, open } = listed;
    if (fingerprint !== this.#ports.fingerprintOf(serverId)) return NO_CHANGES;
    return mode === this.#ports.pinning() ? open : this.#examine(serverId, fingerprint, pinned, 'decided');
  }

  /** Takes a prompt as it was listed last for approved. */
  accept(serverId: string, name: string): void {
    const { fingerprint, pinned } = this.#listed.get(serverId) ?? {};
    if (fingerprint === undefined || !pinned || fingerprint !== this.#ports.fingerprintOf(serverId)) return;
    const accepted = pinned.find((prompt) => prompt.name === name);
    if (!accepted) return;
    this.#ports.pins.accept(serverId, fingerprint, [accepted]);
    this.#examine(serverId, fingerprint, pinned, 'decided');
  }

  /** @param cause the server listed its prompts, or the user decided otherwise on what it listed before */
  #examine(
    serverId: string,
    fingerprint: string,
    pinned: readonly McpTool[],
    cause: 'listed' | 'decided',
  ): Listed['open'] {
    const mode = this.#ports.pinning();
    const known = this.#listed.get(serverId);
    const before = known?.open ?? NO_CHANGES;
    const now = this.#ports.pins.examine(serverId, fingerprint, pinned, mode);
    const isOther = digestOf(now) !== digestOf(before);
    // A change that is under review stays the same object.
    const open = isOther ? now : before;
    const blocked = blockedOf(open);
    // A server can list a prompt as approved and changed by turns: that is told once, until a review.
    const told = known?.fingerprint === fingerprint ? known.toldOf : NOTHING_TOLD;
    const toldOf = cause === 'listed' && known?.mode === mode ? new Set([...told, ...blocked]) : blocked;
    this.#listed.set(serverId, { fingerprint, mode, pinned, open, toldOf });
    if (isOther) this.#changed.fire(serverId);
    if (toldOf.size !== told.size || [...toldOf].some((name) => !told.has(name))) this.#offered.fire(serverId);
    return open;
  }

  /** The listener ends with the session. */
  #follow(session: Session): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    session.onNotification(({ method }) => {
      if (method !== 'notifications/prompts/list_changed') return;
      this.#freshUntil.delete(session);
      this.#revisions.set(session, (this.#revisions.get(session) ?? 0) + 1);
    });
  }
}

/** The names of the prompts that are held back. */
function blockedOf(open: ReadonlyMap<string, OpenChange>): Set<string> {
  return new Set([...open].filter(([, { verdict }]) => verdict === 'block').map(([name]) => name));
}

function digestOf(open: ReadonlyMap<string, OpenChange>): string {
  return [...open.values()]
    .map(({ change, verdict }) => `${verdict} ${change.kind} ${'current' in change ? change.current.hash : ''}`)
    .join('\n');
}

/** Of several prompts of one name the first counts, as in the comparison: no other text comes beside the approved one. */
function withoutRepeated(all: ItemPages): ItemPages {
  const names = new Set<unknown>();
  const items = all.items.filter(({ name }) => !names.has(name) && names.add(name));
  const count = all.items.length - items.length;
  if (count === 0) return all;
  const sentence = count === 1 ? 'A prompt that is listed twice.' : `${count} prompts that are listed again.`;
  return { ...all, items, leftOut: [...all.leftOut, sentence] };
}

/** A prompt with all that is shown of it, for people or models. */
function asTool({ name, title, description, arguments: values }: ItemPages['items'][number]): McpTool | undefined {
  if (typeof name !== 'string') return undefined;
  return {
    name,
    ...(typeof title === 'string' ? { title } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    inputSchema: { arguments: (values ?? []) as JsonValue },
    annotations: {},
  };
}
