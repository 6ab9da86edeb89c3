// Loaded when servers are added.
import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogs/dialogLines.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { serverWarning } from '../../bridge/text/warningText.ts';
import { shareableServer } from '../../config/clients/shareableEntry.ts';
import type { SourceOptions } from '../../config/configSources.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { isComment } from '../../config/read/serverMaps.ts';
import { renamed, type PastedServer } from '../../config/paste/readPasted.ts';
import type { Host } from '../../host/host.ts';
import { launchLines } from '../../bridge/text/launchLines.ts';
import { NameIndex } from '../../servers/trust/lookAlikeNames.ts';
import { quoted } from '../../servers/trust/summary/quotedText.ts';
import { readPolicies } from '../../platform/settings/configSettings.ts';
import { policyVerdict } from '../../servers/trust/policyVerdict.ts';
import { filePolicies } from '../../servers/trust/serverPolicy.ts';
import { askChoice } from '../askChoice.ts';
import { askText } from '../askText.ts';
import { fileLine } from '../fileLine.ts';
import { takesNamesFromServers } from '../../bridge/gateway/editor/editorVersions.ts';
import { isSharedWithEditor } from '../../host/views/serverView.ts';
import { askHeader } from './askHeader.ts';
import { savePlaceOf } from '../config/savePlace.ts';
import { approveSaved, isShared, saveServers, writtenText, type SavePlace } from '../config/saveServers.ts';
import { forgetTrial, tryServers, type TrialFailure } from './trialRun.ts';
import { availableTargets, targetItem, type Target } from '../config/writeConfig.ts';

/** Servers that the user wants to add, before their names and their place are known. */
export interface Offer {
  readonly servers: readonly PastedServer[];
  /** What isn't taken of what the user gave, a sentence each. */
  readonly notes: readonly string[];
  /** Files of this machine belong to them, so only scopes of this machine make sense. */
  readonly isOfThisMachine?: true;
}

/** `edit`: back to where the servers came from, with what was entered. */
export type AddOutcome = { readonly names: string } | 'edit' | undefined;

/**
 * Asks for the names and the scope of servers, shows what runs and what is written, connects, and writes. Closing any
 * question leaves nothing written and no process.
 */
export async function addChosen(
  host: Host,
  options: SourceOptions,
  { servers: offered, ...offer }: Offer,
): Promise<AddOutcome> {
  const taken = new Set(host.views.map(({ definition }) => definition.entry.name));
  for (;;) {
    const chosen = await chooseServers(offered, taken);
    if (chosen === undefined || chosen === 'back') return chosen && 'edit';
    const { servers } = chosen;
    const outcome = await placeAndAdd(host, options, { ...offer, servers });
    if (outcome !== 'back') return outcome;
    if (!chosen.isAsked) return 'edit';
  }
}

async function placeAndAdd(host: Host, options: SourceOptions, offer: Offer): Promise<AddOutcome | 'back'> {
  const { servers, notes } = offer;
  for (;;) {
    const place = await askPlace(host, options, offer);
    if (place === undefined || place === 'back') return place;
    const outcome = await addTo(host, place, servers, notes);
    if (place.target !== 'session' || typeof outcome !== 'object') await forgetTrial(host, servers);
    if (outcome !== 'back') return outcome;
  }
}

/** Connects and saves. @returns `back`: another place */
async function addTo(
  host: Host,
  place: SavePlace,
  chosen: readonly PastedServer[],
  offered: readonly string[],
): Promise<AddOutcome | 'back'> {
  const names = (): AddOutcome => ({ names: servers.map(({ entry }) => entry.name).join(', ') });
  let { servers, notes } = writable(place, chosen, offered);
  for (;;) {
    const answer = place.target === 'session' ? 'connect' : await confirmSaving(host, place, servers, notes);
    if (answer === undefined || answer === 'edit' || answer === 'back') return answer;
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
      if (next === undefined || next === 'edit' || next === 'back') return next;
      const [first] = servers;
      const header = next === 'header' && first ? await askHeader(first) : undefined;
      if (next === 'header' && !header) return undefined;
      if (header) ({ servers, notes } = writable(place, [header], offered));
      // With another header, other things are written.
      isAgain = !header || place.target === 'session';
    }
  }
}

/** Servers as a place gets them: where others see it, secrets become inputs. */
function writable(
  { target }: SavePlace,
  chosen: readonly PastedServer[],
  notes: readonly string[],
): Omit<Offer, 'isOfThisMachine'> {
  if (!isShared(target)) return { servers: chosen, notes };
  const made = chosen.map(shareableServer);
  return { servers: made.map(({ server }) => server), notes: [...notes, ...made.flatMap((each) => each.notes)] };
}

/** Saves what was shown and connected; nobody is asked about it meanwhile. */
function saveApproved(host: Host, place: SavePlace, servers: readonly PastedServer[]): Promise<boolean> {
  return ownInputs.ask(async () => {
    const { hosting } = host.servers;
    // Who connects a server here wants it here; the editor would run the file's servers, too. About those of others it asks.
    const isFirst = hosting === 'undecided' && isShared(place.target) && !host.views.some(isSharedWithEditor);
    const isTaken = isFirst && takesNamesFromServers(vscode.version);
    if (isTaken) await host.servers.setHosting('switchboard');
    let ids: readonly string[] | undefined;
    try {
      ids = await saveServers(host, place, servers);
    } finally {
      // Unless another choice was made meanwhile.
      if (!ids && isTaken && host.servers.hosting === 'switchboard') await host.servers.setHosting(hosting);
    }
    if (ids) await approveSaved(host, ids, servers);
    return ids !== undefined;
  });
}

/** Which of several, and what a server is called whose name isn't given or is in use. */
async function chooseServers(
  offered: readonly PastedServer[],
  taken: ReadonlySet<string>,
): Promise<{ readonly servers: readonly PastedServer[]; readonly isAsked: boolean } | 'back' | undefined> {
  const several = offered.length > 1 ? await pickServers(offered) : offered;
  if (several === 'back') return 'back';
  const servers: PastedServer[] = [];
  let isAsked = offered.length > 1;
  for (const server of several ?? []) {
    const { name } = server.entry;
    const used = new Set([...taken, ...servers.map(({ entry }) => entry.name)]);
    if (server.isNamed && !used.has(name)) servers.push(server);
    else {
      isAsked = true;
      const chosen = await askName(name, used);
      if (chosen === undefined) return undefined;
      if (chosen === 'back') return offered.length > 1 ? chooseServers(offered, taken) : 'back';
      servers.push(renamed(server, chosen.text.trim()));
    }
  }
  return servers.length > 0 ? { servers, isAsked } : undefined;
}

async function pickServers(servers: readonly PastedServer[]): Promise<readonly PastedServer[] | 'back' | undefined> {
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { readonly server: PastedServer }>();
  pick.title = vscode.l10n.t('Add MCP Servers: Select Servers');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  pick.buttons = [vscode.QuickInputButtons.Back];
  pick.items = servers.map((server) => ({
    label: plainText(server.entry.name),
    detail: plainText(launchLines(server.entry)[0] ?? ''),
    server,
  }));
  pick.selectedItems = pick.items;
  try {
    return await ownInputs.ask(
      () =>
        new Promise<readonly PastedServer[] | 'back' | undefined>((resolve) => {
          pick.onDidAccept(() => resolve(pick.selectedItems.map(({ server }) => server)));
          pick.onDidTriggerButton(() => resolve('back'));
          pick.onDidHide(() => resolve(undefined));
          pick.show();
        }),
    );
  } finally {
    pick.dispose();
  }
}

function askName(suggestion: string, taken: ReadonlySet<string>): ReturnType<typeof askText> {
  const { t } = vscode.l10n;
  return askText({
    title: t('Add MCP Server'),
    prompt: t('Server name'),
    value: suggestion,
    faultOf: (value) => {
      const name = value.trim();
      if (name === '') return t('Enter a name.');
      if (isComment(name)) return t('A name like “{0}” counts as a remark.', plainText(name));
      return taken.has(name) ? t('Name already in use') : undefined;
    },
  });
}

/** Shows what will run, word for word, in lines: the editor cuts a long word in a title. */
async function askPlace(
  host: Host,
  options: SourceOptions,
  { servers, notes, isOfThisMachine }: Offer,
): Promise<SavePlace | 'back' | undefined> {
  const { t } = vscode.l10n;
  const target = await askChoice<Target | 'back'>({
    title: t('Add MCP Server'),
    placeHolder: t('Where to save?'),
    choices: availableTargets(options)
      .filter((each) => !isOfThisMachine || !isShared(each))
      .map((each) => ({ ...targetItem<Target>(each), value: each })),
    about: t('What runs'),
    lines: await whatRuns(host, servers, notes),
    back: 'back',
  });
  if (target === 'back') return target;
  return target && savePlaceOf(target, options);
}

/** What runs, in lines for a list, with what is odd about it. */
export async function whatRuns(
  host: Host,
  servers: readonly PastedServer[],
  notes: readonly string[],
): Promise<string[]> {
  const lines: string[] = notes.map((note) => `⚠ ${localized(note)}`);
  for (const { entry } of servers) {
    const warnings = new NameIndex(host.namesInUse.servers()).warningsOf(entry.name);
    lines.push(...warnings.map((warning) => `⚠ ${serverWarning(entry.name, warning)}`));
    const denial = denialOf(host, entry);
    if (denial !== undefined)
      lines.push(`⚠ ${vscode.l10n.t('Blocked: {0}. It can be saved, but not run.', localized(denial))}`);
    lines.push(`${quoted(entry.name)}:`, ...launchLines(entry), ...(await host.filesOf(entry)).map(fileLine));
  }
  return lines.flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText));
}

/** The approval: what runs, and all that is written, and where. */
async function confirmSaving(
  host: Host,
  place: SavePlace,
  servers: readonly PastedServer[],
  notes: readonly string[],
): Promise<'connect' | 'save' | 'edit' | 'back' | undefined> {
  const { t } = vscode.l10n;
  const text = writtenText(place, servers).split('\n');
  const indented = text.map((line) => line.replace(/^ +/, (blanks) => '\u00a0'.repeat(blanks.length)));
  return askChoice<'connect' | 'save' | 'edit' | 'back'>({
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
    back: 'back',
  });
}

async function askAfterFailure(
  { target }: SavePlace,
  servers: readonly PastedServer[],
  failures: readonly TrialFailure[],
): Promise<'again' | 'header' | 'edit' | 'save' | 'back' | undefined> {
  const { t } = vscode.l10n;
  const canHaveHeader = servers.length === 1 && 'url' in (servers[0]?.entry.transport ?? {});
  const lines = failures.flatMap(({ name, step, reason }) => [`${name}: ${step}`, reason]);
  return askChoice<'again' | 'header' | 'edit' | 'save' | 'back'>({
    title: t('Could not connect. Nothing was saved.'),
    placeHolder: t('What next?'),
    choices: [
      { label: `$(refresh) ${t('Try Again')}`, value: 'again' },
      ...(canHaveHeader ? [{ label: `$(key) ${t('Add Header…')}`, value: 'header' as const }] : []),
      { label: `$(edit) ${t('Edit…')}`, value: 'edit' },
      ...(target === 'session' ? [] : [{ label: `$(save) ${t('Save Anyway')}`, value: 'save' as const }]),
    ],
    about: t('Failed step and reason'),
    lines: lines.flatMap((line) => wrapped(line.replaceAll(/\s*\n\s*/g, ' '), LINE_LENGTH).map(plainText)),
    back: 'back',
  });
}

/** Which list keeps a server from running, before it is one of the configuration. */
function denialOf(host: Host, { name, transport }: ServerEntry): string | undefined {
  const names = [...host.servers.definitions.map(({ entry }) => entry.name), name];
  const policies = [...filePolicies(host.config.snapshot), ...readPolicies()];
  return policyVerdict({ name, transport, names }, policies)?.reason;
}
