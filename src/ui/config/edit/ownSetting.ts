// Loaded when the setting of servers is first changed in a way that a notification can undo.
import * as vscode from 'vscode';
import { isRecord } from '../../../base/json/json.ts';
import { SECTION } from '../../../platform/settings/ownSettings.ts';
import { edits, type Undo } from './fileUndo.ts';

type Servers = Readonly<Record<string, unknown>>;

/** The user's own value of `mcpSwitchboard.servers`. */
export function readServersSetting(): Servers {
  const value = vscode.workspace.getConfiguration(SECTION).inspect('servers')?.globalValue;
  return isRecord(value) ? value : {};
}

/**
 * Changes the setting `mcpSwitchboard.servers`; without servers it is removed.
 * @param revert what becomes of a value that has changed since
 * @returns what undoes it
 */
export function editServersSetting(
  change: (servers: Servers) => Servers,
  revert: (now: Servers, before: Servers) => Servers,
): Promise<Undo> {
  return edits.run(async () => {
    const before = readServersSetting();
    const after = change(before);
    await write(after);
    return () =>
      edits.run(async () => {
        const now = readServersSetting();
        await write(JSON.stringify(now) === JSON.stringify(after) ? before : revert(now, before));
      });
  });
}

async function write(servers: Servers): Promise<void> {
  const value = Object.keys(servers).length > 0 ? servers : undefined;
  await vscode.workspace.getConfiguration(SECTION).update('servers', value, vscode.ConfigurationTarget.Global);
}
