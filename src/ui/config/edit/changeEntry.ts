// Loaded when a field of a server is first changed.
import { say } from '../../../base/say.ts';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json/json.ts';
import { USER_SETTING_ID } from '../../../config/ownSources.ts';
import { changedEntry, changeServer, type EntryChanges } from '../../../config/edit/changeServer.ts';
import type { ServerEntry } from '../../../config/configTypes.ts';
import { parseSource } from '../../../config/read/parseSource.ts';
import type { Host } from '../../../host/host.ts';
import { keepApproved } from '../../../servers/keepApproved.ts';
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
  let undo: Undo = () => Promise.resolve();
  await keepApproved(host.servers, before.id, async (expect) => {
    undo = await change(before, changesFor, (text, edited) => {
      // What others have written since it was read is no edit of ours.
      const isAsRead = fingerprintIn(text, before.entry) === before.fingerprint;
      if (before.status.kind === 'ready' && isAsRead) expect(fingerprintIn(edited, before.entry));
    });
    await host.config.reload();
  });
  return undo;
}

/** The fingerprint of an entry whose file has this text, where nothing but which tools it offers is another. */
function fingerprintIn(text: string, entry: ServerEntry): string {
  const now = parseSource(entry.source, text).entries.find(({ name }) => name === entry.name);
  return fingerprintOf({ ...entry, ...toolsOf(now ?? entry) });
}

function toolsOf({ tools, toolOverrides }: ServerEntry): object {
  return { tools, toolOverrides };
}

/** @param onEdit is told the text and what becomes of it, before that is written */
async function change(
  { entry }: ServerDefinition,
  changesFor: EntryChanges,
  onEdit: (text: string, edited: string) => void,
): Promise<Undo> {
  const { source, name } = entry;
  if (source.file !== undefined)
    return editWithUndo(
      vscode.Uri.file(source.file),
      (text) => {
        const edited = changeServer(text, source, name, changesFor);
        if ('text' in edited) onEdit(text, edited.text);
        return edited;
      },
      () => undefined,
    );
  if (source.id !== USER_SETTING_ID)
    throw new SwitchboardError('unsupported', say`“${name}” is defined by ${source.label}, which isn’t edited here.`);
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
