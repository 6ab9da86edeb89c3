import * as path from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { ServerEntry } from '../config/configTypes.ts';
import { editorDefinitionIds, wouldEditorHost } from '../servers/editorOwnServers.ts';
import type { EditorPort } from '../servers/serverRegistry.ts';
import { profileFolder, workspaceFolders } from './configPorts.ts';
import { MERGE_SETTINGS } from './configSettings.ts';
import { readEditorMcpSettings } from './hostSettings.ts';

/** What the core asks about the editor: is the workspace trusted, and what would its own MCP support start. */
export class VsCodeEditorPort implements EditorPort, Disposable {
  readonly #profileFile: string;
  readonly #disposables = new DisposableStore();
  readonly #changed = this.#disposables.add(new Emitter<void>());
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(globalStorage: vscode.Uri) {
    this.#profileFile = path.join(profileFolder(globalStorage), 'mcp.json');
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

  editorHosts(entry: ServerEntry): boolean {
    return wouldEditorHost(entry, { ...readEditorMcpSettings(), discoverDotMcpJson: true }, this.#profileFile);
  }

  /** What the editor calls its own server of this entry; none where it has none. */
  definitionIds(entry: ServerEntry): readonly string[] {
    return editorDefinitionIds(
      entry,
      this.#profileFile,
      workspaceFolders().map((folder) => folder.path),
    );
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
