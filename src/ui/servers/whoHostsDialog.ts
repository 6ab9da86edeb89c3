import * as vscode from 'vscode';
import { EditorAutostart } from '../../bridge/gateway/editor/editorAutostart.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { Host } from '../../host/host.ts';
import { isRunByEditor, needsApproval } from '../../host/views/serverView.ts';
import { approveAll, reviewServers } from './approvals.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

/** Turns the editor's own copies of the servers off and on again. */
export interface EditorSwitch {
  /** Not in an older editor. */
  readonly canSwitch: boolean;
  replaceEditorCopies(): Promise<void>;
  restoreEditorCopies(): Promise<void>;
}

/** The question which MCP host runs the servers, and what follows from each answer. */
export class WhoHostsDialog {
  readonly #host: Host;
  readonly #editor: EditorSwitch;
  readonly #autostart: EditorAutostart;

  constructor(host: Host, editor: EditorSwitch, profileStore: KeyValueStore) {
    this.#host = host;
    this.#editor = editor;
    this.#autostart = new EditorAutostart(profileStore);
  }

  /** *Choose MCP Host…* */
  async choose(): Promise<void> {
    const { t } = vscode.l10n;
    const use = t('Use Switchboard…');
    const review = t('Review…');
    const leave = t('Use VS Code');
    const count = this.#host.views.filter(isRunByEditor).length + this.#host.views.filter(needsApproval).length;
    const message =
      count === 0
        ? t('Choose what runs the MCP servers of this workspace.')
        : count === 1
          ? t('This workspace defines 1 MCP server. Run it with MCP Switchboard? It starts nothing until you approve.')
          : t(
              'This workspace defines {0} MCP servers. Run them with MCP Switchboard? It starts nothing until you approve.',
              count,
            );
    switch (await notify('information', message, use, review, leave)) {
      case use:
        return this.useSwitchboard();
      case review:
        await this.#takeOver();
        return reviewServers(this.#host);
      case leave:
        return this.useEditor();
      case undefined:
        return undefined;
    }
  }

  /** Approves all waiting servers, once the user has seen what will run, and turns the editor's own copies off. */
  async useSwitchboard(): Promise<void> {
    const { hosting } = this.#host.servers;
    const shared = this.#host.views.filter(isRunByEditor).length > 0;
    const note = shared ? this.#note() : undefined;
    await this.#host.servers.setHosting('switchboard');
    const agreed = await approveAll(this.#host, this.#host.views.filter(needsApproval), note);
    if (agreed && shared) await this.#switchOver();
    if (!agreed) await this.#host.servers.setHosting(hosting);
  }

  /** The editor runs what it would start; our servers of the same definitions stay disabled. */
  async useEditor(): Promise<void> {
    await this.#host.servers.setHosting('editor');
    // The editor starts its copies at once, and a server may hold a lock or a port.
    await this.#host.pool.removedStopped();
    if (this.#host.servers.hosting !== 'editor') return;
    await this.#editor.restoreEditorCopies();
    await this.#autostart.restore();
  }

  async #takeOver(): Promise<void> {
    const shared = this.#host.views.filter(isRunByEditor).length > 0;
    await this.#host.servers.setHosting('switchboard');
    if (shared) await this.#switchOver();
  }

  #note(): string {
    const { t } = vscode.l10n;
    return this.#editor.canSwitch
      ? t(
          'VS Code’s own copy of each server is disabled in this workspace, so that each server runs once. To undo this, choose Use VS Code.',
        )
      : t(
          'VS Code’s automatic start of MCP servers (chat.mcp.autostart) is set to “never” in your user settings, so that each server runs once. To undo this, choose Use VS Code.',
        );
  }

  async #switchOver(): Promise<void> {
    await (this.#editor.canSwitch ? this.#editor.replaceEditorCopies() : this.#autostart.turnOff());
  }
}
