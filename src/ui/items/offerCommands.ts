import { isRecord } from '../../base/json.ts';
import type { ResourceFiles } from '../../bridge/resources/resourceFiles.ts';
import type { Host } from '../../host/host.ts';

/** Commands about resources and prompts, by id; from a server in the tree, for that one. */
export function offerCommands(host: Host, files: ResourceFiles): Record<string, (...args: unknown[]) => unknown> {
  const serverOf = (node: unknown): string | undefined =>
    isRecord(node) && typeof node['serverId'] === 'string' ? host.servers.get(node['serverId'])?.name : undefined;
  return {
    'mcpSwitchboard.openResource': async (node) =>
      (await import('./openResource.ts')).openResource(host, files, serverOf(node)),
    'mcpSwitchboard.runPrompt': async (node) => (await import('./runPrompt.ts')).runPrompt(host, serverOf(node)),
  };
}
