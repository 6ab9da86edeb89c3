import * as vscode from 'vscode';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { Host } from '../../host/host.ts';
import { isSharedWithEditor, needsApproval } from '../../host/views/serverView.ts';
import type { EditorSwitch, WhoHostsDialog } from './whoHostsDialog.ts';

/**
 * One question for a new workspace: which MCP host runs the servers that the editor would start too, and which servers may
 * run. Asked once per window; *Review Servers…* and *Choose MCP Host…* ask the same later.
 */
export class WhoHosts {
  readonly #host: Host;
  readonly #editor: EditorSwitch;
  readonly #profileStore: KeyValueStore;
  #asked = false;

  constructor(host: Host, editor: EditorSwitch, profileStore: KeyValueStore) {
    this.#host = host;
    this.#editor = editor;
    this.#profileStore = profileStore;
  }

  /** Shows the notification if there is anything to ask and this window hasn't shown it yet. */
  async askOnce(): Promise<void> {
    if (!this.#hasToAsk()) return;
    // Who is adding a server is about to approve it.
    const { ownInputs } = await import('../../bridge/dialogs/ownInputs.ts');
    await ownInputs.whileNoneIsShown(async () => {});
    if (!this.#hasToAsk()) return;
    this.#asked = true;
    await (await this.dialog()).offer();
  }

  #hasToAsk(): boolean {
    if (this.#asked || !vscode.workspace.isTrusted || this.#host.servers.hosting === 'editor') return false;
    return this.#host.views.some((view) => needsApproval(view) || isSharedWithEditor(view));
  }

  /** The questions, and what follows from each answer. */
  async dialog(): Promise<WhoHostsDialog> {
    const { WhoHostsDialog: Dialog } = await import('./whoHostsDialog.ts');
    return new Dialog(this.#host, this.#editor, this.#profileStore);
  }
}
