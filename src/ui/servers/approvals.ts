import { localized } from '../../bridge/text/localized.ts';
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { serverWarning } from '../../bridge/text/warningText.ts';
import { oneLine } from '../../base/text/invisible.ts';
import { LINE_LENGTH, wrapped } from '../../bridge/dialogs/dialogLines.ts';
import type { Host } from '../../host/host.ts';
import { replacedParts, type ReplacedParts } from '../../servers/resolvedLaunch.ts';
import { launchLines } from '../../bridge/text/launchLines.ts';
import { NameIndex } from '../../servers/trust/lookAlikeNames.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import { needsApproval, type ServerView } from '../../host/views/serverView.ts';
import { askChoice, confirm, type Choice } from '../askChoice.ts';
import { fileLine } from '../fileLine.ts';
import { askWhichRun } from './approvalList.ts';
import { readOnlyText } from '../../bridge/readOnlyText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

type Answer = 'approve' | 'approve-file' | 'reject';

/**
 * *Review Servers…*: the servers that need approval, one after the other, or all of a file. Closing the list starts nothing.
 * @param ids only these, also rejected ones
 */
export async function reviewServers(host: Host, ids?: readonly string[]): Promise<void> {
  if (ids) {
    for (const id of ids) await reviewServer(host, id);
    return;
  }
  const { t } = vscode.l10n;
  if (host.views.filter(needsApproval).length === 0) {
    void notify('information', t('No servers need approval.'));
    return;
  }
  while (host.views.filter(needsApproval).length > 0) {
    const picked = await ownInputs.ask(() =>
      vscode.window.showQuickPick(reviewItems(host, host.views.filter(needsApproval)), {
        title: t('Review MCP Servers'),
        placeHolder: t('Servers run with your permissions, like terminal commands.'),
        ignoreFocusOut: true,
        matchOnDetail: true,
      }),
    );
    if (!picked) return;
    const [first] = picked.views;
    if (picked.views.length === 1 && first) await reviewServer(host, first.definition.id);
    else await approveAll(host, picked.views, undefined);
  }
}

type ReviewItem = vscode.QuickPickItem & { readonly views: readonly ServerView[] };

/** Every server; above them, each file that has several. */
function reviewItems(host: Host, waiting: readonly ServerView[]): ReviewItem[] {
  const { t } = vscode.l10n;
  const files = [...Map.groupBy(waiting, ({ definition }) => definition.entry.source.id).values()];
  return [
    ...files
      .filter((views) => views.length > 1)
      .map((views) => ({
        label: `$(check-all) ${t('Approve All in This File')}`,
        description: plainText(localized(views[0]?.definition.entry.source.label ?? '')),
        detail: plainText(views.map(({ definition }) => definition.name).join(', ')),
        views,
      })),
    ...waiting.map((view) => ({
      label: `$(shield) ${plainText(view.definition.name)}`,
      description: plainText(`${view.definition.entry.scope} · ${localized(view.definition.entry.source.label)}`),
      detail: plainText(shownLines(host, view.definition)[0] ?? ''),
      views: [view],
    })),
  ];
}

/** Asks about one server. If it changes meanwhile, the answer doesn't count. */
async function reviewServer(host: Host, id: string): Promise<void> {
  const definition = host.servers.get(id);
  if (!definition || definition.status.kind === 'problem') return;
  const { source } = definition.entry;
  const sameFile = host.views.filter(needsApproval).filter((view) => view.definition.entry.source.id === source.id);
  const answers = answersFor(sameFile.length);
  const before = decisionBefore(host, id);
  const answer = before
    ? await askWithDifference(host, definition, before, answers)
    : await askWithLines(host, definition, answers);
  switch (answer) {
    case undefined:
      return;
    case 'approve':
      return host.servers.approve([id], new Map([[id, definition.fingerprint]]));
    case 'reject':
      return host.servers.reject([id]);
    case 'approve-file':
      await approveAll(host, sameFile, undefined);
  }
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
    { label: t('Reject'), icon: '$(close)', value: 'reject' },
  ];
}

/** Shows everything that will run, and who receives each variable, below the answers. */
async function askWithLines(
  host: Host,
  definition: ServerDefinition,
  answers: readonly AnswerItem[],
): Promise<Answer | undefined> {
  const { t } = vscode.l10n;
  return askChoice<Answer>({
    title: t('Allow server “{0}” to run?', plainText(definition.name)),
    placeHolder: t('Servers run with your permissions, like terminal commands.'),
    choices: answers.map(({ icon, label, ...rest }) => ({ ...rest, label: `${icon} ${label}` })),
    about: t('What runs'),
    lines: (await linesWithValues(host, definition)).flatMap((line) => wrapped(line, LINE_LENGTH).map(plainText)),
  });
}

/** Shows the difference in the editor, and the question in a notification that doesn't cover it. */
async function askWithDifference(
  host: Host,
  definition: ServerDefinition,
  before: readonly string[],
  answers: readonly AnswerItem[],
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
    t('“{0}” changed since you reviewed it. Allow it to run?', name),
    ...answers.map((answer) => answer.label),
  );
  return answers.find((answer) => answer.label === label)?.value;
}

/** What was reviewed last, if it differs from what would run now. */
function decisionBefore(host: Host, id: string): readonly string[] | undefined {
  const decision = host.servers.approvals.find((item) => item.id === id);
  return decision && decision.fingerprint !== decision.definition?.fingerprint ? decision.launch : undefined;
}

/** Shows everything that will run, and approves what the user selects of it. @returns whether they approved something */
export async function approveAll(host: Host, views: readonly ServerView[], note: string | undefined): Promise<boolean> {
  const { t } = vscode.l10n;
  // Everything is approved already.
  if (views.length === 0) {
    const question = t('Run the MCP servers of this workspace with MCP Switchboard?');
    return note === undefined || confirm(question, t('Use Switchboard'), note);
  }
  const seen = new Map(views.map(({ definition }) => [definition.id, definition.fingerprint]));
  const servers = await Promise.all(
    views.map(async ({ definition }) => ({
      id: definition.id,
      name: definition.name,
      from: localized(definition.entry.source.label),
      lines: await linesWithValues(host, definition),
    })),
  );
  const chosen = await askWhichRun(servers, note === undefined ? [] : [note]);
  if (!chosen) return false;
  await host.servers.approve(chosen, seen);
  return true;
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
