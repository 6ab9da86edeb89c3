import * as vscode from 'vscode';
import { canDisableCopies } from '../../bridge/gateway/editor/canDisableCopies.ts';
import { EditorAutostart } from '../../bridge/gateway/editor/editorAutostart.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { Host } from '../../host/host.ts';
import { isLeftToEditor, isSharedWithEditor, type ServerView } from '../../host/views/serverView.ts';
import { waitingForUser } from '../../host/views/waitingForUser.ts';
import { isOwn } from '../../servers/trust/serverStatus.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import { ownValue } from '../../platform/settings/ownSettings.ts';
import { approveAll, reviewServers, waitingServers } from './approvals.ts';
import { bannerContent, bannersOf } from './tree/banners.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

/** Turns the editor's own copies of the servers off and on again. */
export interface EditorSwitch {
  replaceEditorCopies(): Promise<void>;
  restoreEditorCopies(): Promise<void>;
}

/**
 * The question which MCP host runs the servers, and what follows from each answer. Nothing starts, and nothing is another in
 * either host, before the user has approved a server: closing a list, or the window, leaves everything as it was.
 */
export class WhoHostsDialog {
  readonly #host: Host;
  readonly #editor: EditorSwitch;
  readonly #autostart: EditorAutostart;

  constructor(host: Host, editor: EditorSwitch, profileStore: KeyValueStore) {
    this.#host = host;
    this.#editor = editor;
    this.#autostart = new EditorAutostart(profileStore);
  }

  /** The notification, for somebody who did something else. */
  async offer(): Promise<void> {
    const labels = this.#choices().map(({ label }) => label);
    await this.#take(await notify('information', this.#question(), ...labels));
  }

  /** *Choose MCP Host…* */
  async choose(): Promise<void> {
    const { t } = vscode.l10n;
    const picked = await ownInputs.ask(() =>
      vscode.window.showQuickPick(this.#choices(), {
        title: t('Choose MCP Host'),
        placeHolder: t('Choose what runs the MCP servers of this workspace.'),
      }),
    );
    await this.#take(picked?.label);
  }

  #choices(): readonly vscode.QuickPickItem[] {
    const { t } = vscode.l10n;
    const { hosting } = this.#host.servers;
    const isNow = (host: typeof hosting): object => (hosting === host ? { description: t('current') } : {});
    return [
      {
        label: t('Use Switchboard…'),
        detail: t('Shows what would run. Nothing starts until you approve.'),
        ...isNow('switchboard'),
      },
      ...(this.#waiting().length > 0 ? [{ label: t('Review…'), detail: t('Approve servers one by one.') }] : []),
      { label: t('Use VS Code'), detail: t('VS Code starts them by its own rules.'), ...isNow('editor') },
    ];
  }

  async #take(choice: string | undefined): Promise<void> {
    const { t } = vscode.l10n;
    if (choice === t('Use Switchboard…')) await this.useSwitchboard();
    else if (choice === t('Review…')) await this.#reviewHere();
    else if (choice === t('Use VS Code')) await this.useEditor();
  }

  /** Those that the editor has, too, whoever runs them now, and those that need approval. */
  #concerned(): readonly ServerDefinition[] {
    return this.#host.servers
      .ifHostedBy('editor')
      .filter((definition) => isLeftToEditor(definition) || definition.status.kind === 'needs-approval');
  }

  #question(): string {
    const { t } = vscode.l10n;
    const concerned = this.#concerned();
    const count = concerned.length;
    if (concerned.every(({ entry }) => isOwn(entry)))
      return count === 1
        ? t('VS Code has 1 of your MCP servers, too. Run it with MCP Switchboard in this workspace?')
        : t('VS Code has {0} of your MCP servers, too. Run them with MCP Switchboard in this workspace?', count);
    return count === 1
      ? t('This workspace defines 1 MCP server. Run it with MCP Switchboard? It starts nothing until you approve.')
      : t(
          'This workspace defines {0} MCP servers. Run them with MCP Switchboard? It starts nothing until you approve.',
          count,
        );
  }

  /** Approves all waiting servers, once the user has seen what will run, and turns the editor's own copies off. */
  async useSwitchboard(): Promise<void> {
    const shared = this.#host.views.filter(isSharedWithEditor);
    const approved = await approveAll(this.#host, this.#waiting(), shared.length > 0 ? this.#note() : undefined);
    if (approved) await this.#takeOver();
    else this.#sayWhereItWaits();
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

  /** *Review Servers…*: also those that the editor has, as long as nothing is chosen. Who approves one of them has chosen. */
  async review(): Promise<void> {
    const { servers } = this.#host;
    const waiting = (): readonly ServerDefinition[] =>
      servers.hosting === 'editor' ? waitingServers(servers.definitions) : this.#waiting();
    if (waiting().length > 0) {
      await reviewServers(this.#host, {
        waiting,
        noteOn: (some) => this.#noteOn(some),
        approved: async (ids) => {
          if (this.#sharedOf(ids).length > 0) await this.#takeOver();
        },
      });
    } else if (waitingForUser(this.#host).hosting > 0) await this.choose();
    else this.#sayWhyNone();
  }

  /** Nothing can be approved: because the workspace isn't trusted, or nothing has to be. */
  #sayWhyNone(): void {
    const { t } = vscode.l10n;
    const untrusted = bannersOf(this.#host).get('untrusted');
    if (untrusted === undefined) return void notify('information', t('No servers need approval.'));
    const { sentence } = bannerContent('untrusted', untrusted);
    const manage = t('Manage Trust…');
    void notify('information', sentence, manage).then((button) => {
      if (button === manage) void vscode.commands.executeCommand('workbench.trust.manage');
    });
  }

  /** *Review…*: the servers as they would be here; the first that is approved is the choice. */
  async #reviewHere(): Promise<void> {
    const isApproved = await reviewServers(this.#host, {
      waiting: () => this.#waiting(),
      noteOn: (some) => this.#noteOn(some),
      approved: () => this.#takeOver(),
    });
    if (!isApproved) this.#sayWhereItWaits();
  }

  /** The servers that need approval, or would if they were hosted here. */
  #waiting(): readonly ServerDefinition[] {
    return waitingServers(this.#host.servers.ifHostedBy('switchboard'));
  }

  #sharedOf(ids: readonly string[]): readonly ServerView[] {
    return this.#host.views.filter((view) => ids.includes(view.definition.id) && isSharedWithEditor(view));
  }

  #noteOn(servers: readonly ServerDefinition[]): string | undefined {
    return this.#sharedOf(servers.map(({ id }) => id)).length > 0 ? this.#note() : undefined;
  }

  #note(): string {
    const { t } = vscode.l10n;
    return this.#disablesCopies
      ? t(
          'VS Code’s own copy of each server will be disabled in this workspace, so that each server runs once. To undo this, choose Use VS Code.',
        )
      : t(
          'VS Code’s automatic start of MCP servers (chat.mcp.autostart) will be set to “never” in your user settings, so that each server runs once. To undo this, choose Use VS Code.',
        );
  }

  /** Else nothing is published in the place of the editor's copies, or the editor keeps both. */
  get #disablesCopies(): boolean {
    return ownValue('gateway.enabled') !== false && canDisableCopies();
  }

  /** A list closes by itself, too, where something else takes its place. */
  #sayWhereItWaits(): void {
    const { hosting, approvals } = waitingForUser(this.#host);
    if (hosting + approvals === 0) return;
    const { t } = vscode.l10n;
    const text = t(
      'Nothing was started or changed. “MCP” in the status bar and the view MCP Switchboard show what waits for you.',
    );
    const [choose, review] = [t('Choose MCP Host…'), t('Review Servers…')];
    // With a button, all of it is shown.
    void notify('information', text, hosting > 0 ? choose : review).then((button) => {
      if (button === choose) void vscode.commands.executeCommand('mcpSwitchboard.chooseHost');
      if (button === review) void vscode.commands.executeCommand('mcpSwitchboard.review');
    });
  }

  async #takeOver(): Promise<void> {
    if (this.#host.servers.hosting === 'switchboard') return;
    const isShared = this.#host.views.some(isSharedWithEditor);
    await this.#host.servers.setHosting('switchboard');
    if (isShared) await (this.#disablesCopies ? this.#editor.replaceEditorCopies() : this.#autostart.turnOff());
  }
}
