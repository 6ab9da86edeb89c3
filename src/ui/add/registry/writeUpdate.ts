// Loaded when a definition is replaced by a newer version of it.
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json/json.ts';
import { USER_SETTING_ID } from '../../../config/configSources.ts';
import type { ServerEntry } from '../../../config/configTypes.ts';
import { replaceServer } from '../../../config/edit/replaceServer.ts';
import type { PastedServer } from '../../../config/paste/readPasted.ts';
import type { Host } from '../../../host/host.ts';
import { knownAnswer, rememberAnswer } from '../../../servers/inputAnswers.ts';
import { approveSaved } from '../../config/saveServers.ts';
import { editWithUndo, offerUndo } from '../../config/edit/fileUndo.ts';
import { editServersSetting } from '../../config/edit/ownSetting.ts';

type Value = Readonly<Record<string, unknown>>;

/**
 * Replaces a definition where it stands. Its answers go along, and one that was approved stays so, since the user has seen the
 * difference, but for one that was changed by hand; the notification undoes it.
 * @param change the new value, given the one that stands there
 * @param isExact whether nobody changed the old one by hand
 */
export async function writeUpdate(
  host: Host,
  entry: ServerEntry,
  next: PastedServer,
  { change, isExact }: { readonly change: (value: Value) => Value; readonly isExact: boolean },
): Promise<void> {
  const { source, name } = entry;
  const answers = new Map(next.answers);
  const wasReady = host.servers.definitions.some((each) => each.entry === entry && each.status.kind === 'ready');
  for (const input of entry.inputs ?? []) {
    const answer = host.values && (await knownAnswer(host.values, entry, input));
    if (answer !== undefined) answers.set(input.id, answer);
  }
  const undo = await write(entry, next, change);
  await host.config.reload();
  const definition = host.servers.definitions.find(
    (each) => each.entry.source.id === source.id && each.entry.name === name,
  );
  if (definition && host.values)
    for (const input of definition.entry.inputs ?? []) {
      const answer = answers.get(input.id);
      if (answer !== undefined) await rememberAnswer(host.values, definition.entry, input, answer);
    }
  if (definition && wasReady)
    await approveSaved(
      host,
      [definition.id],
      isExact ? [{ ...next, entry: { ...definition.entry, transport: next.entry.transport } }] : [],
    );
  offerUndo(host, vscode.l10n.t('Updated “{0}” in {1}.', name, source.label), [undo]);
}

async function write(
  { source, name, inputs = [] }: ServerEntry,
  next: PastedServer,
  change: (value: Value) => Value,
): Promise<() => Promise<void>> {
  const known = new Set(inputs.map(({ id }) => id));
  const fresh = (next.entry.inputs ?? []).filter(({ id }) => !known.has(id));
  // Inputs of the entry itself: a file's list is left as it is.
  const withInputs = (value: Value): Value => {
    const own = Array.isArray(value['inputs']) ? (value['inputs'] as unknown[]) : [];
    const changed = change(value);
    return fresh.length === 0 ? changed : { ...changed, inputs: [...own, ...fresh] };
  };
  if (source.file !== undefined)
    return editWithUndo(
      vscode.Uri.file(source.file),
      (text) => replaceServer(text, source, name, withInputs),
      () => undefined,
    );
  if (source.id !== USER_SETTING_ID)
    throw new SwitchboardError('unsupported', `“${name}” can’t be changed in ${source.label}.`);
  return editServersSetting(
    (servers) => {
      const value = servers[name];
      return isRecord(value) ? { ...servers, [name]: withInputs(value) } : servers;
    },
    (now, before) => ({ ...now, [name]: before[name] }),
  );
}
