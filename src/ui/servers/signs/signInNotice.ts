// Loaded with the first server.
import * as vscode from 'vscode';
import { plainText } from '../../../bridge/text/safeText.ts';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { notify } from '../../../bridge/dialogs/showNotification.ts';
import type { Host } from '../../../host/host.ts';
import { canSignIn } from '../../../host/views/serverView.ts';

/**
 * Says once per server and session, in a notification with a button, that a server needs a sign-in. Nothing else happens by
 * itself: the browser opens after a click.
 */
export class SignInNotice implements Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  readonly #told = new Set<string>();
  /** Servers whose notification hasn't been answered. */
  readonly #shown = new Set<string>();
  #isNeeded = false;

  constructor(host: Host) {
    this.#host = host;
    this.#disposables.add(host.onDidChange(() => this.#update()));
    this.#update();
  }

  #update(): void {
    const waiting = this.#host.views.filter(canSignIn).map(({ definition }) => definition.id);
    for (const id of waiting) if (!this.#told.has(id)) this.offer(id);
    if (this.#isNeeded === waiting.length > 0) return;
    this.#isNeeded = !this.#isNeeded;
    // The model has the tool that asks for it only where there is something to ask for.
    void vscode.commands.executeCommand('setContext', 'mcpSwitchboard.signInNeeded', this.#isNeeded);
  }

  /** Shows the button for a server, unless it is shown already. */
  offer(id: string): void {
    const view = this.#host.view(id);
    if (!view || this.#shown.has(id)) return;
    this.#told.add(id);
    this.#shown.add(id);
    const { t } = vscode.l10n;
    const signIn = t('Sign In');
    const text = t('The MCP server “{0}” needs a sign-in.', plainText(view.definition.name));
    notify('information', text, signIn).then(
      (answer) => {
        this.#shown.delete(id);
        if (answer === signIn) void vscode.commands.executeCommand('mcpSwitchboard.signIn', id);
      },
      () => this.#shown.delete(id),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
