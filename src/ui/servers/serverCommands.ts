import type { Host } from '../../host/host.ts';
import type { Logs } from '../../platform/logs.ts';
import { SERVER_ACTIONS, type ServerActionId } from './serverActionIds.ts';

/** Commands by id for what is done to one server, and for the list of all. */
export function serverCommands(host: Host, logs: Logs): Record<string, (...args: unknown[]) => unknown> {
  const run = async (id: ServerActionId, target: unknown): Promise<void> =>
    (await import('./serverActions.ts')).runServerAction(host, logs, id, target);
  return {
    ...Object.fromEntries(SERVER_ACTIONS.map((id) => [id, (target: unknown) => run(id, target)])),
    'mcpSwitchboard.listServers': async () => (await import('./serverActions.ts')).listServers(host, logs),
  };
}
