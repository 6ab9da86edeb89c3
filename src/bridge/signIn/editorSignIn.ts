// Loaded with the first server that may need a sign-in.
import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { CLIENT_DOCUMENT_URL } from '../../connection/auth/flow/clientDocument.ts';
import type { EditorAccountsPort, SecretPort, SignInPorts } from '../../connection/auth/signInPorts.ts';
import type { InputTurns } from '../dialogs/inputTurns.ts';
import { editorProviderOf } from './editorProvider.ts';
import { takeUri } from './signInUriHandler.ts';
import { WaitingSignIns } from './waitingSignIns.ts';

export interface EditorSignInPorts {
  readonly clock: Clock;
  readonly secrets: SecretPort;
  readonly extensionId: string;
  /** With all other questions of the editor. */
  readonly turns: () => Promise<InputTurns>;
}

/** The editor's part of signing in. What a person sees of it is loaded when they sign in. */
export class EditorSignIn implements SignInPorts, Disposable {
  readonly waiting: WaitingSignIns;
  readonly secrets: SecretPort;
  readonly editorAccounts: EditorAccountsPort;
  readonly #ports: EditorSignInPorts;
  readonly #disposables = new DisposableStore();

  constructor(ports: EditorSignInPorts) {
    this.#ports = ports;
    this.secrets = ports.secrets;
    this.waiting = this.#disposables.add(new WaitingSignIns());
    const sessions = this.#disposables.add(new Emitter<void>());
    this.#disposables.add(
      vscode.authentication.onDidChangeSessions(({ provider: { id } }) => {
        if (id === 'github' || id === 'microsoft') sessions.fire();
      }),
    );
    this.editorAccounts = {
      has: (issuer) => editorProviderOf(issuer) !== undefined,
      session: async (request, signal) =>
        (await import('./editorAccounts.ts')).editorSession(request, await ports.turns(), signal),
      onDidChange: sessions.event,
    };
  }

  readonly clientMetadataUrl = (): string | undefined => CLIENT_DOCUMENT_URL;

  readonly openRedirect: SignInPorts['openRedirect'] = async (request) => {
    const { clock, extensionId, turns } = this.#ports;
    const ports = { clock, extensionId, waiting: this.waiting, turns: await turns() };
    return (await import('./redirect/openRedirect.ts')).openRedirect(request, ports);
  };

  readonly confirmAndOpen: SignInPorts['confirmAndOpen'] = async (question, signal) =>
    (await import('./askSignIn.ts')).confirmAndOpen(question, await this.#ports.turns(), this.waiting, signal);

  readonly askClient: SignInPorts['askClient'] = async (question, signal) =>
    (await import('./askOAuthClient.ts')).askClient(question, await this.#ports.turns(), signal);

  readonly askAccountName: NonNullable<SignInPorts['askAccountName']> = async (question, signal) =>
    (await import('./askOAuthClient.ts')).askAccountName(question, await this.#ports.turns(), signal);

  /** Takes an address that the editor passes on to this extension. */
  takeUri(uri: vscode.Uri): void {
    takeUri(uri, this.waiting);
  }

  /** *Paste Sign-In Address…*: for the sign-in that began last. @returns `false`: none waits */
  async pasteAddress(serverId?: string): Promise<boolean> {
    const waiting = serverId === undefined ? this.waiting.all.at(-1) : this.waiting.of(serverId);
    if (!waiting) return false;
    const over = new Promise<void>((resolve) => {
      const gone = this.waiting.onDidChange(() => {
        if (this.waiting.all.includes(waiting)) return;
        gone.dispose();
        resolve();
      });
    });
    await (await import('./pasteAddress.ts')).askForAddress(waiting, await this.#ports.turns(), over);
    return true;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
