import { Debouncer, deferred, type Deferred } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { isRecord } from '../../../base/json/json.ts';
import type { KeyValueStore } from '../../../base/keyValueStore.ts';
import type { Logger } from '../../../base/log.ts';
import {
  initialState,
  isReplaced,
  transition,
  type HandOverEffect,
  type HandOverEvent,
  type HandOverState,
  type Job,
  type SharedServer,
} from './handOverState.ts';
import { enableInEditor, startInEditor, stopInEditor } from './serverOptions.ts';

/** The key was in use before the words were. */
const REPLACED = 'takenFromEditor';
const COPIES = 'takenFromEditor.copies';
/** How long after the last of ours was started the rest of them count as left out, in milliseconds. */
const STARTS_SETTLE_MS = 3_000;

export interface EditorHandOverPorts {
  readonly extensionId: string;
  /** Of this workspace. */
  readonly store: KeyValueStore;
  readonly clock: Clock;
  readonly log: Logger;
  /** What the editor would run beside this extension, or though it is off here. */
  readonly shared: () => readonly SharedServer[];
  readonly editorIds: (serverId: string) => readonly string[];
  /** As it is configured. */
  readonly nameOf: (serverId: string) => string;
  /** Whether the editor starts nothing by itself, so that it is told to start ours. */
  readonly startsNone: () => boolean;
}

/** Hands servers over between the editor and this extension: the effects of `transition`, one after another. */
export class EditorHandOver implements Disposable {
  readonly #ports: EditorHandOverPorts;
  readonly #startsSettled: Debouncer;
  #state: HandOverState;
  #idle: Deferred<void> | undefined;

  constructor(ports: EditorHandOverPorts) {
    this.#ports = ports;
    this.#state = initialState(savedIds(ports.store.get(REPLACED)), savedCopies(ports.store.get(COPIES)));
    const settle = (): void => this.#dispatch({ kind: 'startsSettled', shared: ports.shared() });
    this.#startsSettled = new Debouncer(STARTS_SETTLE_MS, ports.clock, settle);
  }

  /** Replaces the editor's copies of servers that weren't replaced before. */
  published(): void {
    this.#dispatch({ kind: 'published', shared: this.#ports.shared() });
  }

  /** The editor has started one of ours. */
  started(label: string): void {
    this.#dispatch({ kind: 'started', label });
  }

  /** Whether the editor's copies are known to be off, here or in an earlier session. */
  isDone(server: SharedServer): boolean {
    const { unseen, started } = this.#state;
    const isUnseen = unseen.some((each) => each.serverId === server.serverId) && !started.includes(server.label);
    return isReplaced(this.#state, server) && !isUnseen;
  }

  /** Replaces the editor's copies, also where the user enabled them again. */
  replaceEditorCopies(): Promise<void> {
    this.#dispatch({ kind: 'replaceAgain', shared: this.#ports.shared() });
    return this.#whenIdle();
  }

  /** Enables the editor's copies again that were replaced: of those of one name the first, as the editor has it. */
  restoreEditorCopies(): Promise<void> {
    const names = new Set<string>();
    const first = this.#state.replaced.filter((id) => {
      const name = this.#ports.nameOf(id).toLowerCase();
      return !names.has(name) && names.add(name);
    });
    const editorIds = new Map(first.map((id) => [id, this.#ports.editorIds(id)]));
    this.#dispatch({ kind: 'restore', editorIds });
    return this.#whenIdle();
  }

  #dispatch(event: HandOverEvent): void {
    const { state, effects } = transition(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#perform(effect);
    if (state.jobs.length > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  #perform(effect: HandOverEffect): void {
    switch (effect.kind) {
      case 'run':
        void this.#run(effect)
          .catch(() => false)
          .then((isKnown) => {
            this.#ports.log.log('info', whatEnded(effect.job, this.#ports.nameOf, isKnown));
            this.#dispatch({ kind: 'jobEnded', isKnown });
          });
        return;
      case 'save': {
        const copies = Object.entries(effect.copies).filter(([id]) => effect.replaced.includes(id));
        void this.#ports.store.set(REPLACED, effect.replaced.length > 0 ? effect.replaced : undefined);
        void this.#ports.store.set(COPIES, copies.length > 0 ? Object.fromEntries(copies) : undefined);
        return;
      }
      case 'awaitStarts':
        this.#startsSettled.trigger();
        return;
    }
  }

  /** @returns whether the editor knew the server */
  async #run({ job, isEnabled }: Extract<HandOverEffect, { kind: 'run' }>): Promise<boolean> {
    const { extensionId, clock, startsNone } = this.#ports;
    if (job.kind === 'restore') {
      const enabled = await firstEnabled(job.editorIds, clock);
      // One that was stopped while it started counts as failed there, or as known, and the editor starts neither by itself.
      if (enabled !== undefined && !startsNone()) void startInEditor([enabled], false);
      return enabled !== undefined;
    }
    const { label, editorIds } = job.server;
    const ownId = `${extensionId}/${label}`;
    if (!isEnabled) {
      if (!(await enableInEditor(ownId, clock))) return false;
      if (startsNone()) void startInEditor([ownId]);
    }
    // Only now: a message that was sent before may have had the editor start it at any time.
    for (const id of editorIds) await stopInEditor(id);
    return true;
  }

  #whenIdle(): Promise<void> {
    if (this.#state.jobs.length === 0) return Promise.resolve();
    this.#idle ??= deferred();
    return this.#idle.promise;
  }

  dispose(): void {
    this.#startsSettled.dispose();
  }
}

/** @returns the first of the editor's copies that it knew, which is enabled now */
async function firstEnabled(ids: readonly string[], clock: Clock): Promise<string | undefined> {
  for (const id of ids) if (await enableInEditor(id, clock)) return id;
  return undefined;
}

function whatEnded(job: Job, nameOf: (serverId: string) => string, isKnown: boolean): string {
  const copy = `VS Code’s own copy of “${nameOf(job.kind === 'restore' ? job.serverId : job.server.serverId)}”`;
  if (job.kind === 'restore')
    return isKnown ? `${copy} is enabled again.` : `${copy} wasn’t enabled again: VS Code doesn’t list it any more.`;
  return isKnown
    ? `${copy} is disabled in this workspace: MCP Switchboard is the MCP host.`
    : `${copy} wasn’t disabled: VS Code doesn’t list “${job.server.label}” of MCP Switchboard yet.`;
}

function savedIds(saved: unknown): readonly string[] {
  return Array.isArray(saved) ? saved.filter((id) => typeof id === 'string') : [];
}

function savedCopies(saved: unknown): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(isRecord(saved) ? saved : {}).map(([id, ids]) => [id, savedIds(ids)]));
}
