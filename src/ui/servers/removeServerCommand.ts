// Loaded when the first server is removed.
import { localized } from '../../bridge/text/localized.ts';
import { say } from '../../base/say.ts';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors.ts';
import { USER_SETTING_ID } from '../../config/ownSources.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { editConfigFile } from '../../config/edit/editConfigFile.ts';
import { removeServer } from '../../config/edit/removeServer.ts';
import type { Host } from '../../host/host.ts';
import { editWithUndo, offerUndo, type Undo } from '../config/edit/fileUndo.ts';
import { editServersSetting } from '../config/edit/ownSetting.ts';
import { canBeRemoved } from './canBeRemoved.ts';

/**
 * *Remove Server*: takes definitions out of the files or settings that they stand in, or out of this session; the
 * notification undoes it.
 * @throws SwitchboardError where one can't be removed, with the reason; those before it are gone
 */
export async function removeFromSource(host: Host, entries: readonly ServerEntry[]): Promise<void> {
  const { t } = vscode.l10n;
  const undos: Undo[] = [];
  const [first] = entries;
  try {
    for (const entry of entries) undos.push(await removeEntry(host, entry));
  } finally {
    const text =
      undos.length === 1 && first
        ? t('Removed “{0}” from {1}.', first.name, localized(first.source.label))
        : t('Removed {0} servers.', undos.length);
    if (undos.length > 0) offerUndo(host, text, undos);
  }
}

/**
 * Takes one definition away. @returns what undoes it
 * @throws SwitchboardError as `removeFromSource`
 */
export async function removeEntry(host: Host, entry: ServerEntry): Promise<Undo> {
  const { id, status } = host.views.find(({ definition }) => definition.entry === entry)?.definition ?? {};
  const undo = await removed(host, entry, id);
  await host.config.reload();
  // Whoever comes by its name later isn't turned off.
  const wasOff = id !== undefined && status?.kind === 'disabled' && status.by === 'user';
  if (wasOff) await host.servers.setDisabled(id, false);
  return async () => {
    if (wasOff) await host.servers.setDisabled(id, true);
    await undo();
  };
}

async function removed(host: Host, entry: ServerEntry, id: string | undefined): Promise<Undo> {
  const { source, name } = entry;
  if (!canBeRemoved({ definition: { entry } }))
    throw new SwitchboardError('unsupported', say`“${name}” is defined by ${source.label}, which isn’t edited here.`);
  if (source.file !== undefined) return fromFile(entry, vscode.Uri.file(source.file));
  if (source.id === USER_SETTING_ID)
    return editServersSetting(
      ({ [name]: _gone, ...rest }) => rest,
      (now, before) => ({ ...now, [name]: before[name] }),
    );
  if (id !== undefined) host.servers.removeAdded(id);
  return async () => {
    host.servers.addForSession(name, entry.transport, entry);
  };
}

async function fromFile({ name, source }: ServerEntry, uri: vscode.Uri): Promise<Undo> {
  const { readToml } = await import('../../config/syntax/readToml.ts');
  let taken: ReturnType<typeof removeServer>['removed'];
  return editWithUndo(
    uri,
    (text) => {
      const edited = removeServer(text, source, name, readToml);
      taken = edited.removed;
      return edited;
    },
    (text) => (taken && !uri.path.endsWith('.toml') ? editConfigFile(text, () => (taken ? [taken] : [])) : undefined),
  );
}
