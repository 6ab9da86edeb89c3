import * as vscode from 'vscode';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { localized } from '../../../bridge/text/localized.ts';
import type { CallOutcome } from '../../../calls/callTypes.ts';
import type { UsersTask } from '../../../calls/tasks/taskView.ts';
import type { Host } from '../../../host/host.ts';
import { callerLabel } from '../../calls/callWords.ts';
import type { Action, Block, Row } from '../pageContent.ts';
import type { PageRequest } from '../pageMessages.ts';
import { columnsOf } from '../tableParts.ts';
import { InspectorRuns } from './inspectorRun.ts';
import { resultBlocks } from './resultBlocks.ts';

/** So many of the newest are listed. */
const MOST_TASKS = 200;
const MAX_MESSAGE = 300;

/** *Tasks*: the calls that go on as tasks of their servers, and what came of those that are kept. */
export class TasksTab {
  readonly #host: Host;
  /** The result that is looked at. */
  readonly #shown: InspectorRuns<CallOutcome | undefined>;
  #handle = '';

  constructor(host: Host, changed: () => void) {
    this.#host = host;
    this.#shown = new InspectorRuns(1, changed);
  }

  /** @param serverId empty: those of all servers @param now milliseconds since the epoch */
  async content(serverId: string, now: number, language: string): Promise<readonly Block[]> {
    const { t } = vscode.l10n;
    const all = await (await this.#host.broker.tasks()).everybodys();
    const tasks = all.filter((task) => serverId === '' || task.serverId === serverId);
    const table: Block = {
      kind: 'table',
      id: 'tasks',
      title: t('Tasks'),
      empty: t('No call runs as a task, and no result of one is kept.'),
      columns: columnsOf([t('Tool'), t('Server'), t('Caller'), t('State'), t('Time')], [t('Duration, ms')]),
      rows: tasks.slice(0, MOST_TASKS).map((task) => rowOf(task, now, language)),
      drawings: [],
    };
    return [table, ...this.#result(tasks)];
  }

  async take(message: PageRequest): Promise<void> {
    if (message.type !== 'act') return;
    const [act, handle = ''] = message.action.split(' ');
    const tasks = await this.#host.broker.tasks();
    if (act === 'cancelTask') tasks.cancelForUser(handle);
    if (act !== 'taskResult') return;
    this.#handle = handle;
    this.#shown.clear();
    await this.#shown.run(() => tasks.outcome(handle));
  }

  #result(tasks: readonly UsersTask[]): readonly Block[] {
    const task = tasks.find(({ handle }) => handle === this.#handle);
    const outcome = this.#shown.last?.outcome;
    if (!task || !outcome) return [];
    if ('error' in outcome) return [{ kind: 'code', title: vscode.l10n.t('Error'), text: localized(outcome.error) }];
    return [
      { kind: 'text', text: vscode.l10n.t('Result of “{0}”', oneLine(task.tool)) },
      ...resultBlocks(outcome.value?.parts ?? [], `task ${this.#handle}`),
    ];
  }
}

function rowOf(task: UsersTask, now: number, language: string): Row {
  const { handle, tool, serverName, surface, caller, status, message, startedAt, endedAt, deliveredAt } = task;
  const { t } = vscode.l10n;
  const states: Readonly<Record<UsersTask['status'], string>> = {
    working: t('running'),
    completed: deliveredAt === undefined ? t('Completed, not fetched yet') : t('Completed'),
    failed: t('Failed'),
    cancelled: t('Cancelled'),
  };
  const said = message === undefined ? '' : `: ${message.slice(0, MAX_MESSAGE)}`;
  const action = (id: string, label: string): Action => {
    return { id: `${id} ${handle}`, label, accessibleLabel: `${label}: ${oneLine(tool)}` };
  };
  return {
    key: handle,
    cells: [
      oneLine(tool),
      oneLine(serverName),
      oneLine(callerLabel(surface, caller)),
      oneLine(states[status] + said),
      new Date(startedAt).toLocaleString(language),
      (endedAt ?? now) - startedAt,
    ],
    actions: [status === 'working' ? action('cancelTask', t('Cancel')) : action('taskResult', t('Show Result'))],
    children: [],
  };
}
