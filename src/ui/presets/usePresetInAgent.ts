// Loaded when a preset is first given to a custom agent.
import * as path from 'node:path';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import { confirmWhole } from '../../bridge/dialogs/confirmWhole.ts';
import { paragraph } from '../../bridge/dialogs/dialogLines.ts';
import { presetReference } from '../../bridge/gateway/presets/presetReference.ts';
import { localized } from '../../bridge/text/localized.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import type { Preset } from '../../catalog/presets/readPresets.ts';
import { withAgentTools } from '../../config/edit/agentTools.ts';
import type { Host } from '../../host/host.ts';
import { SECTION } from '../../platform/settings/ownSettings.ts';
import { askText } from '../askText.ts';
import { edits, editOrCreate, offerUndo, type Undo } from '../config/edit/fileUndo.ts';

const SETTING = 'presets';
const AGENTS = '.github/agents';
const ENDING = '.agent.md';

/**
 * *Use Preset in a Custom Agent…*: offers one of the user's presets to custom agents, and names it in the `tools` of a
 * chosen or new one. The change is shown first; the notification takes it back.
 */
export async function usePresetInAgent(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  const preset = await pickPreset(host);
  const file = preset && (await pickAgent());
  if (!preset || !file) return;
  const reference = presetReference(preset.name);
  const name = path.basename(file.fsPath).slice(0, -ENDING.length);
  const body = t('Say here what this agent does.');
  const before = await textOf(file);
  const edited = withAgentTools(before ?? '', reference, name, body);
  const label = vscode.workspace.asRelativePath(file);
  if (edited && 'refusal' in edited)
    throw new SwitchboardError('unsupported', t('{0} was not changed. {1}', label, localized(edited.refusal)));
  const changes = edited ? changedLines(before ?? '', edited.text) : [];
  const shown = [
    paragraph([
      t(
        'The preset’s tools become a server of their own, `{0}`, for all custom agents that name it.',
        plainText(reference),
      ),
      t('Agents that name no tools have it, too.'),
    ]),
    ...(changes.length > 0 ? [t('Changed in {0}:', plainText(label)), changes.join('\n')] : []),
  ].join('\n\n');
  const question = t('Use the preset “{0}” in “{1}”?', plainText(preset.name), plainText(name));
  if (!(await confirmWhole(question, t('Use'), shown, t('Custom Agent')))) return;
  const undos: Undo[] = [];
  if (edited)
    undos.push(
      await editOrCreate(
        file,
        (text) => {
          const now = withAgentTools(text, reference, name, body);
          if (now && 'refusal' in now) return { refusal: { line: 1, column: 1, message: now.refusal } };
          return now ?? { text };
        },
        () => undefined,
      ),
    );
  if (preset.isForCustomAgents !== true) undos.push(await offer(preset.name));
  await vscode.window.showTextDocument(file, { preview: false });
  offerUndo(host, t('“{0}” uses the preset “{1}”.', name, preset.name), undos);
}

/** One of the user's own: what a folder defines is offered to nobody. */
async function pickPreset(host: Pick<Host, 'preset'>): Promise<Preset | undefined> {
  const { t } = vscode.l10n;
  const presets = (await host.preset.choices()).all.filter(({ scope }) => scope === 'user');
  if (presets.length === 0) {
    const create = t('New Preset from What Is Enabled Now…');
    const answer = await notify('information', t('No presets in your own settings.'), create);
    if (answer === create) await vscode.commands.executeCommand('mcpSwitchboard.newPreset');
    return undefined;
  }
  const items = presets.map((preset) => ({
    label: `$(layers) ${plainText(preset.name)}`,
    description: preset.isForCustomAgents === true ? t('offered to custom agents') : '',
    detail: plainText(preset.description ?? preset.entries.join(', ')).slice(0, 120),
    preset,
  }));
  const title = t('Use Preset in a Custom Agent: Select a Preset');
  return (await ownInputs.ask(() => vscode.window.showQuickPick(items, { title, ignoreFocusOut: true })))?.preset;
}

/** The file of a custom agent of the workspace, which may be a new one. */
async function pickAgent(): Promise<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!folder) {
    void notify('information', t('Open a folder first: custom agents are files of a folder.'));
    return undefined;
  }
  const found = await vscode.workspace.findFiles(`**/${AGENTS}/*${ENDING}`, undefined, 200);
  const items: (vscode.QuickPickItem & { readonly uri?: vscode.Uri })[] = [
    ...found.map((uri) => ({
      label: `$(robot) ${plainText(path.basename(uri.fsPath).slice(0, -ENDING.length))}`,
      description: plainText(vscode.workspace.asRelativePath(uri)),
      uri,
    })),
    { label: `$(add) ${t('New Custom Agent…')}` },
  ];
  const title = t('Use Preset in a Custom Agent: Select an Agent');
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, { title, ignoreFocusOut: true }));
  if (!picked || picked.uri) return picked?.uri;
  const answer = await askText({
    title: t('New Custom Agent'),
    prompt: t('Its file is in {0}, for everyone who has the folder’s files.', AGENTS),
    placeholder: t('Name of the agent'),
    faultOf: (text) =>
      /^[\w][\w. -]{0,59}$/.test(text.trim())
        ? undefined
        : t('A name has up to 60 letters, digits, blanks, `-` and `_`.'),
  });
  if (typeof answer !== 'object') return undefined;
  return vscode.Uri.joinPath(folder.uri, AGENTS, `${answer.text.trim()}${ENDING}`);
}

async function textOf(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return (await vscode.workspace.openTextDocument(uri)).getText();
  } catch {
    return undefined;
  }
}

/** The lines that are other ones, as a difference shows them. */
function changedLines(before: string, after: string): readonly string[] {
  const [old, now] = [before, after].map((text) => text.split(/\r?\n/)) as [string[], string[]];
  const added = now.filter((line) => line !== '' && !old.includes(line)).map((line) => `+ ${plainText(line)}`);
  const gone = old.filter((line) => line !== '' && !now.includes(line)).map((line) => `- ${plainText(line)}`);
  return [...gone, ...added];
}

/** Writes into the user's settings that custom agents may name a preset. */
function offer(name: string): Promise<Undo> {
  const write = async (customAgents: true | undefined): Promise<void> => {
    const settings = vscode.workspace.getConfiguration(SECTION);
    const presets: unknown = settings.inspect(SETTING)?.globalValue;
    const preset: unknown = isRecord(presets) ? presets[name] : undefined;
    if (!isRecord(presets) || !isRecord(preset)) return;
    const { customAgents: _before, ...rest } = preset;
    const next = { ...rest, ...(customAgents ? { customAgents } : {}) };
    await settings.update(SETTING, { ...presets, [name]: next }, vscode.ConfigurationTarget.Global);
  };
  return edits.run(async () => {
    await write(true);
    return () => edits.run(() => write(undefined));
  });
}
