import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import { workspaceFolders } from '../../platform/configPorts.ts';
import type { EditorCallSettings } from '../../platform/settings/editorCallSettings.ts';

/** Hooks come and go with files, with what an administrator manages and with trust: the user is asked about those that wait for approval. */
export class HookFollower implements Disposable {
  readonly #host: Host;
  readonly #settings: EditorCallSettings;
  readonly #disposables = new DisposableStore();
  #isStarted = false;

  constructor(host: Host, settings: EditorCallSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => void this.#review()));
    this.#disposables.add(
      host.config.onDidChange(({ results }) => {
        void settings.readManagedFile();
        if (settings.hasFileHooks || results.some(({ hooks }) => hooks)) void this.#readFiles();
      }),
    );
  }

  /** The host has started: from now on, the user is asked. */
  start(): Promise<void> {
    this.#isStarted = true;
    return this.#review();
  }

  async #review(): Promise<void> {
    if (this.#settings.hooksToApprove) await (await import('./hookApproval.ts')).reviewHooks(this.#settings, false);
  }

  async #readFiles(): Promise<void> {
    const { readFileHooks } = await import('../../calls/hooks/fileHooks.ts');
    const hooks = readFileHooks(this.#host.config.snapshot.results, workspaceFolders()[0]?.path);
    if (this.#settings.setFileHooks(hooks) && this.#isStarted) await this.#review();
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
