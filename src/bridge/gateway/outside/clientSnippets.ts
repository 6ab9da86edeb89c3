/** An agent outside the editor that an address can be given to. */
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

/** What stands for a token that isn't shown again. */
export const TOKEN_PLACEHOLDER = '<token>';

/** What makes the servers known to an agent, ready to be pasted. */
export function snippetFor(agent: OutsideAgent['id'], url: string, token: string): string {
  const authorization = `Bearer ${token}`;
  switch (agent) {
    case 'claude-code':
      return `claude mcp add --transport http switchboard ${url} --header "Authorization: ${authorization}"`;
    case 'codex':
      return `[mcp_servers.switchboard]\nurl = "${url}"\nhttp_headers = { Authorization = "${authorization}" }\n`;
    case 'cline':
      return json({ type: 'streamableHttp', url, headers: { Authorization: authorization } });
    case 'other':
      return json({ type: 'http', url, headers: { Authorization: authorization } });
  }
}

function json(switchboard: object): string {
  return JSON.stringify({ mcpServers: { switchboard } }, undefined, 2);
}
