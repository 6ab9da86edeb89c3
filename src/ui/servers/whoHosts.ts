import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import { isRunByEditor, needsApproval } from '../../host/serverView.ts';
import type { EditorSwitch } from './whoHostsDialog.ts';

/**
 * The newcomer's two questions in one: who hosts the servers that the editor would start, too, and what of the
 * workspace's servers may run. Asked once per workspace; *Review…* and *Choose Who Hosts…* reach the same later.
 */
export class WhoHosts {
  readonly #host: Host;
  readonly #editor: EditorSwitch;
  readonly #globalState: vscode.Memento;
  #asked = false;

  constructor(host: Host, editor: EditorSwitch, globalState: vscode.Memento) {
    this.#host = host;
    this.#editor = editor;
    this.#globalState = globalState;
  }

  /** Shows the one notification, if there is anything to ask and it wasn't asked in this window yet. */
  async askOnce(): Promise<void> {
    if (this.#asked || !vscode.workspace.isTrusted || this.#host.servers.hosting === 'editor') return;
    if (this.#host.views.filter(needsApproval).length + this.#host.views.filter(isRunByEditor).length === 0) return;
    this.#asked = true;
    await this.choose();
  }

  /** Asks who hosts; also the command *Choose Who Hosts…*. */
  async choose(): Promise<void> {
    const { WhoHostsDialog } = await import('./whoHostsDialog.ts');
    await new WhoHostsDialog(this.#host, this.#editor, this.#globalState).choose();
  }
}
