// Loaded with the first command about presets.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { Preset } from '../../catalog/presets/readPresets.ts';
import type { Host } from '../../host/host.ts';

const NEW_PRESET = 'mcpSwitchboard.newPreset';
const EDIT_PRESETS = 'mcpSwitchboard.editPresets';
/** What a preset has is told in as many characters. */
const MAX_DETAIL = 120;

type Item = vscode.QuickPickItem & { readonly run?: () => Promise<unknown> };

/** *Select Preset…*: the presets of the user's and the workspace's settings, all servers, and where presets come from. */
export async function selectPreset(host: Pick<Host, 'preset'>): Promise<void> {
  const { t } = vscode.l10n;
  const presets = (await host.preset.choices()).all;
  const { active } = host.preset;
  const isCurrent = ({ name }: Preset): boolean => active?.name === name;
  const current = t('current');
  const items: Item[] = [
    {
      label: `$(server) ${t('Use All Servers')}`,
      ...(active ? {} : { description: current }),
      run: () => useAllServers(host),
    },
    ...presets.map((preset): Item => ({
      label: `$(layers) ${plainText(preset.name)}`,
      description: [preset.scope === 'workspace' ? t('workspace') : '', isCurrent(preset) ? current : '']
        .filter((text) => text !== '')
        .join(' · '),
      detail: detailOf(preset),
      run: () => usePreset(host, preset),
    })),
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    {
      label: `$(add) ${t('New Preset from What Is Enabled Now…')}`,
      run: async () => vscode.commands.executeCommand(NEW_PRESET),
    },
    ...(presets.length > 0 || active
      ? [{ label: `$(edit) ${t('Edit Presets')}`, run: async () => vscode.commands.executeCommand(EDIT_PRESETS) }]
      : []),
  ];
  const options = {
    title: t('Select Preset'),
    placeHolder: t('Agents in this workspace use only the servers and tools of the preset'),
    matchOnDetail: true,
  };
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, options));
  await picked?.run?.();
}

/** *Use All Servers*: no preset is active. */
export async function useAllServers({ preset }: Pick<Host, 'preset'>): Promise<void> {
  await (await preset.choices()).choose(undefined);
  said(vscode.l10n.t('No preset is active: all servers are used.'));
}

/** Makes a preset the active one, and says so. */
export async function usePreset(host: Pick<Host, 'preset'>, preset: Preset): Promise<void> {
  await (await host.preset.choices()).choose(preset);
  said(vscode.l10n.t('Preset “{0}” is active.', plainText(preset.name)));
}

function detailOf({ description, entries }: Preset): string {
  const text = description ?? (entries.length > 0 ? entries.join(', ') : vscode.l10n.t('No servers'));
  return plainText(text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text);
}

function said(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5_000);
}
