import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { paragraph } from '../../bridge/dialogs/dialogLines.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { isRecord } from '../../base/json/json.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { clientName } from '../../config/clients/clientConventions.ts';
import {
  findImportable,
  entryWithInputs,
  freshEntries,
  type ImportableFile,
  importServers,
} from '../../config/clients/importServers.ts';
import { readSourceFile } from '../../config/sources/readSourceFile.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { configFileUri, type FileScope } from './openConfig.ts';
import { writtenSecrets } from '../../config/variables/namedValues.ts';
import { describeLaunch } from '../../servers/trust/summary/launchSummary.ts';
import { quoted } from '../../servers/trust/summary/quotedText.ts';
import { isOwn } from '../../servers/trust/serverStatus.ts';
import { confirmWhole } from '../../bridge/dialogs/confirmWhole.ts';
import { launchLine } from '../servers/serverLabels.ts';
import { changeConfigFile, targetItem } from './writeConfig.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

type Target = Exclude<FileScope, 'local'> | 'user';

/** *Import Servers…*: copies chosen servers of other clients' files into a scope. Those files don't change. */
export async function importInteractively(options: SourceOptions): Promise<void> {
  const { t } = vscode.l10n;
  const files = await findImportable(options, (source) => readSourceFile(source, options.platform));
  if (!files.some(({ entries }) => entries.length > 0)) {
    const add = t('Add Server…');
    const broken = files.flatMap((file) => file.broken);
    const none = t('No MCP servers of other clients found.');
    const answer = await notify('information', broken.length > 0 ? `${none} ${unreadText(broken)}` : none, add);
    if (answer === add) await vscode.commands.executeCommand('mcpSwitchboard.addServer');
    return;
  }
  const chosen = await pickFiles(files);
  const entries = chosen && (await pickServers(chosen));
  if (entries?.length === 0) void notify('information', t('No servers selected. Nothing was imported.'));
  const target = entries && entries.length > 0 ? await pickTarget() : undefined;
  if (entries && target && (target !== 'user' || (await confirmOwn(entries)))) await importInto(target, entries);
}

/** The user's own servers. */
function ownServers(): Readonly<Record<string, unknown>> {
  const value = vscode.workspace.getConfiguration('mcpSwitchboard').inspect('servers')?.globalValue;
  return isRecord(value) ? value : {};
}

/** The user's own servers start without another question, so all that they do is shown here. */
async function confirmOwn(chosen: readonly ServerEntry[]): Promise<boolean> {
  const { t } = vscode.l10n;
  // Just those that will be written: of two of a name, the first.
  const entries = freshEntries(chosen, Object.keys(ownServers()));
  if (entries.length === 0) return true;
  const servers = entries.map((entry) => {
    // What a folder's file says isn't the user's secret, and is shown.
    const mask: Mask = isOwn(entry) ? writtenSecrets(entry.transport).mask : (line) => line;
    return paragraph([`${quoted(entry.name)}:`, ...describeLaunch(entry).map(mask)]);
  });
  const text = [t('They start without asking you again.'), ...servers].join('\n\n');
  const question =
    entries.length === 1
      ? t('Import 1 server into your settings?')
      : t('Import {0} servers into your settings?', entries.length);
  return confirmWhole(question, t('Import'), text, t('Servers to Import'));
}

/** Copies servers into a scope and shows the outcome. */
export async function importInto(target: Target, entries: readonly ServerEntry[]): Promise<void> {
  const { t } = vscode.l10n;
  let skipped: readonly string[] = [];
  let added = 0;
  if (target === 'user') {
    const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
    const existing = ownServers();
    const fresh = freshEntries(entries, Object.keys(existing));
    skipped = entries.filter((entry) => !fresh.includes(entry)).map(({ name }) => name);
    added = fresh.length;
    const servers = Object.fromEntries(fresh.map((entry) => [entry.name, entryWithInputs(entry)]));
    if (added > 0) await settings.update('servers', { ...existing, ...servers }, vscode.ConfigurationTarget.Global);
  } else {
    const uri = await configFileUri(target);
    if (!uri) return;
    const changed = await changeConfigFile(uri, target, (text) => {
      const result = importServers(text, target === 'project' ? 'mcpServers' : 'servers', entries);
      skipped = result.skipped;
      added = result.added.length;
      return result.edited;
    });
    if (!changed) return;
  }
  const count = added === 1 ? t('1 server imported.') : t('{0} servers imported.', added);
  const rest = skipped.length === 0 ? '' : ` ${t('Skipped, name already in use: {0}.', skipped.join(', '))}`;
  void notify('information', count + rest);
}

/** Which entries stay behind, and that it isn't the user's choice. */
function unreadText(names: readonly string[]): string {
  return vscode.l10n.t('Can’t be read, and left out: {0}.', names.join(', '));
}

async function pickFiles(files: readonly ImportableFile[]): Promise<readonly ImportableFile[] | undefined> {
  const { t } = vscode.l10n;
  const items = files.map((file) => ({
    label: clientName(file.source),
    description: file.source.label,
    detail: plainText(
      [file.entries.map(({ name }) => name).join(', '), ...(file.broken.length > 0 ? [unreadText(file.broken)] : [])]
        .filter(Boolean)
        .join(' · '),
    ),
    picked: true,
    file,
  }));
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: t('Import MCP Servers: Select Files'),
      matchOnDetail: true,
      ignoreFocusOut: true,
    }),
  );
  return picked?.map(({ file }) => file);
}

async function pickServers(files: readonly ImportableFile[]): Promise<readonly ServerEntry[] | undefined> {
  const items = files.flatMap(({ source, entries }) =>
    entries.map((entry) => ({
      label: plainText(entry.name),
      description: `${clientName(source)} · ${source.label}`,
      detail: plainText(launchLine(entry)),
      picked: true,
      entry,
    })),
  );
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: vscode.l10n.t('Import MCP Servers: Select Servers'),
      matchOnDescription: true,
      matchOnDetail: true,
      ignoreFocusOut: true,
    }),
  );
  return picked?.map(({ entry }) => entry);
}

async function pickTarget(): Promise<Target | undefined> {
  const { t } = vscode.l10n;
  const items = (['user', 'project', 'workspace'] as const).map((target) => targetItem<Target>(target));
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, {
      title: t('Import MCP Servers: Select Scope'),
      ignoreFocusOut: true,
    }),
  );
  return picked?.target;
}
