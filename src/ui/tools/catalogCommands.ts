import type { Host } from '../../host/host.ts';
import { readToolSettings } from '../../platform/hostSettings.ts';
import type { ServersTree } from '../servers/serversTree.ts';

/** Commands about tools, by id. What they show is loaded on first use. */
export function catalogCommands(host: Host, tree: ServersTree): Record<string, (...args: unknown[]) => unknown> {
  return {
    'mcpSwitchboard.searchTools': async () => (await import('./searchCommand.ts')).searchTools(host, tree),
    'mcpSwitchboard.listTools': async () =>
      (await import('./listTools.ts')).listTools(host, tree, readToolSettings().toolQualityThreshold),
    'mcpSwitchboard.showContextStatistics': async () =>
      (await import('./contextStatistics.ts')).showContextStatistics(host),
    'mcpSwitchboard.reviewTools': async () => (await import('./toolChanges.ts')).reviewTools(host),
  };
}
