// Loaded with the first command that changes presets.
import * as vscode from 'vscode';
import { isRecord } from '../../base/json/json.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { entriesOf } from '../../catalog/presets/enabledEntries.ts';
import { canHave, isPresetName, MAX_ENTRIES, MAX_ENTRY } from '../../catalog/presets/readPresets.ts';
import type { ChosenPresets } from '../../host/chosenPresets.ts';
import type { Host } from '../../host/host.ts';
import { SECTION } from '../../platform/settings/ownSettings.ts';
import { askText } from '../askText.ts';
import { edits } from '../config/edit/fileUndo.ts';
import { usePreset } from './selectPreset.ts';

const SETTING = 'presets';

/**
 * *Edit Presets*: opens the settings where the active preset is written, else the user's. They are changed only where they
 * have no presets yet: in a setting that is there, the editor would begin a line that nobody asked for.
 */
export async function editPresets({ preset }: Pick<Host, 'preset'>): Promise<void> {
  const scope = preset.active?.scope ?? 'user';
  await vscode.commands.executeCommand(
    scope === 'workspace' ? 'workbench.action.openWorkspaceSettingsFile' : 'workbench.action.openSettingsJson',
    { revealSetting: { key: `${SECTION}.${SETTING}`, edit: writtenIn(scope) === undefined } },
  );
}

/** *New Preset from What Is Enabled Now…*: asks for its name and where to write it, writes it and makes it the active one. */
export async function newPreset(host: Pick<Host, 'preset' | 'servers'>): Promise<void> {
  const { t } = vscode.l10n;
  const choices = await host.preset.choices();
  const entries = enabledNow(host, choices);
  if (!canHave(entries)) {
    const text = t('What is enabled now has {0} entries. A preset has at most {1}, of {2} characters each.', entries.length, MAX_ENTRIES, MAX_ENTRY); // prettier-ignore
    void notify('error', text);
    return;
  }
  const taken = new Set(choices.all.map(({ name }) => name));
  const answer = await askText({
    title: t('New Preset from What Is Enabled Now'),
    prompt: entries.length === 0 ? t('No servers are enabled.') : t('Has {0}', entries.join(', ')),
    placeholder: t('Name of the preset'),
    faultOf: (text) => {
      if (taken.has(text.trim())) return t('There is a preset of this name.');
      return isPresetName(text.trim()) ? undefined : t('A name has 1 to 60 visible characters.');
    },
  });
  if (answer === undefined) return;
  if (answer === 'back') return selectAgain();
  const scope = await askScope();
  if (!scope) return;
  const name = answer.text.trim();
  await write(name, { tools: entries }, scope);
  await usePreset(host, { name, scope, entries });
}

/** What agents can use now, as entries of a preset: the servers that may run, with the tools that the active preset leaves. */
function enabledNow({ servers: { definitions } }: Pick<Host, 'servers'>, choices: ChosenPresets): readonly string[] {
  const ready = definitions.filter(({ status }) => status.kind === 'ready');
  return entriesOf(
    ready.map((definition) => ({ server: choices.named(definition), tools: choices.toolsOf(definition) ?? 'all' })),
    definitions.filter(({ status }) => status.kind !== 'shadowed').map((definition) => choices.named(definition)),
  );
}

async function selectAgain(): Promise<void> {
  await vscode.commands.executeCommand('mcpSwitchboard.selectPreset');
}

async function askScope(): Promise<'user' | 'workspace' | undefined> {
  if (!vscode.workspace.workspaceFolders?.length) return 'user';
  const { t } = vscode.l10n;
  const items = [
    { label: `$(account) ${t('My Settings')}`, description: t('For all workspaces'), scope: 'user' as const },
    {
      label: `$(root-folder) ${t('Workspace Settings')}`,
      description: t('For everybody who opens this folder'),
      scope: 'workspace' as const,
    },
  ];
  const options = { title: t('Where to Save the Preset') };
  return (await ownInputs.ask(() => vscode.window.showQuickPick(items, options)))?.scope;
}

function write(name: string, preset: object, scope: 'user' | 'workspace'): Promise<void> {
  return edits.run(async () => {
    const before = writtenIn(scope);
    const target = scope === 'user' ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
    const settings = vscode.workspace.getConfiguration(SECTION);
    await settings.update(SETTING, { ...(isRecord(before) ? before : {}), [name]: preset }, target);
  });
}

/** The value of the setting in the user's or in the workspace's file. */
function writtenIn(scope: 'user' | 'workspace'): unknown {
  const { globalValue, workspaceValue } = vscode.workspace.getConfiguration(SECTION).inspect(SETTING) ?? {};
  return scope === 'user' ? globalValue : workspaceValue;
}
