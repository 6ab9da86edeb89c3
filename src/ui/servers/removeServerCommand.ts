// Loaded when the first server is removed.
import * as vscode from 'vscode';
import { messageOf, SwitchboardError } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import { notify } from '../../bridge/showNotification.ts';
import { USER_SETTING_ID } from '../../config/configSources.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { editConfigFile } from '../../config/edit/editConfigFile.ts';
import { removeServer, type RemovedServer } from '../../config/edit/removeServer.ts';
import type { Host } from '../../host/host.ts';
import { checkInFolder } from '../../platform/folderFile.ts';

type Undo = () => Promise<void>;

/**
 * *Remove Server…*: takes a definition out of the file or setting that it stands in, or out of this session; the
 * notification undoes it.
 * @throws SwitchboardError where it can't be removed, with the reason
 */
export async function removeFromSource(host: Host, entry: ServerEntry): Promise<void> {
  const { t } = vscode.l10n;
  const { id, status } = host.views.find(({ definition }) => definition.entry === entry)?.definition ?? {};
  const undo = await removed(host, entry);
  await host.config.reload();
  // Whoever comes by its name later isn't turned off.
  const wasOff = id !== undefined && status?.kind === 'disabled' && status.by === 'user';
  if (wasOff) await host.servers.setDisabled(id, false);
  const label = t('Undo');
  void notify('information', t('Removed “{0}” from {1}.', entry.name, entry.source.label), label).then(
    async (chosen) => {
      if (chosen !== label) return;
      try {
        if (wasOff) await host.servers.setDisabled(id, true);
        await undo();
        await host.config.reload();
      } catch (error) {
        void notify('error', messageOf(error));
      }
    },
  );
}

async function removed(host: Host, entry: ServerEntry): Promise<Undo> {
  const { source } = entry;
  if (source.file !== undefined) return fromFile(entry, vscode.Uri.file(source.file));
  if (source.id === USER_SETTING_ID) return fromSetting(entry);
  const view = host.views.find(({ definition }) => definition.entry === entry);
  if (view) host.servers.removeAdded(view.definition.id);
  return async () => {
    host.servers.addForSession(entry.name, entry.transport, entry);
  };
}

/** Byte for byte, so that what is undone is as it was. */
async function fromFile(entry: ServerEntry, uri: vscode.Uri): Promise<Undo> {
  const { fs } = vscode.workspace;
  await checkInFolder(uri);
  refuseUnsaved(uri);
  const before = await fs.readFile(uri);
  const { readToml } = await import('../../config/syntax/readToml.ts');
  const edited = removeServer(textOf(before, uri), entry.source, entry.name, readToml);
  if ('refusal' in edited) {
    const { line, column, message } = edited.refusal;
    const at = new vscode.Position(line - 1, column - 1);
    await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
    throw new SwitchboardError(
      'unsupported',
      `“${entry.name}” was not removed from ${uri.fsPath}, line ${line}: ${message}`,
    );
  }
  const after = new TextEncoder().encode(edited.text);
  await fs.writeFile(uri, after);
  return async () => {
    refuseUnsaved(uri);
    const now = await fs.readFile(uri);
    const isUnchanged = Buffer.from(now).equals(after);
    await fs.writeFile(uri, isUnchanged ? before : withServer(textOf(now, uri), uri, edited.removed));
  };
}

/** The file has changed since: the server is added to what it is now. */
function withServer(text: string, uri: vscode.Uri, server: RemovedServer | undefined): Uint8Array {
  const edited = server && !uri.path.endsWith('.toml') ? editConfigFile(text, () => [server]) : undefined;
  if (edited && 'text' in edited) return new TextEncoder().encode(edited.text);
  throw new SwitchboardError('unsupported', `${uri.fsPath} has changed since, so nothing was restored.`, {
    ...(edited ? { remedy: `Fix line ${edited.refusal.line} first: ${edited.refusal.message}` } : {}),
  });
}

function refuseUnsaved(uri: vscode.Uri): void {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document?.isDirty)
    throw new SwitchboardError('unsupported', `${uri.fsPath} has unsaved changes. Nothing was written.`, {
      remedy: 'Save or discard them first.',
    });
}

/** With its byte order mark. */
function textOf(bytes: Uint8Array, uri: vscode.Uri): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new SwitchboardError('unsupported', `${uri.fsPath} isn’t UTF-8, so it isn’t edited.`, {
      remedy: 'Save it as UTF-8, or remove the server by hand.',
      cause,
    });
  }
}

async function fromSetting({ name }: ServerEntry): Promise<Undo> {
  const read = (): Readonly<Record<string, unknown>> => {
    const value = vscode.workspace.getConfiguration('mcpSwitchboard').inspect('servers')?.globalValue;
    return isRecord(value) ? value : {};
  };
  const write = async (value: Readonly<Record<string, unknown>> | undefined): Promise<void> =>
    vscode.workspace.getConfiguration('mcpSwitchboard').update('servers', value, vscode.ConfigurationTarget.Global);
  const before = read();
  const { [name]: gone, ...rest } = before;
  await write(Object.keys(rest).length > 0 ? rest : undefined);
  return async () => {
    const now = read();
    const isUnchanged = JSON.stringify(now) === JSON.stringify(rest);
    await write(isUnchanged ? before : { ...now, [name]: gone });
  };
}
