import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import type { HostingSwitch } from './whoHostsDialog.ts';
import { editorHosted, waitingForApproval } from './waiting.ts';

/**
 * The newcomer's two questions in one: who hosts the servers that the editor would start, too, and what of the
 * workspace's servers may run. Asked once per workspace; *Review…* and *Choose Who Hosts…* reach the same later.
 */
export class Hosting {
  readonly #host: Host;
  readonly #gateway: HostingSwitch;
  readonly #globalState: vscode.Memento;
  #asked = false;

  constructor(host: Host, gateway: HostingSwitch, globalState: vscode.Memento) {
    this.#host = host;
    this.#gateway = gateway;
    this.#globalState = globalState;
  }

  /** Shows the one notification, if there is anything to ask and it wasn't asked in this window yet. */
  async askOnce(): Promise<void> {
    if (this.#asked || !vscode.workspace.isTrusted || this.#host.servers.hosting === 'editor') return;
    if (waitingForApproval(this.#host).length + editorHosted(this.#host).length === 0) return;
    this.#asked = true;
    await this.choose();
  }

  /** Asks who hosts; also the command *Choose Who Hosts…*. */
  async choose(): Promise<void> {
    const { HostingDialog } = await import('./whoHostsDialog.ts');
    await new HostingDialog(this.#host, this.#gateway, this.#globalState).choose();
  }
}
