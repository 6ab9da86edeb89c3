import { say } from '../../base/say.ts';
import * as vscode from 'vscode';
import { isRecord } from '../../base/json/json.ts';
import { entryAsJson, entryWithInputs, importServers } from '../../config/clients/importServers.ts';
import { USER_SETTING_ID } from '../../config/ownSources.ts';
import type { ConfigSource, ServerEntry } from '../../config/configTypes.ts';
import type { ServerSection } from '../../config/edit/serverPlace.ts';
import type { PastedServer } from '../../config/paste/readPasted.ts';
import { parseSource } from '../../config/read/parseSource.ts';
import type { Host } from '../../host/host.ts';
import { knownAnswer, rememberAnswer, sessionEntry } from '../../servers/answersWhileAdding.ts';
import { fingerprintOf } from '../../servers/trust/fingerprint.ts';
import { changeConfigFile, type Target } from './writeConfig.ts';

/** Where servers are saved: the file, if the scope has one. */
export interface SavePlace {
  readonly target: Target;
  readonly file?: vscode.Uri;
  /** For users. */
  readonly label: string;
}

/** Whether others see what stands in a scope: its file is one of the folder. */
export function isShared(target: Target): boolean {
  return target === 'project' || target === 'workspace' || target === 'repository';
}

/** What will stand in a scope's file or setting, as it is written. */
export function writtenText({ target }: SavePlace, servers: readonly PastedServer[]): string {
  const entries = servers.map(({ entry }) => entry);
  if (target === 'user')
    return JSON.stringify(
      Object.fromEntries(entries.map((entry) => [entry.name, entryWithInputs(entry)])),
      undefined,
      2,
    );
  const { edited } = importServers('', sectionOf(target), entries);
  return 'text' in edited ? edited.text.trimEnd() : '';
}

/**
 * Writes servers into a scope. What the user has given for their inputs goes along, so that nobody asks again.
 * @returns the ids of the saved ones; `undefined` if nothing was written
 */
export async function saveServers(
  host: Host,
  { target, file }: SavePlace,
  servers: readonly PastedServer[],
): Promise<readonly string[] | undefined> {
  const written = async (source: ConfigSource | undefined, text: string): Promise<void> => {
    if (source) await handOver(host, parseSource(source, text).entries, servers);
  };
  const sources = host.config.snapshot.results.map(({ source }) => source);
  const source = sources.find((each) =>
    file ? each.format === 'mcp' && each.file === file.fsPath : each.id === USER_SETTING_ID,
  );
  const entries = servers.map(({ entry }) => entry);
  if (!file) {
    const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
    const value = settings.inspect('servers')?.globalValue;
    const added = Object.fromEntries(entries.map((entry) => [entry.name, entryWithInputs(entry)]));
    const all = { ...(isRecord(value) ? value : {}), ...added };
    await written(source, JSON.stringify({ mcpServers: all }));
    await settings.update('servers', all, vscode.ConfigurationTarget.Global);
  } else {
    const isChanged = await changeConfigFile(
      file,
      target === 'workspace' || target === 'local' ? target : 'project',
      async (text) => {
        const { edited, skipped } = importServers(text, sectionOf(target), entries);
        if ('text' in edited && skipped.length > 0)
          return { refusal: { line: 1, column: 1, message: say`\`${skipped.join('`, `')}\` is in it already.` } };
        if ('text' in edited) await written(source, edited.text);
        return edited;
      },
    );
    if (!isChanged) return undefined;
  }
  await host.config.reload();
  const names = new Set(entries.map(({ name }) => name));
  const ids = host.servers.definitions
    .filter(({ entry }) => entry.source.id === source?.id && names.has(entry.name))
    .map(({ id }) => id);
  // An earlier one of the name may have been turned off.
  for (const id of ids) await host.servers.setDisabled(id, false);
  return ids;
}

function sectionOf(target: Target): ServerSection {
  return target === 'workspace' ? 'servers' : 'mcpServers';
}

/** What was answered before the servers were saved is known for the saved ones. */
async function handOver(host: Host, saved: readonly ServerEntry[], servers: readonly PastedServer[]): Promise<void> {
  const { values } = host;
  if (!values) return;
  for (const { entry, answers } of servers) {
    const trial = sessionEntry(entry);
    const next = saved.find(({ name }) => name === entry.name);
    for (const input of entry.inputs ?? []) {
      const answer = (await knownAnswer(values, trial, input)) ?? answers.get(input.id);
      await rememberAnswer(values, trial, input, undefined);
      const own = next?.inputs?.find(({ id }) => id === input.id);
      if (next && own && answer !== undefined) await rememberAnswer(values, next, own, answer);
    }
  }
}

/**
 * Approves saved servers as they were shown, where the approval changes nothing else; asks about the others.
 * @param shown what the user has seen and approved
 */
export async function approveSaved(host: Host, ids: readonly string[], shown: readonly PastedServer[]): Promise<void> {
  const asked: string[] = [];
  for (const id of ids) {
    const definition = host.servers.get(id);
    if (definition?.status.kind !== 'needs-approval') continue;
    const seen = shown.find(({ entry }) => entry.name === definition.entry.name);
    const isSame = seen !== undefined && sameEntry(seen.entry, definition.entry);
    if (isSame && (await host.consequencesOf(id)).length === 0)
      await host.servers.approve([id], new Map([[id, definition.fingerprint]]));
    else asked.push(id);
  }
  if (asked.length > 0) await vscode.commands.executeCommand('mcpSwitchboard.review', asked);
}

/** Whether what stands in the file runs what was shown. */
function sameEntry(shown: ServerEntry, saved: ServerEntry): boolean {
  const section = saved.section === 'servers' ? 'servers' : 'mcpServers';
  const again = entryAsJson(shown, section);
  const text = JSON.stringify({ inputs: shown.inputs ?? [], [section]: { [shown.name]: again } });
  const [read] = parseSource(saved.source, text).entries;
  return read !== undefined && fingerprintOf(read) === fingerprintOf(saved);
}
