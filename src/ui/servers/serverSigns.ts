import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import type { SignInNotice } from './signInNotice.ts';

/** What is seen of the servers outside of their view: the status bar, and who needs a sign-in. Loaded with the first change. */
export class ServerSigns implements Disposable {
  readonly #host: Host;
  readonly #disposables = new DisposableStore();
  #notice: Promise<SignInNotice> | undefined;

  constructor(host: Host) {
    this.#host = host;
    const first = this.#disposables.add(
      host.onDidChange(() => {
        first.dispose();
        void this.#load();
      }),
    );
  }

  /** Shows the button to sign in to a server. */
  async offerSignIn(serverId: string): Promise<void> {
    (await this.#load()).offer(serverId);
  }

  #load(): Promise<SignInNotice> {
    this.#notice ??= Promise.all([import('./statusBar.ts'), import('./signInNotice.ts')]).then(
      ([{ StatusBar }, { SignInNotice: Notice }]) => {
        this.#disposables.add(new StatusBar(this.#host));
        return this.#disposables.add(new Notice(this.#host));
      },
    );
    return this.#notice;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
