import * as vscode from 'vscode';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { localized } from '../../../bridge/text/localized.ts';
import type { ServerStats, ToolStats } from '../../../catalog/exposure/contextStats.ts';
import type { Action, Block, PageContent, Row } from '../pageContent.ts';
import { pageWords } from '../pageWords.ts';
import { columnsOf, drawingOf } from '../tableParts.ts';
import type { MeasuredContext } from './measureContext.ts';

/** So many of the priciest tools are shown with what to do about them. */
const PRICIEST = 10;

/** What is known of a tool beside its costs. */
export interface BudgetTool {
  /** Calls since the window was opened. */
  readonly calls: number;
  /** How many findings about its definition could be fixed. */
  readonly hints: number;
  readonly canBeDisabled: boolean;
  /** It is in the agent's list because of the exposure or a rule, and not because it was found or picked. */
  readonly canMoveToSearch: boolean;
  /** The setting `searchOnlyTools` names it. */
  readonly isMovedToSearch: boolean;
}

export interface BudgetInput extends MeasuredContext {
  /** Requests of the agent since the window was opened, estimated: each call of a tool is taken for one. */
  readonly requests: number;
  /** What the server calls a tool, by its callable name. */
  readonly nameOf: (tool: string) => string;
  /** The same, for the tools whose costs are to be looked at. */
  readonly factsOf: (tool: string) => BudgetTool;
  readonly language: string;
}

/** What a button of the page does, about a tool by its callable name. */
export type BudgetAction = 'disable' | 'search' | 'native' | 'hints';

/** The id of a button: the action and the tool, with a space between them. */
function actionId(action: BudgetAction, tool: string): string {
  return `${action} ${tool}`;
}

/** *Context Budget*: what the tools cost of the model's context, what is saved, and what to do about the priciest. */
export function budgetContent(input: BudgetInput): PageContent {
  const { t } = vscode.l10n;
  const { decision, countedBy } = input;
  const mode = decision
    ? t('Mode: {0}. {1}', decision.exposure, localized(decision.reason))
    : t('Native tools are off (gateway.enabled).');
  const counter = countedBy ? t('Counted by {0}.', oneLine(countedBy)) : t('Estimated: no model counts the tokens.');
  return {
    title: t('Context Budget'),
    language: input.language,
    words: pageWords(),
    blocks: [{ kind: 'text', text: `${mode} ${counter}` }, figures(input), servers(input), priciest(input)],
  };
}

function figures({ stats, requests, language }: BudgetInput): Block {
  const { t } = vscode.l10n;
  const { instructions, loaded, all } = stats;
  const sent = loaded.tokens + instructions.tokens;
  const saved = Math.max(0, all.tokens - sent);
  const tokens = (count: number): string =>
    t('{0} tokens', count.toLocaleString(language, { maximumFractionDigits: 0 }));
  return {
    kind: 'figures',
    figures: [
      {
        label: t('Sent with each request'),
        value: tokens(sent),
        detail: t('Tool definitions: {0}. Servers in the instructions: {1}.', loaded.count, instructions.count),
      },
      { label: t('All tool definitions'), value: tokens(all.tokens), detail: t('{0} tools', all.count) },
      { label: t('Saved with each request'), value: tokens(saved), detail: `${stats.savedPercent.toFixed(1)}%` },
      {
        label: t('Saved since the window opened'),
        value: tokens(saved * requests),
        detail:
          requests === 1
            ? t('Estimate: as the tools are now, for 1 request that led to a call')
            : t('Estimate: as the tools are now, for {0} requests that led to calls', requests),
      },
    ],
  };
}

function servers({ stats, nameOf }: BudgetInput): Block {
  const { t } = vscode.l10n;
  const rows = stats.servers.map((server) => serverRow(server, nameOf));
  return {
    kind: 'table',
    id: 'servers',
    title: t('Servers and Their Tools'),
    empty: t('No connected server has tools.'),
    columns: columnsOf([t('Server or tool')], [t('Tools'), t('Loaded'), t('Summaries'), t('All definitions')]),
    rows: byCost(rows),
    drawings: [drawingOf('bars', t('Tokens'), [2, 'accent'], [3, 'plain'], [4, 'outline'])],
  };
}

function serverRow({ serverName, definitions, summaries, tools }: ServerStats, nameOf: BudgetInput['nameOf']): Row {
  const loaded = tools.filter(({ isLoaded }) => isLoaded).reduce((sum, { tokens }) => sum + tokens, 0);
  const children = tools.map(({ name, tokens, summaryTokens, isLoaded }): Row => {
    const label = oneLine(nameOf(name));
    return { key: name, cells: [label, null, isLoaded ? tokens : 0, summaryTokens, tokens], actions: [], children: [] };
  });
  return {
    key: serverName,
    cells: [oneLine(serverName), tools.length, loaded, summaries.tokens, definitions.tokens],
    actions: [],
    children: byCost(children),
  };
}

function byCost(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => Number(other.cells[4]) - Number(one.cells[4]));
}

function priciest(input: BudgetInput): Block {
  const { t } = vscode.l10n;
  const rows = input.stats.servers
    .flatMap(({ serverName, tools }) => tools.map((tool) => ({ serverName, tool })))
    .toSorted(
      ({ tool: one }, { tool: other }) => Number(other.isLoaded) - Number(one.isLoaded) || other.tokens - one.tokens,
    )
    .slice(0, PRICIEST);
  return {
    kind: 'table',
    id: 'priciest',
    title: t('Priciest Tools'),
    empty: t('No connected server has tools.'),
    columns: [
      { label: t('Tool'), kind: 'text' },
      { label: t('Server'), kind: 'text' },
      { label: t('Tokens'), kind: 'number' },
      { label: t('Calls'), kind: 'number' },
      { label: t('What to do'), kind: 'text' },
    ],
    rows: rows.map(({ serverName, tool }) => pricyRow(serverName, tool, input)),
    drawings: [],
  };
}

function pricyRow(serverName: string, tool: ToolStats, { nameOf, factsOf }: BudgetInput): Row {
  const label = oneLine(nameOf(tool.name));
  const facts = factsOf(tool.name);
  return {
    key: tool.name,
    cells: [label, oneLine(serverName), tool.tokens, facts.calls, adviceOn(tool, facts)],
    actions: actionsFor(tool, label, facts),
    children: [],
  };
}

function adviceOn({ isLoaded }: ToolStats, { calls, hints }: BudgetTool): string {
  const { t } = vscode.l10n;
  return [
    !isLoaded
      ? t('Found by search: costs nothing until it is used.')
      : calls === 0
        ? t('Sent with each request, and not called yet.')
        : t('Sent with each request.'),
    ...(hints > 0 ? [t('Its author could describe it better.')] : []),
  ].join(' ');
}

function actionsFor({ name, isLoaded }: ToolStats, label: string, facts: BudgetTool): readonly Action[] {
  const { canBeDisabled, canMoveToSearch, isMovedToSearch, hints } = facts;
  const { t } = vscode.l10n;
  const action = (id: BudgetAction, text: string): Action => ({
    id: actionId(id, name),
    label: text,
    accessibleLabel: `${text}: ${label}`,
  });
  return [
    ...(canBeDisabled ? [action('disable', t('Disable'))] : []),
    ...(isLoaded && canMoveToSearch ? [action('search', t('Move to Search'))] : []),
    ...(isMovedToSearch ? [action('native', t('Undo Move to Search'))] : []),
    ...(hints > 0 ? [action('hints', t('Quality Hints'))] : []),
  ];
}
