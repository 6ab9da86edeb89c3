import * as vscode from 'vscode';
import { delay, Sequencer } from '../../../base/async.ts';
import type { Clock } from '../../../base/clock.ts';
import type { KeyValueStore } from '../../../base/store.ts';

/** When a server is looked for that the editor doesn't know of yet, each from the one before, in milliseconds. */
const LOOK_AGAIN_MS = [200, 300, 1_000, 3_000] as const;
/** What the editor may take to open or to close its list of options, in milliseconds. */
const PICK_MS = 500;

/**
 * Turns on one of several servers of the same label in the editor, which turns the others off (in this workspace, tried
 * in VS Code 1.139). There is no command for that: the editor's own *Server Options* are opened, where *Enable Server
 * (Workspace)* comes first, and that is taken.
 * @param definitionId as the editor has it
 * @returns whether the editor knew of it
 */
export async function enableInEditor(definitionId: string, clock: Clock): Promise<boolean> {
  for (const delayMs of LOOK_AGAIN_MS) {
    await delay(delayMs, clock);
    let isOpen = true;
    const options = Promise.resolve(vscode.commands.executeCommand('workbench.mcp.serverOptions', definitionId));
    const closed = options.then(
      () => (isOpen = false),
      () => (isOpen = false),
    );
    await Promise.race([closed, delay(PICK_MS, clock)]);
    // Nothing was shown: the editor has no such server, or not yet.
    if (!isOpen) continue;
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await Promise.race([closed, delay(PICK_MS, clock)]);
    if (isOpen) await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    return true;
  }
  return false;
}

/** Stops a server of the editor's own; one that isn't there or doesn't run is nothing. */
export async function stopInEditor(definitionId: string): Promise<void> {
  await Promise.allSettled([vscode.commands.executeCommand('workbench.mcp.stopServer', definitionId)]);
}

/** A server that both of us have. */
export interface SharedServer {
  readonly serverId: string;
  /** As it is published to the editor. */
  readonly label: string;
  /** What the editor calls its own. */
  readonly editorIds: readonly string[];
  /** Ours is on already: what comes first in its options then is *Start* or *Stop*. */
  readonly isOn: boolean;
}

const TAKEN = 'takenFromEditor';

/** Who of two hosts a server that both have: kept per workspace, as the editor keeps it. */
export class HandOver {
  readonly #extensionId: string;
  readonly #store: KeyValueStore;
  readonly #clock: Clock;
  readonly #turns = new Sequencer();

  constructor(extensionId: string, store: KeyValueStore, clock: Clock) {
    this.#extensionId = extensionId;
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Turns ours on, of those that weren't taken before, and stops the editor's own.
   * @returns the ids of those that were turned on now: whether they are, the editor doesn't say
   */
  take(servers: readonly SharedServer[]): Promise<readonly string[]> {
    return this.#turns.run(async () => {
      const turnedOn: string[] = [];
      for (const { serverId, label, editorIds, isOn } of servers) {
        if (this.#taken.includes(serverId)) continue;
        if (!isOn && !(await enableInEditor(`${this.#extensionId}/${label}`, this.#clock))) continue;
        // Only now: a message sent before may have had the editor start it at any time.
        for (const id of editorIds) await stopInEditor(id);
        await this.#store.set(TAKEN, [...this.#taken, serverId]);
        if (!isOn) turnedOn.push(serverId);
      }
      return turnedOn;
    });
  }

  /** Turns the editor's own on again, of those that were taken. */
  giveBack(editorIdsOf: (serverId: string) => readonly string[]): Promise<void> {
    return this.#turns.run(async () => {
      const taken = this.#taken;
      await this.#store.set(TAKEN, undefined);
      for (const serverId of taken) {
        for (const id of editorIdsOf(serverId)) if (await enableInEditor(id, this.#clock)) break;
      }
    });
  }

  /** What was taken, or these of it, is to be taken again: the person or the editor may have changed it. */
  async forget(serverIds: readonly string[] = this.#taken): Promise<void> {
    const left = this.#taken.filter((id) => !serverIds.includes(id));
    await this.#store.set(TAKEN, left.length > 0 ? left : undefined);
  }

  get #taken(): readonly string[] {
    const taken = this.#store.get(TAKEN);
    return Array.isArray(taken) ? taken.filter((id) => typeof id === 'string') : [];
  }
}
