// Loaded when a field of a server is first changed.
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json/json.ts';
import { USER_SETTING_ID } from '../../../config/configSources.ts';
import { changedEntry, changeServer, type EntryChanges } from '../../../config/edit/changeServer.ts';
import type { Host } from '../../../host/host.ts';
import type { ServerDefinition } from '../../../servers/serverTypes.ts';
import { fingerprintOf } from '../../../servers/trust/fingerprint.ts';
import { editWithUndo, type Undo } from './fileUndo.ts';
import { editServersSetting } from './ownSetting.ts';

/**
 * Changes fields of a server where it is defined, in a file or in the setting, and reads it again. Where the user stood
 * behind it, and nothing but which tools it offers is another, they still do.
 * @returns what undoes it
 * @throws SwitchboardError `unsupported` with the reason where it can't be changed there
 */
export async function changeEntry(host: Host, before: ServerDefinition, changesFor: EntryChanges): Promise<Undo> {
  const { id, entry } = before;
  const undo = await change(before, changesFor);
  await host.config.reload();
  const after = host.servers.get(id);
  const isBacked = before.status.kind === 'ready' && after?.status.kind === 'needs-approval';
  if (
    isBacked &&
    fingerprintOf({ ...after.entry, ...toolsOf(entry) }) === fingerprintOf({ ...entry, ...toolsOf(entry) })
  )
    await host.servers.approve([id], new Map([[id, after.fingerprint]]));
  return undo;
}

function toolsOf({ tools, toolOverrides }: ServerDefinition['entry']): object {
  return { tools, toolOverrides };
}

async function change({ entry }: ServerDefinition, changesFor: EntryChanges): Promise<Undo> {
  const { source, name } = entry;
  if (source.file !== undefined)
    return editWithUndo(
      vscode.Uri.file(source.file),
      (text) => changeServer(text, source, name, changesFor),
      () => undefined,
    );
  if (source.id !== USER_SETTING_ID)
    throw new SwitchboardError('unsupported', `“${name}” is defined by ${source.label}, which isn’t edited here.`);
  return editServersSetting(
    (servers) => {
      const own = servers[name];
      const changes = isRecord(own) ? changesFor(own) : [];
      if (typeof changes === 'string') throw new SwitchboardError('unsupported', changes);
      return isRecord(own) ? { ...servers, [name]: changedEntry(own, changes) } : servers;
    },
    (now, servers) => ({ ...now, [name]: servers[name] }),
  );
}
