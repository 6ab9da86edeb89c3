import * as vscode from 'vscode';
import { isRecord } from '../../../base/json/json.ts';
import type { KeyValueStore } from '../../../base/keyValueStore.ts';

/** What the setting was, while it is off because of us. */
const PREVIOUS_AUTOSTART = 'previousAutostart';

/**
 * The editor's setting for automatic starts of MCP servers (`chat.mcp.autostart`). It is turned off where the editor can't
 * disable its copy of a single server, so that a server that runs here isn't started there, too.
 */
export class EditorAutostart {
  /** Of the profile, as the setting is. */
  readonly #store: KeyValueStore;

  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  async turnOff(): Promise<void> {
    const editorMcp = vscode.workspace.getConfiguration('chat.mcp');
    if (editorMcp.get('autostart') === 'never') return;
    await this.#store.set(PREVIOUS_AUTOSTART, { value: editorMcp.inspect('autostart')?.globalValue });
    await editorMcp.update('autostart', 'never', vscode.ConfigurationTarget.Global);
    // The editor still offers the tools that it cached of servers that it ran before.
    await Promise.allSettled([vscode.commands.executeCommand('workbench.mcp.resetCachedTools')]);
  }

  /** Puts back what it was before `turnOff`; nothing where it wasn't turned off here. */
  async restore(): Promise<void> {
    const previous = this.#store.get(PREVIOUS_AUTOSTART);
    if (!isRecord(previous)) return;
    await vscode.workspace
      .getConfiguration('chat.mcp')
      .update('autostart', previous['value'], vscode.ConfigurationTarget.Global);
    await this.#store.set(PREVIOUS_AUTOSTART, undefined);
  }
}
