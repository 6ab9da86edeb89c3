import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import type { Host } from '../../../host/host.ts';
import type { SignInNotice } from './signInNotice.ts';

/**
 * What is seen of servers and calls outside of their views: the status bar, the badge at the views' icon, who needs a
 * sign-in, and which tools changed.
 * Loaded with the first change.
 */
export class ServerSigns implements Disposable {
  readonly #host: Host;
  readonly #view: Pick<vscode.TreeView<unknown>, 'badge'>;
  readonly #activity: Pick<vscode.TreeView<unknown>, 'badge'>;
  readonly #disposables = new DisposableStore();
  #notice: Promise<SignInNotice> | undefined;

  /**
   * @param view the view of servers
   * @param activity the view of calls
   */
  constructor(
    host: Host,
    view: Pick<vscode.TreeView<unknown>, 'badge'>,
    activity: Pick<vscode.TreeView<unknown>, 'badge'>,
  ) {
    this.#host = host;
    this.#view = view;
    this.#activity = activity;
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
    this.#notice ??= Promise.all([
      import('./statusBar.ts'),
      import('./signInNotice.ts'),
      import('./walkthroughSteps.ts'),
      import('../../plan/planSign.ts'),
      import('../../tools/toolChangeNotice.ts'),
    ]).then(
      ([
        { StatusBar },
        { SignInNotice: Notice },
        { completeWalkthroughSteps },
        { PlanSign },
        { noticeToolChanges },
      ]) => {
        this.#disposables.add(noticeToolChanges(this.#host));
        this.#disposables.add(new PlanSign(this.#host, this.#activity));
        this.#disposables.add(completeWalkthroughSteps(this.#host));
        this.#disposables.add(new StatusBar(this.#host, this.#view));
        return this.#disposables.add(new Notice(this.#host));
      },
    );
    return this.#notice;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
