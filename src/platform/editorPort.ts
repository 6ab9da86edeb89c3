import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { ServerEntry } from '../config/configTypes.ts';
import { wouldEditorHost } from '../servers/editorOwnServers.ts';
import type { EditorPort } from '../servers/serverRegistry.ts';
import { profileFolder } from './configPorts.ts';
import { MERGE_SETTINGS } from './settings/configSettings.ts';
import type { EditorMcpSettings } from './settings/hostSettings.ts';

/** What the core needs to know about the editor: workspace trust, and what its own MCP support would start. */
export class VsCodeEditorPort implements EditorPort, Disposable {
  /** The profile's `mcp.json`. */
  readonly profileFile: string;
  readonly #settings: () => EditorMcpSettings;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(globalStorage: vscode.Uri, settings: () => EditorMcpSettings) {
    this.#settings = settings;
    this.profileFile = path.join(profileFolder(globalStorage), 'mcp.json');
    this.#disposables.add(vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire()));
    this.#disposables.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (MERGE_SETTINGS.some((name) => event.affectsConfiguration(name))) this.#changed.fire();
      }),
    );
  }

  workspaceTrusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  editorHosts(entry: ServerEntry, isChosen: boolean): boolean {
    return wouldEditorHost(entry, { ...this.#settings(), discoverDotMcpJson: true }, this.profileFile, isChosen);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
