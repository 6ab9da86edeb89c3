import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogLines.ts';
import { plainText } from '../../bridge/safeText.ts';
import { serverWarning } from '../../bridge/warningText.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import { renamed, type Pasted, type PastedServer } from '../../config/paste/readPasted.ts';
import type { Host } from '../../host/host.ts';
import { describeLaunch } from '../../servers/trust/summary/launchSummary.ts';
import { NameIndex } from '../../servers/trust/lookAlikeNames.ts';
import { quoted } from '../../servers/trust/summary/quotedText.ts';
import { askChoice } from '../askChoice.ts';
import { fileLine } from '../fileLine.ts';
import { askHeader } from './askHeader.ts';
import { askPasted } from './pasteBox.ts';
import { savePlaceOf } from './savePlace.ts';
import { approveSaved, saveServers, writtenText, type SavePlace } from './saveServers.ts';
import { forgetTrial, tryServers } from './trialRun.ts';
import { targetItem, TARGETS, type Target } from './writeConfig.ts';

/**
 * *Add Server…*: asks for servers in any form, for their names and a scope, shows what runs and what is written, connects,
 * and writes. Closing any question leaves nothing written and no process.
 * @param line the text to start with: whoever runs the command may give it, so it is shown
 * @returns the names, parted by commas; `undefined` if the user cancelled
 */
export async function addServerInteractively(
  host: Host,
  options: SourceOptions,
  line = '',
): Promise<string | undefined> {
  const [{ readToml }, { readYaml }] = await Promise.all([
    import('../../config/syntax/readToml.ts'),
    import('../../config/syntax/readYaml.ts'),
  ]);
  for (let text = line; ;) {
    const taken = new Set(host.views.map(({ definition }) => definition.entry.name));
    const read = await askPasted(text, { platform: process.platform, taken, readToml, readYaml });
    const servers = read && (await chooseServers(read.pasted, taken));
    const place = servers && (await askPlace(host, options, servers, read.pasted.leftOut));
    if (!place) return undefined;
    const outcome = await addTo(host, place, servers, read.pasted.leftOut);
    if (place.target !== 'session' || outcome === undefined || outcome === 'edit') await forgetTrial(host, servers);
    if (outcome !== 'edit') return outcome;
    text = read.text;
  }
}

/** Connects and saves. @returns the names; `edit` to go back to the text; `undefined` if the user cancelled */
async function addTo(
  host: Host,
  place: SavePlace,
  chosen: readonly PastedServer[],
  notes: readonly string[],
): Promise<string | undefined> {
  const names = (): string => servers.map(({ entry }) => entry.name).join(', ');
  let servers = chosen;
  for (;;) {
    const answer = place.target === 'session' ? 'connect' : await confirmSaving(host, place, servers, notes);
    if (answer === undefined || answer === 'edit') return answer;
    if (answer === 'save') return (await saveServers(host, place, servers)) ? names() : undefined;
    for (let isAgain = true; isAgain;) {
      const trial = await tryServers(host, servers);
      if (trial.failures.length === 0 && !trial.isCancelled) {
        if (place.target === 'session') return names();
        await trial.end();
        return (await saveApproved(host, place, trial.servers)) ? names() : undefined;
      }
      await trial.end();
      if (trial.isCancelled) return undefined;
      const next = await askAfterFailure(place, servers, trial.failures);
      if (next === 'save') return (await saveApproved(host, place, servers)) ? names() : undefined;
      if (next === undefined || next === 'edit') return next;
      const [first] = servers;
      const header = next === 'header' && first ? await askHeader(first) : undefined;
      if (next === 'header' && !header) return undefined;
      if (header) servers = [header];
      // With another header, other things are written.
      isAgain = !header || place.target === 'session';
    }
  }
}

async function saveApproved(host: Host, place: SavePlace, servers: readonly PastedServer[]): Promise<boolean> {
  const ids = await saveServers(host, place, servers);
  if (ids) await approveSaved(host, ids, servers);
  return ids !== undefined;
}

/** Which of several, and what a server is called whose name isn't given or is in use. */
async function chooseServers(pasted: Pasted, taken: ReadonlySet<string>): Promise<readonly PastedServer[] | undefined> {
  const several = pasted.servers.length > 1 ? await pickServers(pasted.servers) : pasted.servers;
  const servers: PastedServer[] = [];
  for (const server of several ?? []) {
    const { name } = server.entry;
    const used = new Set([...taken, ...servers.map(({ entry }) => entry.name)]);
    if (server.isNamed && !used.has(name)) servers.push(server);
    else {
      const chosen = (await askName(name, used))?.trim();
      if (!chosen) return undefined;
      servers.push(renamed(server, chosen));
    }
  }
  return servers.length > 0 ? servers : undefined;
}

async function pickServers(servers: readonly PastedServer[]): Promise<readonly PastedServer[] | undefined> {
  const items = servers.map((server) => ({
    label: plainText(server.entry.name),
    detail: plainText(describeLaunch(server.entry)[0] ?? ''),
    picked: true,
    server,
  }));
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, {
      canPickMany: true,
      title: vscode.l10n.t('Add MCP Servers: Select Servers'),
      ignoreFocusOut: true,
    }),
  );
  return picked?.map(({ server }) => server);
}

async function askName(suggestion: string, taken: ReadonlySet<string>): Promise<string | undefined> {
  const { t } = vscode.l10n;
  return ownInputs.ask(() =>
    vscode.window.showInputBox({
      title: t('Add MCP Server'),
      prompt: t('Server name'),
      value: suggestion,
      ignoreFocusOut: true,
      validateInput: (value) => {
        if (value.trim() === '') return t('Enter a name.');
        return taken.has(value.trim()) ? t('Name already in use') : undefined;
      },
    }),
  );
}

/** Shows what will run, word for word, in lines: the editor cuts a long word in a title. */
async function askPlace(
  host: Host,
  options: SourceOptions,
  servers: readonly PastedServer[],
  notes: readonly string[],
): Promise<SavePlace | undefined> {
  const { t } = vscode.l10n;
  const target = await askChoice<Target>({
    title: t('Add MCP Server'),
    placeHolder: t('Where to save?'),
    choices: TARGETS.filter((each) => each !== 'local' || options.localFile !== undefined).map((each) => ({
      ...targetItem<Target>(each),
      value: each,
    })),
    about: t('What runs'),
    lines: await whatRuns(host, servers, notes),
  });
  return target && savePlaceOf(target, options);
}

async function whatRuns(host: Host, servers: readonly PastedServer[], notes: readonly string[]): Promise<string[]> {
  const lines: string[] = notes.map((note) => `⚠ ${note}`);
  for (const { entry } of servers) {
    const warnings = new NameIndex(host.namesInUse.servers()).warningsOf(entry.name);
    lines.push(...warnings.map((warning) => `⚠ ${serverWarning(entry.name, warning)}`));
    lines.push(`${quoted(entry.name)}:`, ...describeLaunch(entry), ...(await host.filesOf(entry)).map(fileLine));
  }
  return lines.flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText));
}

/** The approval: what runs, and all that is written, and where. */
async function confirmSaving(
  host: Host,
  place: SavePlace,
  servers: readonly PastedServer[],
  notes: readonly string[],
): Promise<'connect' | 'save' | 'edit' | undefined> {
  const { t } = vscode.l10n;
  const text = writtenText(place, servers).split('\n');
  const indented = text.map((line) => line.replace(/^ +/, (blanks) => '\u00a0'.repeat(blanks.length)));
  return askChoice<'connect' | 'save' | 'edit'>({
    title: t('Add MCP Server'),
    placeHolder: t('Servers run with your permissions, like terminal commands.'),
    choices: [
      { label: `$(debug-start) ${t('Connect and Save')}`, value: 'connect' },
      { label: `$(save) ${t('Save Without Connecting')}`, value: 'save' },
      { label: `$(edit) ${t('Edit…')}`, value: 'edit' },
    ],
    about: t('What is written'),
    lines: [place.label, ...indented].flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText)),
    more: { about: t('What runs'), lines: await whatRuns(host, servers, notes) },
  });
}

async function askAfterFailure(
  { target }: SavePlace,
  servers: readonly PastedServer[],
  failures: readonly string[],
): Promise<'again' | 'header' | 'edit' | 'save' | undefined> {
  const { t } = vscode.l10n;
  const canHaveHeader = servers.length === 1 && 'url' in (servers[0]?.entry.transport ?? {});
  return askChoice<'again' | 'header' | 'edit' | 'save'>({
    title: t('Could not connect. Nothing was saved.'),
    placeHolder: t('What next?'),
    choices: [
      { label: `$(refresh) ${t('Try Again')}`, value: 'again' },
      ...(canHaveHeader ? [{ label: `$(key) ${t('Add Header…')}`, value: 'header' as const }] : []),
      { label: `$(edit) ${t('Edit…')}`, value: 'edit' },
      ...(target === 'session' ? [] : [{ label: `$(save) ${t('Save Anyway')}`, value: 'save' as const }]),
    ],
    about: t('Reason'),
    lines: failures.flatMap((line) => wrapped(line.replaceAll(/\s*\n\s*/g, ' '), LINE_LENGTH).map(plainText)),
  });
}
