import * as path from 'node:path';
import { attempts, lengthOfLongResult, timeOfCall } from './callChecks.ts';
import type { Check } from './checks.ts';
import type { Probe } from './probe.ts';
import { codexHome } from './sourceChecks.ts';
import { handshakeTime, localOrder, remoteOrder, ONCE } from './startChecks.ts';

/** The variables of the environment that count where nothing is set, and those that say where other clients have their files. */
export function environmentChecks(probe: Probe): Record<string, Check> {
  const discovers = (client: string) => () => ({ 'mcpSwitchboard.discovery': [client] });
  const isThere = (name: string) => async (): Promise<boolean> => (await probe.find(name)) !== undefined;
  const entry = { url: 'http://127.0.0.1:9/mcp', startMode: 'manual' };
  const home = (file: string, content: object): string => path.dirname(probe.file(file, JSON.stringify(content)));
  return {
    MCP_TIMEOUT: {
      with: () => ONCE,
      effect: () => handshakeTime(probe),
      shows: [
        [150, '0.15 s'],
        [250, '0.25 s'],
      ],
    },
    MCP_TOOL_TIMEOUT: {
      effect: () => timeOfCall(probe),
      shows: [
        [150, '0.15 s'],
        [250, '0.25 s'],
      ],
    },
    MAX_MCP_OUTPUT_TOKENS: {
      effect: () => lengthOfLongResult(probe),
      shows: [
        [undefined, 'whole'],
        [500, 'in parts'],
      ],
    },
    MCP_RETRY_CONFIG: {
      effect: async () => (await attempts(probe)).length,
      shows: [
        [undefined, 3],
        ['{"maxAttempts":2,"initialDelayMs":0}', 2],
      ],
    },
    MCP_SERVER_CONNECTION_BATCH_SIZE: {
      effect: () => localOrder(probe),
      shows: [
        [1, 'one after the other'],
        [undefined, 'together'],
      ],
    },
    MCP_REMOTE_SERVER_CONNECTION_BATCH_SIZE: {
      effect: () => remoteOrder(probe),
      shows: [
        [1, 'one after the other'],
        [undefined, 'together'],
      ],
    },
    CODEX_HOME: {
      with: discovers('codex'),
      effect: isThere('of-codex'),
      shows: [
        [undefined, false],
        [codexHome(probe), true],
      ],
    },
    COPILOT_HOME: {
      with: discovers('copilot'),
      effect: isThere('of-copilot'),
      shows: [
        [undefined, false],
        [home('copilot/mcp-config.json', { mcpServers: { 'of-copilot': entry } }), true],
      ],
    },
    CLAUDE_CONFIG_DIR: {
      with: discovers('claude-code'),
      effect: isThere('of-claude'),
      shows: [
        [undefined, false],
        [home('claude/.claude.json', { mcpServers: { 'of-claude': entry } }), true],
      ],
    },
    XDG_CONFIG_HOME: {
      with: discovers('opencode'),
      effect: isThere('of-opencode'),
      shows: [
        [undefined, false],
        [
          path.dirname(
            home('xdg/opencode/opencode.json', {
              mcp: { 'of-opencode': { type: 'remote', url: entry.url, startMode: 'manual' } },
            }),
          ),
          true,
        ],
      ],
    },
  };
}
