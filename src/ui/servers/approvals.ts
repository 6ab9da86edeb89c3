import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { serverWarning } from '../../bridge/text/warningText.ts';
import { oneLine } from '../../base/text/showInvisible.ts';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogs/dialogLines.ts';
import type { Host } from '../../host/host.ts';
import { replacedParts, type ReplacedParts } from '../../servers/resolvedLaunch.ts';
import { launchLines } from '../../bridge/text/launchLines.ts';
import { NameIndex } from '../../servers/trust/lookAlikeNames.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import { askChoice, confirm, type Choice } from '../askChoice.ts';
import { fileLine } from '../fileLine.ts';
import { askWhichRun } from './approvalList.ts';
import { readOnlyText } from '../../bridge/readOnlyText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

type Answer = 'cancel' | 'approve' | 'approve-file' | 'reject';

/** What is reviewed, and what follows from an approval. */
export interface Review {
  /** The servers that need approval, now. */
  waiting(): readonly ServerDefinition[];
  /** What the approval of these changes beside that they run. */
  noteOn(servers: readonly ServerDefinition[]): string | undefined;
  /** The user has approved these. */
  approved(ids: readonly string[]): Promise<void>;
}

/** Asks about each of these, also of rejected ones. */
export async function reviewEach(host: Host, ids: readonly string[]): Promise<void> {
  const review: Review = {
    waiting: () => waitingServers(host.servers.definitions),
    noteOn: () => undefined,
    approved: async () => {},
  };
  for (const id of ids) await reviewServer(host, review, id);
}

/** Those that need approval. */
export function waitingServers(servers: readonly ServerDefinition[]): readonly ServerDefinition[] {
  return servers.filter(({ status }) => status.kind === 'needs-approval');
}

/**
 * The servers that need approval, one after the other, or all of a file. Closing the list starts and changes nothing.
 * @returns whether some were approved
 */
export async function reviewServers(host: Host, review: Review): Promise<boolean> {
  const { t } = vscode.l10n;
  let isApproved = false;
  for (let waiting = review.waiting(); waiting.length > 0; waiting = review.waiting()) {
    const items = reviewItems(host, waiting);
    const picked = await ownInputs.ask(() =>
      vscode.window.showQuickPick(items, {
        title: t('Review MCP Servers'),
        placeHolder: t('Servers run with your permissions, like terminal commands.'),
        ignoreFocusOut: true,
        matchOnDetail: true,
      }),
    );
    if (!picked) break;
    const [first] = picked.servers;
    const some =
      picked.servers.length === 1 && first
        ? await reviewServer(host, review, first.id)
        : await reviewFile(host, review, picked.servers);
    isApproved ||= some;
  }
  return isApproved;
}

type ReviewItem = vscode.QuickPickItem & { readonly servers: readonly ServerDefinition[] };

/** Every server; above them, each file that has several. */
function reviewItems(host: Host, waiting: readonly ServerDefinition[]): ReviewItem[] {
  const { t } = vscode.l10n;
  const files = [...Map.groupBy(waiting, ({ entry }) => entry.source.id).values()];
  return [
    ...files
      .filter((servers) => servers.length > 1)
      .map((servers) => ({
        label: `$(check-all) ${t('Approve All in This File')}`,
        description: plainText(localized(servers[0]?.entry.source.label ?? '')),
        detail: plainText(servers.map(({ name }) => name).join(', ')),
        servers,
      })),
    ...waiting.map((server) => ({
      label: `$(shield) ${plainText(server.name)}`,
      description: plainText(`${server.entry.scope} · ${localized(server.entry.source.label)}`),
      detail: plainText(shownLines(host, server)[0] ?? ''),
      servers: [server],
    })),
  ];
}

/** Asks about one server. If it changes meanwhile, the answer doesn't count. @returns whether it, or its file, was approved */
async function reviewServer(host: Host, review: Review, id: string): Promise<boolean> {
  const definition = host.servers.get(id);
  if (!definition || definition.status.kind === 'problem') return false;
  const { source } = definition.entry;
  const sameFile = review.waiting().filter(({ entry }) => entry.source.id === source.id);
  const answers = answersFor(sameFile.length);
  const before = decisionBefore(host, id);
  const note = review.noteOn([definition]);
  const answer = before
    ? await askWithDifference(host, definition, before, answers, note)
    : await askWithLines(host, definition, answers, note);
  switch (answer) {
    case undefined:
    case 'cancel':
      return false;
    case 'approve': {
      const approved = await approveShown(host, [id], [definition]);
      if (approved) await review.approved(approved);
      return approved !== undefined;
    }
    case 'reject':
      await host.servers.reject([id]);
      return false;
    case 'approve-file':
      return reviewFile(host, review, sameFile);
  }
}

/** Asks about all of a file. @returns whether some were approved */
async function reviewFile(host: Host, review: Review, servers: readonly ServerDefinition[]): Promise<boolean> {
  const approved = await approveAll(host, servers, review.noteOn(servers));
  if (approved) await review.approved(approved);
  return approved !== undefined;
}

type AnswerItem = Choice<Answer> & { readonly icon: string };

function answersFor(inFile: number): AnswerItem[] {
  const { t } = vscode.l10n;
  return [
    { label: t('Approve'), icon: '$(check)', value: 'approve' },
    ...(inFile > 1
      ? ([
          {
            label: t('Approve All in This File'),
            icon: '$(check-all)',
            description: String(inFile),
            value: 'approve-file',
          },
        ] as const)
      : []),
    { label: t('Reject'), icon: '$(circle-slash)', value: 'reject' },
  ];
}

/** Shows everything that will run, and who receives each variable, below the answers. */
async function askWithLines(
  host: Host,
  definition: ServerDefinition,
  answers: readonly AnswerItem[],
  note: string | undefined,
): Promise<Answer | undefined> {
  const { t } = vscode.l10n;
  const lines = [...(await linesWithValues(host, definition)), ...(note === undefined ? [] : [note])];
  // First, as in the list of several: Enter alone starts nothing.
  const cancel = { label: t('Cancel'), description: t('Nothing starts'), icon: '$(close)', value: 'cancel' } as const;
  return askChoice<Answer>({
    title: t('Allow server “{0}” to run?', plainText(definition.name)),
    placeHolder: t('Servers run with your permissions, like terminal commands.'),
    choices: [cancel, ...answers].map(({ icon, label, ...rest }) => ({ ...rest, label: `${icon} ${label}` })),
    about: t('What runs'),
    lines: lines.flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText)),
  });
}

/** Shows the difference in the editor, and the question in a notification that doesn't cover it. */
async function askWithDifference(
  host: Host,
  definition: ServerDefinition,
  before: readonly string[],
  answers: readonly AnswerItem[],
  note: string | undefined,
): Promise<Answer | undefined> {
  const { t } = vscode.l10n;
  const name = plainText(definition.name);
  const lines = (texts: readonly string[]): string[] => texts.flatMap((text) => wrapped(oneLine(text), LINE_LENGTH));
  await vscode.commands.executeCommand(
    'vscode.diff',
    readOnlyText(t('{0} (approved)', name), lines(before.map(localized))),
    readOnlyText(t('{0} (current)', name), lines(await linesWithConsequences(host, definition))),
    t('{0}: Approved ↔ Current', name),
    { preview: true },
  );
  const label = await notify(
    'warning',
    [t('“{0}” changed since you reviewed it. Allow it to run?', name), ...(note === undefined ? [] : [note])].join(' '),
    ...answers.map((answer) => answer.label),
  );
  return answers.find((answer) => answer.label === label)?.value;
}

/** What was reviewed last, if it differs from what would run now. */
function decisionBefore(host: Host, id: string): readonly string[] | undefined {
  const decision = host.servers.approvals.find((item) => item.id === id);
  return decision && decision.fingerprint !== decision.definition?.fingerprint ? decision.launch : undefined;
}

/**
 * Shows everything that will run, and approves what the user selects of it.
 * @param note what holds for all of them
 * @returns what they approved; `undefined` if nothing
 */
export async function approveAll(
  host: Host,
  definitions: readonly ServerDefinition[],
  note: string | undefined,
): Promise<readonly string[] | undefined> {
  const { t } = vscode.l10n;
  // Everything is approved already.
  if (definitions.length === 0) {
    const question = t('Run the MCP servers of this workspace with MCP Switchboard?');
    return note === undefined || (await confirm(question, t('Use Switchboard'), note)) ? [] : undefined;
  }
  const servers = await Promise.all(
    definitions.map(async (definition) => ({
      id: definition.id,
      name: definition.name,
      from: localized(definition.entry.source.label),
      lines: await linesWithValues(host, definition),
    })),
  );
  const chosen = await askWhichRun(servers, note === undefined ? [] : [note]);
  return chosen && approveShown(host, chosen, definitions);
}

/**
 * Approves these as they were shown. What has changed meanwhile isn't approved, and the user is told.
 * @returns what was approved; `undefined` if nothing
 */
async function approveShown(
  host: Host,
  chosen: readonly string[],
  shown: readonly ServerDefinition[],
): Promise<readonly string[] | undefined> {
  const { t } = vscode.l10n;
  const isAsShown = ({ id, fingerprint }: ServerDefinition): boolean =>
    host.servers.get(id)?.fingerprint === fingerprint;
  const asked = shown.filter(({ id }) => chosen.includes(id));
  const same = asked.filter(isAsShown).map(({ id }) => id);
  const [other, ...others] = asked.filter((definition) => !isAsShown(definition));
  if (same.length > 0) await host.servers.approve(same, new Map(shown.map(({ id, fingerprint }) => [id, fingerprint])));
  if (other) {
    const text =
      others.length === 0
        ? t('“{0}” changed while you reviewed it, so it wasn’t approved.', plainText(other.name))
        : t('{0} servers changed while you reviewed them, so they weren’t approved.', others.length + 1);
    const review = t('Review Servers…');
    void notify('warning', text, review).then((button) => {
      if (button === review) void vscode.commands.executeCommand('mcpSwitchboard.review');
    });
  }
  return same.length > 0 ? same : undefined;
}

/** Warnings about the name, then what will run. @param shownValue as of `describeLaunch` */
function shownLines(host: Host, { name, entry }: ServerDefinition, shownValue?: ReplacedParts['shownValue']): string[] {
  const warnings = new NameIndex(host.namesInUse.servers())
    .warningsOf(entry.name)
    .map((warning) => serverWarning(name, warning));
  const launch = launchLines(entry, shownValue ? { shownValue } : {});
  return [...warnings.map((warning) => oneLine(`⚠ ${warning}`)), ...launch];
}

/** What the file says, what its variables stand for now, and the rest. */
async function linesWithValues(host: Host, definition: ServerDefinition): Promise<string[]> {
  const { shownValue, lines, missing } = replacedParts(definition.entry, host.variables);
  const { t } = vscode.l10n;
  const names = missing.map(({ variable }) => oneLine(`\${${variable}}`)).join(', ');
  return [
    ...(await linesWithConsequences(host, definition, shownValue)),
    ...lines.map((line) => t('Now: {0}', line)),
    ...(names === '' ? [] : [t('Not set: {0}', names)]),
  ];
}

/** Then, which files of the folder it runs, and what the approval changes beside that. */
async function linesWithConsequences(
  host: Host,
  definition: ServerDefinition,
  shownValue?: ReplacedParts['shownValue'],
): Promise<string[]> {
  const { id, entry } = definition;
  const [files, consequences] = await Promise.all([host.filesOf(entry), host.consequencesOf(id)]);
  const warned = consequences.map((line) => `⚠ ${localized(line)}`);
  return [...shownLines(host, definition, shownValue), ...files.map(fileLine), ...warned];
}
