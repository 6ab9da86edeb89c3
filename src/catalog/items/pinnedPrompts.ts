// Loaded before the first server is.
import type { Clock } from '../../base/clock.ts';
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
}

const NO_CHANGES: ReadonlyMap<string, OpenChange> = new Map();

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
  readonly #changed = new Emitter<string>();

  constructor(ports: PinnedPromptsPorts) {
    this.#ports = ports;
  }

  /** Fires with a server's id when other prompts of it are held back, or wait for a review. */
  get onDidChange(): Event<string> {
    return this.#changed.event;
  }

  /**
   * All pages of a server's prompts, but for those that wait for a review before they may be listed; of these it is said.
   * @throws SwitchboardError as `Session.request` does
   */
  async list(serverId: string, session: Session): Promise<ItemPages> {
    const { pins } = this.#ports;
    const fingerprint = this.#ports.fingerprintOf(serverId);
    this.#follow(session);
    const askedAt = this.#ports.clock.now();
    const all = await pages(session, 'prompts/list', 'prompts');
    const pinned = all.items.flatMap((item) => asTool(item) ?? []);
    await inSlices(pins.prepare(pinned));
    if (fingerprint === undefined || this.#ports.fingerprintOf(serverId) !== fingerprint) return all;
    this.#freshUntil.set(session, askedAt + all.freshForMs);
    const open = this.#examine(serverId, fingerprint, pinned);
    const isBlocked = (name: unknown): boolean => typeof name === 'string' && open.get(name)?.verdict === 'block';
    const blocked = [...open.keys()].filter(isBlocked);
    if (blocked.length === 0) return all;
    return {
      ...all,
      items: all.items.filter(({ name }) => !isBlocked(name)),
      leftOut: [...all.leftOut, ...blocked.map((name) => `Prompt ${name}: it changed since the user approved it.`)],
    };
  }

  /** Whether a prompt may be given to a model as it is now. */
  async verdictOf(serverId: string, session: Session, name: string): Promise<'ok' | OpenChange['verdict']> {
    const isKnown = this.#ports.clock.now() < (this.#freshUntil.get(session) ?? 0);
    // What isn't listed, nobody was shown.
    if (!isKnown) await this.list(serverId, session).catch(() => undefined);
    return this.changesOf(serverId).get(name)?.verdict ?? 'ok';
  }

  /** What of a server's prompts, as it listed them last, changed since they were approved, by name. */
  changesOf(serverId: string): ReadonlyMap<string, OpenChange> {
    const listed = this.#listed.get(serverId);
    if (!listed) return NO_CHANGES;
    const { fingerprint, mode, pinned, open } = listed;
    if (fingerprint !== this.#ports.fingerprintOf(serverId)) return NO_CHANGES;
    return mode === this.#ports.pinning() ? open : this.#examine(serverId, fingerprint, pinned);
  }

  /** Takes a prompt as it was listed last for approved. */
  accept(serverId: string, name: string): void {
    const { fingerprint, pinned } = this.#listed.get(serverId) ?? {};
    if (fingerprint === undefined || !pinned || fingerprint !== this.#ports.fingerprintOf(serverId)) return;
    const accepted = pinned.find((prompt) => prompt.name === name);
    if (!accepted) return;
    this.#ports.pins.accept(serverId, fingerprint, [accepted]);
    this.#examine(serverId, fingerprint, pinned);
  }

  #examine(serverId: string, fingerprint: string, pinned: readonly McpTool[]): Listed['open'] {
    const mode = this.#ports.pinning();
    const before = this.#listed.get(serverId)?.open ?? NO_CHANGES;
    const now = this.#ports.pins.examine(serverId, fingerprint, pinned, mode);
    const isOther = digestOf(now) !== digestOf(before);
    // A change that is under review stays the same object.
    const open = isOther ? now : before;
    this.#listed.set(serverId, { fingerprint, mode, pinned, open });
    if (isOther) this.#changed.fire(serverId);
    return open;
  }

  /** The listener ends with the session. */
  #follow(session: Session): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    session.onNotification(({ method }) => {
      if (method === 'notifications/prompts/list_changed') this.#freshUntil.delete(session);
    });
  }
}

function digestOf(open: ReadonlyMap<string, OpenChange>): string {
  return [...open.values()]
    .map(({ change, verdict }) => `${verdict} ${change.kind} ${'current' in change ? change.current.hash : ''}`)
    .join('\n');
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
