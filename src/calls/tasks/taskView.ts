import type { KeptTask } from './keptTask.ts';

/** How a task is, for whoever called. */
export interface TaskView {
  readonly handle: string;
  readonly tool: string;
  readonly serverName: string;
  readonly status: 'working' | 'completed' | 'failed' | 'cancelled';
  /** What the server says of it, cleaned. */
  readonly message?: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly deliveredAt?: number;
}

/** A task as the user sees it, whoever called. */
export interface UsersTask extends TaskView {
  readonly serverId: string;
  readonly surface: KeptTask['surface'];
  readonly caller?: string;
}

/** @param message what the server says of it, cleaned, while it runs */
export function viewOf(
  { handle, tool, serverName, at, end, deliveredAt }: KeptTask,
  message: string | undefined,
): TaskView {
  return {
    handle,
    tool,
    serverName,
    status: end ? statusOf(end.outcome) : 'working',
    ...(message === undefined ? {} : { message }),
    startedAt: at,
    ...(end ? { endedAt: end.at } : {}),
    ...(deliveredAt === undefined ? {} : { deliveredAt }),
  };
}

/** The same, for the user. */
export function usersViewOf(task: KeptTask, message: string | undefined): UsersTask {
  const { serverId, surface, caller } = task;
  return { ...viewOf(task, message), serverId, surface, ...(caller === undefined ? {} : { caller }) };
}

function statusOf(outcome: NonNullable<KeptTask['end']>['outcome']): TaskView['status'] {
  if (!('error' in outcome)) return 'completed';
  return outcome.error.code === 'call-cancelled' ? 'cancelled' : 'failed';
}
