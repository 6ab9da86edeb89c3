// Loaded when the view *Activity* is first shown.
import * as vscode from 'vscode';
import { oneLine, showInvisible } from '../../base/text/showInvisible.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';
import type { CallTrace } from '../../calls/callTrace.ts';
import { workedMs, type HistoryEntry } from '../../calls/history/callHistory.ts';
import type { FailedCall } from '../../calls/history/failedCalls.ts';
import type { PlannedCall } from '../../calls/plan/planMode.ts';
import type { Host } from '../../host/host.ts';
import {
  callerLabel,
  durationText,
  ownName,
  phaseLabel,
  resultIcon,
  shortTime,
  timeText,
  whyOf,
} from '../calls/callWords.ts';
import { resultLabel } from '../calls/resultLabel.ts';
import type { ActivityGroup, ActivityNode } from './activityNodes.ts';

/** Of the text beside a name, in UTF-16 units: more is never seen. */
const MAX_DESCRIPTION = 120;

/** What a row is drawn with. */
interface Drawn {
  /** Absent: the editor makes one. */
  readonly id?: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: readonly [id: string, color?: string | undefined];
  readonly tooltip?: string | vscode.MarkdownString;
  /** What a screen reader says. */
  readonly spoken: string;
  /** Which menus it has. */
  readonly words: readonly string[];
  /** What a click does, given the row; `undefined`: nothing. */
  readonly command?: string;
}

/** The rows of the view *Activity*, as the editor draws them. */
export class ActivityItems {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  of(node: ActivityNode): vscode.TreeItem {
    const { label, description, icon, tooltip, spoken, words, id, command } = this.#drawn(node);
    const isOpen = node.kind === 'group' && node.group !== 'failed';
    const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(oneLine(label), node.kind !== 'group' ? None : isOpen ? Expanded : Collapsed);
    if (id !== undefined) item.id = id;
    if (description !== undefined) item.description = oneLine(description).slice(0, MAX_DESCRIPTION);
    item.iconPath = new vscode.ThemeIcon(icon[0], icon[1] === undefined ? undefined : new vscode.ThemeColor(icon[1]));
    item.tooltip = tooltip ?? oneLine(spoken);
    item.accessibilityInformation = { label: oneLine(spoken) };
    item.contextValue = words.join(' ');
    if (command !== undefined) item.command = { command, title: vscode.l10n.t('Open'), arguments: [node] };
    return item;
  }

  #drawn(node: ActivityNode): Drawn {
    switch (node.kind) {
      case 'group':
        return this.#group(node.group, node.count);
      case 'hooks':
        return hooks();
      case 'signIn':
        return this.#signIn(node.serverId);
      case 'question':
        return question(node.question.server.name, node.question.params['message']);
      case 'live':
        return live(node.trace, node.isAsking);
      case 'planned':
        return this.#planned(node.planned);
      case 'failed':
        return failed(node.failed);
      case 'entry':
        return this.#entry(node.entry);
      case 'more':
        return more(node.group, node.count);
    }
  }

  #group(group: ActivityGroup, count: number): Drawn {
    const { t } = vscode.l10n;
    const { on } = this.#host.calls.plan;
    const looks: Record<ActivityGroup, readonly [label: string, icon: string, color?: string]> = {
      waiting: [t('Waiting for You'), 'bell-dot', 'list.warningForeground'],
      running: [t('Running'), 'sync'],
      plan: [on ? t('Plan') : t('Plan (plan mode is off)'), 'checklist'],
      failed: [t('Failed Calls'), 'error'],
      recent: [t('Recent Calls'), 'history'],
    };
    const [label, icon, color] = looks[group];
    return {
      id: `group:${group}`,
      label,
      description: String(count),
      icon: [icon, color],
      spoken: `${label}, ${count}`,
      words: group === 'plan' ? ['planGroup'] : group === 'failed' ? ['failedGroup'] : [],
    };
  }

  #signIn(serverId: string): Drawn {
    const name = this.#host.servers.get(serverId)?.name ?? serverId;
    const description = vscode.l10n.t('Needs sign-in');
    return {
      id: `signIn:${serverId}`,
      label: name,
      description,
      icon: ['key', 'list.warningForeground'],
      spoken: `${name}, ${description}`,
      words: ['signable'],
      command: 'mcpSwitchboard.signIn',
    };
  }

  #planned(planned: PlannedCall): Drawn {
    const { t } = vscode.l10n;
    const { tool, serverName, error } = planned;
    const args = maskedWithin(planned.args, this.#host.mask);
    const spoken = t('Planned call of {0} on {1}', ownName(tool), serverName);
    return {
      id: planned.id,
      label: ownName(tool),
      description: error ?? JSON.stringify(args),
      icon: error === undefined ? ['circle-outline'] : ['error', 'list.errorForeground'],
      tooltip: new vscode.MarkdownString()
        .appendText(showInvisible(`${serverName} · ${tool}`))
        .appendCodeblock(argumentText(args), 'json')
        .appendText(showInvisible(error ?? '')),
      spoken: error === undefined ? spoken : `${spoken}, ${error}`,
      words: ['planned'],
      command: 'mcpSwitchboard.planEdit',
    };
  }

  #entry(entry: HistoryEntry): Drawn {
    const { id, tool, serverName, surface, caller, result } = entry;
    const isGood = result === 'ok';
    const isNeutral = isGood || result === 'queued' || result === 'call-cancelled';
    const took = isGood ? durationText(workedMs(entry)) : resultLabel(result);
    const color = isGood ? 'testing.iconPassed' : isNeutral || result === 'denied' ? undefined : 'list.errorForeground';
    return {
      id: `call:${id}`,
      label: ownName(tool),
      // A script has no server.
      description: [...(serverName === '' ? [] : [serverName]), took, shortTime(entry.at)].join(' · '),
      icon: [resultIcon(entry), color],
      tooltip: `${oneLine(tool)}\n${oneLine(callerLabel(surface, caller))}\n${oneLine(whyOf(entry))}`,
      spoken: `${onServer(tool, serverName)}, ${resultLabel(result)}, ${timeText(entry.at)}`,
      words: ['explainable', ...(this.#host.calls.history.repeatable(id) ? ['repeatable'] : [])],
      command: 'mcpSwitchboard.showCall',
    };
  }
}

function hooks(): Drawn {
  const label = vscode.l10n.t('Hooks of this workspace need approval');
  const command = 'mcpSwitchboard.reviewHooks';
  return { id: 'hooks', label, icon: ['terminal', 'list.warningForeground'], spoken: label, words: [], command };
}

function question(serverName: string, message: unknown): Drawn {
  const { t } = vscode.l10n;
  const spoken = t('“{0}” asks you something', serverName);
  return {
    label: serverName,
    description: typeof message === 'string' ? message : t('asks you something'),
    icon: ['comment', 'list.warningForeground'],
    spoken: typeof message === 'string' ? `${spoken}: ${message}` : spoken,
    words: ['question'],
    command: 'mcpSwitchboard.showQuestion',
  };
}

function live(trace: CallTrace, isAsking: boolean): Drawn {
  const { t } = vscode.l10n;
  const { name, serverName, phase, surface, caller } = trace;
  const since = timeText(trace.at);
  const isTask = phase === 'running' && trace.isTask;
  const runs = isTask ? t('task since {0}', since) : t('since {0}', since);
  const state = phase !== 'running' ? phaseLabel(phase) : trace.said === undefined ? runs : `${runs} · ${trace.said}`;
  return {
    id: `${isAsking ? 'asks' : 'runs'}:${trace.key}`,
    label: ownName(name),
    description: serverName === '' ? state : `${serverName} · ${state}`,
    icon:
      phase === 'asking'
        ? ['question', 'list.warningForeground']
        : [isTask ? 'watch' : phase === 'running' ? 'sync~spin' : 'clock'],
    tooltip: `${oneLine(name)}\n${oneLine(callerLabel(surface, caller))}\n${phaseLabel(phase)}`,
    spoken: isTask
      ? `${onServer(name, serverName)}, ${state}`
      : t('{0}, {1}, since {2}', onServer(name, serverName), phaseLabel(phase), since),
    words: ['cancellable'],
    command: 'mcpSwitchboard.showCall',
  };
}

function failed({ id, tool, serverName, error, attempts, at }: FailedCall): Drawn {
  const { t } = vscode.l10n;
  const tried = attempts === 1 ? t('1 attempt') : t('{0} attempts', attempts);
  return {
    id,
    label: ownName(tool),
    description: `${serverName} · ${error}`,
    icon: ['error', 'list.errorForeground'],
    tooltip: `${oneLine(tool)}\n${new Date(at).toLocaleString()} · ${tried}\n${showInvisible(error)}`,
    spoken: `${onServer(tool, serverName)}, ${t('failed')}, ${tried}, ${error}`,
    words: ['failedCall', 'repeatable'],
    command: 'mcpSwitchboard.showCall',
  };
}

function more(group: 'failed' | 'recent', count: number): Drawn {
  const { t } = vscode.l10n;
  const label = t('{0} more…', count);
  const command = group === 'failed' ? 'mcpSwitchboard.showFailedCalls' : 'mcpSwitchboard.showHistory';
  return { id: `more:${group}`, label, icon: ['ellipsis'], spoken: label, words: [], command };
}

function onServer(tool: string, serverName: string): string {
  return serverName === '' ? ownName(tool) : vscode.l10n.t('{0} on {1}', ownName(tool), serverName);
}
