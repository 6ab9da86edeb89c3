// Loaded when a definition is replaced by a newer version of it.
import { localized } from '../../../bridge/text/localized.ts';
import { say } from '../../../base/say.ts';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors.ts';
import { isRecord } from '../../../base/json/json.ts';
import { USER_SETTING_ID } from '../../../config/ownSources.ts';
import type { InputDefinition, ServerEntry } from '../../../config/configTypes.ts';
import { inputChange, replaceWithInputs, withOwnInputs } from '../../../config/edit/replaceInputs.ts';
import type { PastedServer } from '../../../config/paste/readPasted.ts';
import type { Host } from '../../../host/host.ts';
import { knownAnswer, rememberAnswer } from '../../../servers/answersWhileAdding.ts';
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
  const { values } = host;
  const old = new Map<InputDefinition, string>();
  const wasReady = host.servers.definitions.some((each) => each.entry === entry && each.status.kind === 'ready');
  for (const input of entry.inputs ?? []) {
    const answer = values && (await knownAnswer(values, entry, input));
    if (answer !== undefined) old.set(input, answer);
  }
  // Where an input has another answer and nothing else is new, the server would go on with the old one.
  const isAnswered = [...old].some(([{ id }, answer]) => (next.answers.get(id) ?? answer) !== answer);
  const restart = async (id: string): Promise<void> => {
    const connection = host.pool.get(id);
    if (isAnswered && connection && connection.state.kind !== 'disconnected') await host.pool.restart(id);
  };
  const undoEdit = await write(entry, next, change);
  await host.config.reload();
  const definition = host.servers.definitions.find(
    (each) => each.entry.source.id === source.id && each.entry.name === name,
  );
  if (definition && values) {
    const answers = new Map([...[...old].map(([{ id }, answer]) => [id, answer] as const), ...next.answers]);
    const inputs = definition.entry.inputs ?? [];
    for (const input of entry.inputs ?? [])
      // Other answers are those of other servers of the file, too.
      if (input.type === 'promptString' && input.password && !inputs.some(({ id }) => id === input.id))
        await rememberAnswer(values, entry, input, undefined);
    for (const input of inputs) {
      const answer = answers.get(input.id);
      if (answer !== undefined) await rememberAnswer(values, definition.entry, input, answer);
    }
    await restart(definition.id);
  }
  if (definition && wasReady)
    await approveSaved(
      host,
      [definition.id],
      isExact ? [{ ...next, entry: { ...definition.entry, transport: next.entry.transport } }] : [],
    );
  const undo = async (): Promise<void> => {
    await undoEdit();
    if (!values) return;
    for (const [input, answer] of old) await rememberAnswer(values, entry, input, answer);
    if (definition) await restart(definition.id);
  };
  offerUndo(host, vscode.l10n.t('Updated “{0}” in {1}.', name, localized(source.label)), [undo]);
}

async function write(
  entry: ServerEntry,
  next: PastedServer,
  change: (value: Value) => Value,
): Promise<() => Promise<void>> {
  const { source, name } = entry;
  const inputs = inputChange(entry.inputs, next.entry.inputs);
  if (source.file !== undefined)
    return editWithUndo(
      vscode.Uri.file(source.file),
      (text) => replaceWithInputs(text, source, name, change, inputs),
      () => undefined,
    );
  if (source.id !== USER_SETTING_ID)
    throw new SwitchboardError('unsupported', say`“${name}” can’t be changed in ${source.label}.`);
  return editServersSetting(
    (servers) => {
      const value = servers[name];
      return isRecord(value) ? { ...servers, [name]: withOwnInputs(change(value), inputs) } : servers;
    },
    (now, before) => ({ ...now, [name]: before[name] }),
  );
}
