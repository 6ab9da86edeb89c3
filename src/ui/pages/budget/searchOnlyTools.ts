import * as vscode from 'vscode';
import { Sequencer } from '../../../base/async.ts';
import { ownValue, SECTION } from '../../../platform/settings/ownSettings.ts';

const SETTING = 'searchOnlyTools';
/** Each change reads what the one before it wrote. */
const changes = new Sequencer();

/** The user's own value of the setting. */
export function readSearchOnlyTools(): readonly string[] {
  const value = ownValue(SETTING);
  return Array.isArray(value) ? value.filter((glob) => typeof glob === 'string') : [];
}

/** Adds the name of a tool to the setting, or takes it out; others stay as they are. */
export function setSearchOnly(tool: string, isSearchOnly: boolean): Promise<void> {
  return changes.run(() => setNow(tool, isSearchOnly));
}

async function setNow(tool: string, isSearchOnly: boolean): Promise<void> {
  const { t } = vscode.l10n;
  const others = readSearchOnlyTools().filter((name) => name !== tool);
  const names = isSearchOnly ? [...others, tool] : others;
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration(SECTION).update(SETTING, names.length > 0 ? names : undefined, Global);
  const text = isSearchOnly ? t('{0} is found by search only.', tool) : t('{0} can be loaded again.', tool);
  void vscode.window.setStatusBarMessage(text, 5_000);
}
