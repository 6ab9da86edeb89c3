// Loaded when the first server is copied or moved.
import { say } from '../../../base/say.ts';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../../base/errors.ts';
import { plainText } from '../../../bridge/text/safeText.ts';
import { USER_SETTING_ID } from '../../../config/ownSources.ts';
import { shareableServer } from '../../../config/clients/shareableEntry.ts';
import { OWN_SCOPES, type ServerEntry } from '../../../config/configTypes.ts';
import { removeServer } from '../../../config/edit/removeServer.ts';
import type { PastedServer } from '../../../config/paste/readPasted.ts';
import type { Host } from '../../../host/host.ts';
import { SESSION_SOURCE } from '../../../servers/addedServers.ts';
import { knownAnswer, rememberAnswer, sessionEntry } from '../../../servers/answersWhileAdding.ts';
import { confirm } from '../../askChoice.ts';
import { removeEntry } from '../../servers/removeServerCommand.ts';
import { approveSaved, isShared, saveServers, type SavePlace } from '../saveServers.ts';
import type { Target } from '../writeConfig.ts';
import { keepFile, offerUndo, type Undo } from './fileUndo.ts';
import { editServersSetting } from './ownSetting.ts';

/**
 * Copies servers to another scope, or moves them: each as it is written, with its inputs and what was answered to them. Asks
 * first where others see that scope; the notification undoes it. A server that ran goes on without a new approval, where it
 * is the same.
 * @returns the ids of the new ones; `undefined` where the user cancelled, or nothing was written
 * @throws SwitchboardError `denied` where it would come to run without an approval, `unsupported` where the scope has a server of that name, or a file can't be changed
 */
export async function copyServers(
  host: Host,
  entries: readonly ServerEntry[],
  place: SavePlace,
  { isMove, isAsked = false }: { readonly isMove: boolean; readonly isAsked?: boolean },
): Promise<readonly string[] | undefined> {
  const { t } = vscode.l10n;
  const [first] = entries;
  if (!first) return undefined;
  refuseBroken(host, entries);
  refuseTaken(host, entries, place);
  if (!isShared(place.target)) refuseUnapproved(host, entries);
  if (isShared(place.target) && !isAsked && !(await confirmShared(entries, place, isMove))) return undefined;
  const before = entries.map((entry) => host.views.find(({ definition }) => definition.entry === entry)?.definition);
  const servers = await Promise.all(entries.map((entry) => travelling(host, entry, place.target)));
  const { ids, undo } = await save(host, place, servers);
  if (!ids) return undefined;
  const ran = servers.filter((_, index) => before[index]?.status.kind === 'ready');
  const undos: Undo[] = [undo];
  try {
    if (isMove) for (const entry of entries) undos.push(await removeEntry(host, entry));
  } catch (error) {
    // Half a move is none.
    for (const each of undos.toReversed()) await each();
    await host.config.reload();
    throw error;
  }
  await host.config.reload();
  const byName = new Map(ids.map((id) => [host.servers.get(id)?.entry.name, id]));
  for (const definition of before) {
    const id = byName.get(definition?.entry.name);
    const wasOff = definition?.status.kind === 'disabled' && definition.status.by === 'user';
    if (id !== undefined && wasOff) await host.servers.setDisabled(id, true);
  }
  const running = new Set(ran.map(({ entry }) => entry.name));
  const again = ids.filter((id) => running.has(host.servers.get(id)?.entry.name ?? ''));
  await approveSaved(host, again, ran);
  const where = place.target === 'session' ? t('this session') : place.label;
  const text =
    entries.length === 1
      ? isMove
        ? t('Moved “{0}” to {1}.', first.name, where)
        : t('Copied “{0}” to {1}.', first.name, where)
      : isMove
        ? t('Moved {0} servers to {1}.', entries.length, where)
        : t('Copied {0} servers to {1}.', entries.length, where);
  offerUndo(host, text, undos);
  return ids;
}

/** The question before a server comes to where others see it. */
export async function confirmShared(
  entries: readonly ServerEntry[],
  { label }: SavePlace,
  isMove: boolean,
): Promise<boolean> {
  const { t } = vscode.l10n;
  const names = plainText(entries.map(({ name }) => name).join(', '));
  const question = isMove ? t('Move {0} to {1}?', names, label) : t('Copy {0} to {1}?', names, label);
  return confirm(question, isMove ? t('Move') : t('Copy'), sharedNote(entries));
}

/** What everybody will see who has the folder. */
export function sharedNote(entries: readonly ServerEntry[]): string {
  const { t } = vscode.l10n;
  const made = entries.map((entry) => shareableServer(asIs(entry)));
  const hasSecrets = made.some(({ server }) => server.answers.size > 0);
  const seen = t('Everyone who has this folder’s files sees it, and is asked to approve it.');
  const kept = hasSecrets ? [t('Secrets stay on this machine: the file gets inputs for them.')] : [];
  return [seen, ...kept, ...made.flatMap(({ notes }) => notes.map(plainText))].join(' ');
}

async function travelling(host: Host, entry: ServerEntry, target: Target): Promise<PastedServer> {
  const server = isShared(target) ? shareableServer(asIs(entry)).server : asIs(entry);
  const answers = new Map(server.answers);
  for (const input of entry.inputs ?? []) {
    const answer = host.values && (await knownAnswer(host.values, entry, input));
    if (answer !== undefined) answers.set(input.id, answer);
  }
  return { ...server, answers };
}

function asIs(entry: ServerEntry): PastedServer {
  return { entry, read: entry, isNamed: true, answers: new Map() };
}

function refuseTaken(host: Host, entries: readonly ServerEntry[], { target, file, label }: SavePlace): void {
  const id = target === 'session' ? SESSION_SOURCE.id : USER_SETTING_ID;
  const there = host.config.snapshot.results.filter(({ source }) =>
    file ? source.format === 'mcp' && source.file === file.fsPath : source.id === id,
  );
  const names = new Set([
    ...there.flatMap((result) => [...result.entries, ...(result.broken ?? [])].map(({ name }) => name)),
    ...host.servers.definitions.flatMap(({ entry }) => (!file && entry.source.id === id ? [entry.name] : [])),
  ]);
  const taken = entries.find(({ name }) => names.has(name));
  if (!taken) return;
  const where = target === 'session' ? say`This session` : label;
  throw new SwitchboardError('unsupported', say`${where} has a server “${taken.name}” already. Nothing was changed.`, {
    remedy: say`Rename or remove one of them first.`,
  });
}

/** What can't be read can't be written elsewhere, nor can what only an extension has. */
function refuseBroken(host: Host, entries: readonly ServerEntry[]): void {
  const own = entries.find(({ transport }) => transport.type === 'sdk');
  if (own) throw new SwitchboardError('unsupported', say`“${own.name}” is in an extension, and no file can define it.`);
  const broken = host.servers.definitions.find(
    ({ entry, status }) => entries.includes(entry) && status.kind === 'problem',
  );
  if (broken)
    throw new SwitchboardError('unsupported', say`“${broken.name}” has a configuration error. Nothing was changed.`, {
      remedy: say`Fix it first.`,
    });
}

/** Servers of the user's own scopes run without an approval: nothing comes there that has none. */
function refuseUnapproved(host: Host, entries: readonly ServerEntry[]): void {
  const approved = new Map(host.servers.approvals.map(({ id, verdict, fingerprint }) => [id, verdict + fingerprint]));
  const isBacked = (entry: ServerEntry): boolean => {
    const definition = host.servers.definitions.find((each) => each.entry === entry);
    return (
      definition !== undefined &&
      (OWN_SCOPES.has(entry.scope) ||
        definition.status.kind === 'ready' ||
        entry.source.id === SESSION_SOURCE.id ||
        approved.get(definition.id) === `approved${definition.fingerprint}`)
    );
  };
  const first = entries.find((entry) => !isBacked(entry));
  if (!first) return;
  throw new SwitchboardError(
    'denied',
    say`“${first.name}” isn’t approved, and servers there run without an approval.`,
    {
      remedy: say`Approve it first.`,
    },
  );
}

async function save(
  host: Host,
  place: SavePlace,
  servers: readonly PastedServer[],
): Promise<{ readonly ids: readonly string[] | undefined; readonly undo: Undo }> {
  const names = servers.map(({ entry }) => entry.name);
  if (place.target === 'session') {
    for (const { entry, answers } of servers)
      for (const input of entry.inputs ?? []) {
        const answer = answers.get(input.id);
        if (host.values && answer !== undefined) await rememberAnswer(host.values, sessionEntry(entry), input, answer);
      }
    const ids = servers.map(({ entry }) =>
      host.servers.addForSession(entry.name, entry.transport, sessionEntry(entry)),
    );
    return { ids, undo: async () => ids.forEach((id) => host.servers.removeAdded(id)) };
  }
  const { file } = place;
  if (!file) {
    const ids = await saveServers(host, place, servers);
    const without = ([name]: [string, unknown]): boolean => !names.includes(name);
    const undo = async (): Promise<void> => {
      await editServersSetting(
        (now) => Object.fromEntries(Object.entries(now).filter(without)),
        (now) => now,
      );
    };
    return { ids, undo };
  }
  const kept = await keepFile(file);
  const ids = await saveServers(host, place, servers);
  const source = host.servers.get(ids?.[0] ?? '')?.entry.source;
  const undo = await kept.written((text) =>
    names.reduce<ReturnType<typeof removeServer> | undefined>(
      (edited, name) => (source && edited && 'text' in edited ? removeServer(edited.text, source, name) : edited),
      source && { text },
    ),
  );
  return { ids, undo };
}
