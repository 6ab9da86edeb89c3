// Loaded when the view of servers is first shown.
import * as vscode from 'vscode';
import { showInvisible } from '../../base/text/invisible.ts';
import { serverWarning, toolWarning, warningMark } from '../../bridge/warningText.ts';
import { LookAlikeCache, type NamesInUse } from '../../catalog/names/lookAlikeTools.ts';
import { effectOf, type CatalogTool, underlyingOf } from '../../catalog/catalogTool.ts';
import { QualityCache } from '../../catalog/toolQuality.ts';
import type { Host } from '../../host/host.ts';
import { describeState } from '../../connection/connectionState.ts';
import { canSignIn, isRunByEditor, type ServerView } from '../../host/serverView.ts';
import { waitingForUser } from '../../host/waitingForUser.ts';
import { accountOf, hasAccounts } from './serverAccount.ts';
import { canBeRemoved } from './canBeRemoved.ts';
import { effectIcon, effectLabel, serverDescription, serverMarks, stateIcon, toolMarks } from './serverLabels.ts';
import { serverTooltip, toolTooltip } from './serverTooltips.ts';
import { waitingTexts } from './signs/waitingTexts.ts';

const WARNING_ICON = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

const APPROVAL_ICON = new vscode.ThemeIcon('shield', new vscode.ThemeColor('list.warningForeground'));

export interface ToolMarkSettings {
  /** Tools with a lower score are marked. */
  readonly toolQualityThreshold: number;
}

/** How servers and tools look in the view *Servers*. */
export class ServerItems {
  readonly #host: Host;
  readonly #settings: () => ToolMarkSettings;
  readonly #quality = new QualityCache();
  readonly #names: NameMarks;

  constructor(host: Host, settings: () => ToolMarkSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#names = new NameMarks(host.namesInUse);
  }

  ofWaiting(what: 'approvals' | 'changes'): vscode.TreeItem {
    const text = waitingTexts(waitingForUser(this.#host))[what] ?? '';
    const item = new vscode.TreeItem(text);
    const command = what === 'approvals' ? 'mcpSwitchboard.review' : 'mcpSwitchboard.reviewTools';
    item.id = `waiting ${what}`;
    item.description = vscode.l10n.t('Review…');
    item.iconPath = what === 'approvals' ? APPROVAL_ICON : WARNING_ICON;
    item.command = { command, title: item.description };
    item.accessibilityInformation = { label: `${text}. ${item.description}`, role: 'button' };
    return item;
  }

  ofServer(serverId: string): vscode.TreeItem {
    const view = this.#host.view(serverId);
    if (!view) return new vscode.TreeItem(serverId);
    const { catalog, feed } = this.#host;
    const named = this.#names.ofServer(view.definition.entry.name);
    const account = accountOf(this.#host, view);
    const marks = [
      ...(account ? [vscode.l10n.t('as {0}', showInvisible(account.label))] : []),
      ...serverMarks(catalog.toolsOf(serverId), feed.openChangesOf(serverId).length),
      ...named.marks,
    ];
    const item = serverItem(view, catalog.toolsOf(serverId).length > 0, marks);
    item.contextValue = [contextValue(view), ...signInWords(this.#host, view)].join(' ');
    const problems = catalog.problemsOf(serverId).map(({ message, fix }) => `${message} ${fix}`);
    const leftOut = this.#host.pool.get(serverId)?.leftOut ?? [];
    item.tooltip = serverTooltip(view, { rules: problems, leftOut, warnings: named.sentences, account });
    if (named.marks.length > 0) item.iconPath = WARNING_ICON;
    return item;
  }

  ofTool(entry: CatalogTool): vscode.TreeItem {
    const { catalog, feed } = this.#host;
    const quality = this.#quality.of(entry, catalog.toolsOf(entry.serverId));
    const { toolQualityThreshold } = this.#settings();
    const item = toolItem(entry);
    const named = this.#names.ofTool(entry);
    const marks = toolMarks({
      named: named.marks,
      ...(quality.score < toolQualityThreshold ? { poorQuality: quality } : {}),
      isChanged: feed.changesOf(entry.serverId).has(underlyingOf(entry).name),
    });
    if (marks.length > 0) {
      item.description = [item.description, ...marks].join(' · ');
      item.iconPath = WARNING_ICON;
    }
    item.command = {
      command: 'mcpSwitchboard.showTool',
      title: vscode.l10n.t('Show Tool'),
      arguments: [{ kind: 'tool', tool: entry }],
    };
    item.tooltip = toolTooltip(entry, quality, named.sentences);
    item.accessibilityInformation = {
      label: vscode.l10n.t('Tool {0}, {1}', showInvisible(entry.tool.name), String(item.description)),
    };
    return item;
  }
}

function serverItem(view: ServerView, hasTools: boolean, marks: readonly string[]): vscode.TreeItem {
  const { definition, state } = view;
  const collapsible = hasTools ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None;
  const name = showInvisible(definition.name);
  const item = new vscode.TreeItem(name, collapsible);
  item.id = definition.id;
  item.description = [serverDescription(view), ...marks].join(' · ');
  item.iconPath = stateIcon(state);
  item.accessibilityInformation = {
    label: vscode.l10n.t('MCP server {0}, {1}, {2}', name, describeState(state), item.description),
  };
  return item;
}

function toolItem(entry: CatalogTool): vscode.TreeItem {
  const effect = effectOf(entry.tool.annotations);
  const item = new vscode.TreeItem(showInvisible(entry.tool.name));
  item.id = `${entry.serverId}\n${entry.tool.name}`;
  item.description = effectLabel(effect);
  item.iconPath = effectIcon(effect);
  item.contextValue = 'tool';
  return item;
}

/** The actions of a server, as the words that the manifest's menus check. */
function contextValue(view: ServerView): string {
  const {
    state,
    definition: { status },
  } = view;
  const can: string[] = ['server'];
  switch (state.kind) {
    case 'connected':
      can.push(...['resources', 'prompts'].filter((what) => what in state.info.capabilities));
      can.push('disconnectable', 'restartable');
      break;
    case 'connecting':
    case 'installing':
    case 'pending':
      can.push('disconnectable', 'restartable');
      break;
    case 'disconnected':
    case 'failed':
    case 'needs-auth':
      can.push('connectable');
      break;
    case 'blocked':
      if (state.needsApproval || (status.kind === 'blocked' && status.by === 'rejected')) can.push('approvable');
      break;
    case 'disabled':
    case 'shadowed':
    case 'problem':
      break;
  }
  if (status.kind === 'disabled' && status.by === 'user') can.push('enableable');
  if (isRunByEditor(view)) can.push('hostable');
  if (canBeRemoved(view)) can.push('removable');
  if (status.kind === 'ready' || status.kind === 'needs-approval') can.push('disableable');
  return can.join(' ');
}

/** The actions that concern a server's accounts. */
function signInWords(host: Host, view: ServerView): readonly string[] {
  return [
    ...(canSignIn(view) ? ['signable'] : []),
    ...(hasAccounts(host, view) ? ['accounts'] : []),
    ...(accountOf(host, view) ? ['signedIn'] : []),
  ];
}

/** Warnings about a misleading name: as a few words, and as sentences. */
interface NameMark {
  readonly marks: readonly string[];
  readonly sentences: readonly string[];
}

/** Warnings about the names of servers and tools. */
class NameMarks {
  readonly #book: LookAlikeCache;

  constructor(names: NamesInUse) {
    this.#book = new LookAlikeCache(names);
  }

  ofServer(name: string): NameMark {
    const warnings = this.#book.ofServer(name);
    return { marks: warnings.map(warningMark), sentences: warnings.map((warning) => serverWarning(name, warning)) };
  }

  /** Warnings about the tool's own name; those about its server's name show there. */
  ofTool(tool: CatalogTool): NameMark {
    const warnings = this.#book.of(tool).filter(({ of }) => of === 'tool');
    return {
      marks: warnings.map(({ warning }) => warningMark(warning)),
      sentences: warnings.map((each) => toolWarning(tool.serverName, underlyingOf(tool).name, each)),
    };
  }
}
