import { parseSource } from '../../../src/config/read/parseSource.ts';
import type { ConfigSource, SourceResult } from '../../../src/config/configTypes.ts';
import * as judge from '../../../src/servers/trust/policyVerdict.ts';
import type { ServerDecisions, ServerDefinition } from '../../../src/servers/serverTypes.ts';

/** What a source gives for these servers; a string is the command of one. */
export function resultOf(source: ConfigSource, servers: Record<string, unknown>): SourceResult {
  const map = Object.fromEntries(
    Object.entries(servers).map(([name, entry]) => [name, typeof entry === 'string' ? { command: entry } : entry]),
  );
  const { entries, broken, problems } = parseSource(source, JSON.stringify({ mcpServers: map }, undefined, 2));
  return { source, status: 'found', entries, broken, problems, stale: false };
}

/** Decisions of somebody who trusts the workspace and has approved nothing. */
export function decisionsOf(options: Partial<ServerDecisions> = {}): ServerDecisions {
  return {
    workspaceTrusted: true,
    hosting: 'switchboard',
    editorHosts: () => false,
    approval: () => undefined,
    isDisabled: () => false,
    judge,
    ...options,
  };
}

/** One line of a golden table, e.g. `project a: needs-approval new`. */
export function lineOf({ name, entry, status }: ServerDefinition): string {
  const detail = (): string => {
    switch (status.kind) {
      case 'ready':
        return '';
      case 'disabled':
        return ` by ${status.by}`;
      case 'blocked':
        return ` ${status.by}`;
      case 'needs-approval':
        return ` ${status.change}`;
      case 'problem':
        return ` ${status.problem.code}`;
      case 'shadowed':
        return ` by ${status.by.scope}`;
    }
  };
  return `${entry.scope} ${name}: ${status.kind}${detail()}`;
}
