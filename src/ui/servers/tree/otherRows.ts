import * as vscode from 'vscode';
import { oneLine, showInvisible } from '../../../base/text/showInvisible.ts';
import type { ConfigProblem, Scope, SourceResult } from '../../../config/configTypes.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import type { Category, CategoryNode, ItemNode, NoteNode, ProblemNode, SkillNode } from './treeNodes.ts';
import { localized } from '../../../bridge/text/localized.ts';
import { skillStateText } from '../../items/skillState.ts';

const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
const MAX_TEXT = 200;

/** The row of a scope. It says nothing that changes with a server's state: drawing it draws all below it. */
export function scopeRow(scope: Scope, views: readonly ServerView[]): vscode.TreeItem {
  const item = new vscode.TreeItem(scopeLabel(scope), Expanded);
  const [source, ...others] = new Set(views.map(({ definition }) => localized(definition.entry.source.label)));
  item.id = `scope ${scope}`;
  // Where the editor keeps our own says nothing to anybody.
  const isOwn = scope === 'local' && views.every(({ definition }) => definition.entry.source.client === undefined);
  const place = isOwn ? vscode.l10n.t('Only you, in this folder, on this machine') : source;
  item.description = others.length === 0 && place !== undefined ? lineOf(place) : String(views.length);
  item.contextValue = 'scope';
  return item;
}

/** What a scope is called, and who sees what stands there. */
export function scopeLabel(scope: Scope): string {
  const { t } = vscode.l10n;
  switch (scope) {
    case 'enterprise':
      return t('Managed');
    case 'local':
      return t('Local');
    case 'project':
      return t('Project');
    case 'workspace':
      return t('Workspace');
    case 'user':
      return t('User');
    case 'dynamic':
      return t('This Session');
    case 'cloud':
      return t('Cloud');
  }
}

/** The row of what a server has of one kind. @param count where it is known */
export function categoryRow({ serverId, what }: CategoryNode, count: string | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(categoryLabel(what), Collapsed);
  item.id = `${serverId}\n\n${what}`;
  if (count !== undefined) item.description = count;
  if (what === 'problems')
    item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  else item.iconPath = new vscode.ThemeIcon(CATEGORY_ICONS[what]);
  item.contextValue = `category ${what}`;
  return item;
}

const CATEGORY_ICONS = { tools: 'tools', resources: 'files', prompts: 'comment', skills: 'mortar-board' } as const;

function categoryLabel(what: Category): string {
  const { t } = vscode.l10n;
  switch (what) {
    case 'tools':
      return t('Tools');
    case 'resources':
      return t('Resources');
    case 'prompts':
      return t('Prompts');
    case 'skills':
      return t('Skills');
    case 'problems':
      return t('Problems');
  }
}

/** The row of a resource, a template or a prompt; a click opens or runs it. */
export function itemRow(node: ItemNode): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { kind, item: offered, serverId } = node;
  const item = new vscode.TreeItem(lineOf(offered.title ?? offered.name));
  const key = 'uriTemplate' in offered ? offered.uriTemplate : 'uri' in offered ? offered.uri : offered.name;
  item.id = `${serverId}\n\n${kind} ${key}`;
  item.description = lineOf(key);
  item.iconPath = new vscode.ThemeIcon(
    kind === 'prompt' ? 'comment' : kind === 'template' ? 'symbol-parameter' : 'file',
  );
  if (offered.description !== undefined) item.tooltip = showInvisible(offered.description);
  item.contextValue = kind;
  item.command =
    kind === 'prompt'
      ? { command: 'mcpSwitchboard.runPrompt', title: t('Run Prompt'), arguments: [node] }
      : { command: 'mcpSwitchboard.openResource', title: t('Open Resource'), arguments: [node] };
  return item;
}

/** The row of a skill, with what is to be known before a model gets it; a click shows its text. */
export function skillRow(node: SkillNode): vscode.TreeItem {
  const { t } = vscode.l10n;
  const { skill, state } = node.item;
  const item = new vscode.TreeItem(lineOf(skill.name));
  item.id = `${node.serverId}\n\nskill ${skill.uri}`;
  const marks = state === 'approved' ? [] : [skillStateText(state)];
  item.description = lineOf([...marks, skill.uri].join(' · '));
  item.iconPath =
    state === 'changed'
      ? new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'))
      : new vscode.ThemeIcon('mortar-board');
  const files = skill.files === 'dynamic' ? [] : skill.files.map(({ path, size }) => `${path} (${size})`);
  item.tooltip = showInvisible([skill.description, skillStateText(state), ...files.slice(0, 20)].join('\n'));
  item.contextValue = state === 'changed' ? 'skillChanged' : 'skill';
  item.command = { command: 'mcpSwitchboard.openSkill', title: t('Open Skill'), arguments: [node] };
  return item;
}

/** The row of a problem; a click shows its place. */
export function problemRow({ problem }: ProblemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(lineOf(localized(problem.message)));
  const { range, severity, fix } = problem;
  item.description = range.file === undefined ? '' : vscode.l10n.t('line {0}', range.line);
  item.iconPath = severityIcon(severity);
  item.tooltip = showInvisible(fix ? `${localized(problem.message)} ${localized(fix)}` : localized(problem.message));
  item.contextValue = 'problem';
  const opened = openCommand(problem);
  if (opened) item.command = opened;
  return item;
}

/** The row of a source that can't be read; a click shows the first error. */
export function fileRow({ source, problems, stale }: SourceResult): vscode.TreeItem {
  const { t } = vscode.l10n;
  const problem = problems.find(({ severity }) => severity === 'error') ?? problems[0];
  const item = new vscode.TreeItem(showInvisible(localized(source.label)));
  item.id = `file ${source.id}`;
  item.description = lineOf(
    [
      ...(problem ? [t('line {0}: {1}', problem.range.line, localized(problem.message))] : [t('can’t be read')]),
      ...(stale ? [t('its servers are as they were')] : []),
    ].join(' · '),
  );
  item.iconPath = severityIcon('error');
  item.tooltip = showInvisible([problem?.message ?? '', problem?.fix ?? ''].map(localized).join(' ').trim());
  item.contextValue = 'file';
  const opened = problem && openCommand(problem);
  if (opened) item.command = opened;
  item.accessibilityInformation = { label: t('{0} has errors, {1}', item.label as string, item.description) };
  return item;
}

/** A sentence in the place of rows. */
export function noteRow({ text }: NoteNode): vscode.TreeItem {
  const item = new vscode.TreeItem(lineOf(text));
  item.iconPath = new vscode.ThemeIcon('info');
  item.tooltip = showInvisible(text);
  return item;
}

function severityIcon(severity: ConfigProblem['severity']): vscode.ThemeIcon {
  switch (severity) {
    case 'error':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'warning':
      return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
    case 'hint':
      return new vscode.ThemeIcon('info');
  }
}

function openCommand({ range }: ConfigProblem): vscode.Command | undefined {
  if (range.file === undefined) return undefined;
  const at = new vscode.Range(range.line - 1, range.column - 1, range.endLine - 1, range.endColumn - 1);
  return {
    command: 'vscode.open',
    title: vscode.l10n.t('Open Definition'),
    arguments: [vscode.Uri.file(range.file), { selection: at }],
  };
}

function lineOf(text: string): string {
  const line = oneLine(text);
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
