import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import { isRunByEditor, needsApproval } from '../../host/serverView.ts';
import { approveAll, reviewServers } from './approvals.ts';

/** Set while the editor's automatic start is off because of us: what the setting was before. */
const PREVIOUS_AUTOSTART = 'previousAutostart';

/** How the editor is told who hosts a server that both have. */
export interface EditorSwitch {
  /** An older editor has no such switch. */
  readonly canSwitch: boolean;
  replaceEditorCopies(): Promise<void>;
  restoreEditorCopies(): Promise<void>;
}

/** The question who hosts, and what follows from each answer. */
export class WhoHostsDialog {
  readonly #host: Host;
  readonly #editor: EditorSwitch;
  readonly #globalState: vscode.Memento;

  constructor(host: Host, editor: EditorSwitch, globalState: vscode.Memento) {
    this.#host = host;
    this.#editor = editor;
    this.#globalState = globalState;
  }

  /** Asks who hosts; also the command *Choose Who Hosts…*. */
  async choose(): Promise<void> {
    const { t } = vscode.l10n;
    const host = t('Host with Switchboard');
    const review = t('Review…');
    const leave = t('Leave to the editor');
    const count = this.#host.views.filter(isRunByEditor).length + this.#host.views.filter(needsApproval).length;
    const message =
      count === 0
        ? t('Who should host the MCP servers of this workspace?')
        : count === 1
          ? t('This workspace defines 1 MCP server. Should MCP Switchboard host it? Nothing runs until you say so.')
          : t(
              'This workspace defines {0} MCP servers. Should MCP Switchboard host them? Nothing runs until you say so.',
              count,
            );
    switch (await vscode.window.showInformationMessage(message, host, review, leave)) {
      case host:
        return this.hostWithSwitchboard();
      case review:
        await this.#takeOver();
        return reviewServers(this.#host);
      case leave:
        return this.leaveToEditor();
      case undefined:
        return undefined;
    }
  }

  /** Approves all that waits, after the list of what will run, and keeps the editor from starting the same servers. */
  async hostWithSwitchboard(): Promise<void> {
    const { hosting } = this.#host.servers;
    const shared = this.#host.views.filter(isRunByEditor).length > 0;
    const note = shared ? this.#note() : undefined;
    await this.#host.servers.setHosting('switchboard');
    const agreed = await approveAll(this.#host, this.#host.views.filter(needsApproval), note);
    if (agreed && shared) await this.#switchOver();
    if (!agreed) await this.#host.servers.setHosting(hosting);
  }

  /** The editor hosts what it would start; ours of the same definitions stay disabled. */
  async leaveToEditor(): Promise<void> {
    await this.#host.servers.setHosting('editor');
    await this.#editor.restoreEditorCopies();
    const previous = this.#globalState.get<{ readonly value: unknown }>(PREVIOUS_AUTOSTART);
    if (!previous) return;
    await vscode.workspace
      .getConfiguration('chat.mcp')
      .update('autostart', previous.value, vscode.ConfigurationTarget.Global);
    await this.#globalState.update(PREVIOUS_AUTOSTART, undefined);
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
          'So that each server runs once, the editor’s own copy of it is turned off in this workspace (MCP: List Servers shows it). “Leave to the editor” undoes that.',
        )
      : t(
          'So that each server runs once, the editor’s own automatic start of MCP servers (chat.mcp.autostart) is set to “never” in your user settings. “Leave to the editor” undoes that.',
        );
  }

  async #switchOver(): Promise<void> {
    await (this.#editor.canSwitch ? this.#editor.replaceEditorCopies() : this.#stopEditorStart());
  }

  /** Turns the editor's automatic start off, where it would start a server that is hosted here. */
  async #stopEditorStart(): Promise<void> {
    const settings = vscode.workspace.getConfiguration('chat.mcp');
    if (settings.get('autostart') === 'never') return;
    await this.#globalState.update(PREVIOUS_AUTOSTART, { value: settings.inspect('autostart')?.globalValue });
    await settings.update('autostart', 'never', vscode.ConfigurationTarget.Global);
    // The editor goes on offering what it cached of servers that it ran before.
    await Promise.allSettled([vscode.commands.executeCommand('workbench.mcp.resetCachedTools')]);
  }
}
