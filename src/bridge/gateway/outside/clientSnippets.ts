import type { HttpAddress } from './outsideGateway.ts';
import type { OutsideCommand } from './outsideCommand.ts';

/** An agent outside the editor that can be given the servers. */
export interface OutsideAgent {
  readonly id: 'claude-code' | 'codex' | 'cline' | 'other';
  /** As its makers call it; `other` has no name. */
  readonly name?: string;
  /** Where the text goes: a terminal, or a file. */
  readonly place: string;
}

export const OUTSIDE_AGENTS: readonly OutsideAgent[] = [
  { id: 'claude-code', name: 'Claude Code', place: 'terminal' },
  { id: 'codex', name: 'Codex', place: '~/.codex/config.toml' },
  { id: 'cline', name: 'Cline', place: 'cline_mcp_settings.json' },
  { id: 'other', place: '.mcp.json' },
];

/** What makes the servers known to an agent, ready to be pasted. Nothing in it opens anything by itself. */
export function snippetFor(
  agent: OutsideAgent['id'],
  { command, args, env }: OutsideCommand,
  platform: NodeJS.Platform,
): string {
  const hasEnv = Object.keys(env).length > 0;
  switch (agent) {
    case 'claude-code': {
      // Another option has to come between the variables and the name: Claude Code takes all words that follow for variables.
      const variables = Object.entries(env).map(([name, value]) => `--env ${name}=${value} `);
      const words = [command, ...args].map((word) => quoted(word, platform));
      return `claude mcp add ${variables.join('')}--transport stdio switchboard -- ${words.join(' ')}`;
    }
    case 'codex': {
      const variables = Object.entries(env).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
      return [
        '[mcp_servers.switchboard]',
        `command = ${JSON.stringify(command)}`,
        `args = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
        ...(hasEnv ? [`env = { ${variables.join(', ')} }`] : []),
        '',
      ].join('\n');
    }
    case 'cline':
      return json({ command, args, ...(hasEnv ? { env } : {}) });
    case 'other':
      return json({ type: 'stdio', command, args, ...(hasEnv ? { env } : {}) });
  }
}

/** The same over HTTP, for a file alone: a token in a command would be in the list of processes and in a history. */
export function httpSnippet({ url, token }: HttpAddress): string {
  return json({ type: 'http', url, headers: { Authorization: `Bearer ${token}` } });
}

function json(switchboard: object): string {
  return JSON.stringify({ mcpServers: { switchboard } }, undefined, 2);
}

/** A word of a command line, in quotes where a shell would take it apart. */
function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(word) && (platform === 'win32' || !word.includes('\\'))) return word;
  return platform === 'win32' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
