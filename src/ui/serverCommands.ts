import type { Host } from '../host.ts';
import type { Logs } from '../platform/logs.ts';

/** Everything that is done to one server. */
const ACTIONS = [
  'mcpSwitchboard.connect',
  'mcpSwitchboard.disconnect',
  'mcpSwitchboard.restart',
  'mcpSwitchboard.showLog',
  'mcpSwitchboard.openDefinition',
  'mcpSwitchboard.approve',
  'mcpSwitchboard.disable',
  'mcpSwitchboard.enable',
] as const;
export type ServerActionId = (typeof ACTIONS)[number];

/** Commands by id for what is done to one server, and for the list of all. */
export function serverCommands(host: Host, logs: Logs): Record<string, (...args: unknown[]) => unknown> {
  const run = async (id: ServerActionId, target: unknown): Promise<void> =>
    (await import('./serverActions.ts')).runServerAction(host, logs, id, target);
  return {
    ...Object.fromEntries(ACTIONS.map((id) => [id, (target: unknown) => run(id, target)])),
    'mcpSwitchboard.listServers': async () => (await import('./serverActions.ts')).listServers(host, logs),
  };
}
