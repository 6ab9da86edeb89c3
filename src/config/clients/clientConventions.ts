import type { ClientId, ConfigSource } from '../configTypes.ts';

/** How one client writes its files, as far as it differs from the others. */
export interface ClientConventions {
  /** For users. */
  readonly name: string;
  /** Unit of an entry's `timeout`. */
  readonly timeoutUnit: 'milliseconds' | 'seconds';
  /** The top-level key that the client reads. */
  readonly section: 'mcpServers' | 'servers' | 'mcp_servers' | 'context_servers' | 'mcp';
  /** Files of several places are merged by the servers' names: an entry may say only whether a server is on. */
  readonly mergesByName?: true;
}

/**
 * The units of `timeout`. Checked in the client's documentation or source: Claude Code (milliseconds, below 1000 ignored),
 * opencode and GitHub Copilot (milliseconds); Cline, Roo Code, Kilo Code and Zed (seconds). Not checked, and taken to be milliseconds:
 * Gemini CLI, Amazon Q, Kiro, VS Code, Claude Desktop, Cursor and Windsurf; Codex has the unit in the names of its fields
 * (`tool_timeout_sec`, `startup_timeout_sec`). docs/configuration.md has the table.
 */
const CONVENTIONS: Readonly<Record<ClientId, ClientConventions>> = {
  vscode: { name: 'VS Code', timeoutUnit: 'milliseconds', section: 'servers' },
  'claude-code': { name: 'Claude Code', timeoutUnit: 'milliseconds', section: 'mcpServers' },
  'claude-desktop': { name: 'Claude Desktop', timeoutUnit: 'milliseconds', section: 'mcpServers' },
  cursor: { name: 'Cursor', timeoutUnit: 'milliseconds', section: 'mcpServers' },
  windsurf: { name: 'Windsurf', timeoutUnit: 'milliseconds', section: 'mcpServers' },
  codex: { name: 'Codex', timeoutUnit: 'seconds', section: 'mcp_servers', mergesByName: true },
  gemini: { name: 'Gemini CLI', timeoutUnit: 'milliseconds', section: 'mcpServers' },
  cline: { name: 'Cline', timeoutUnit: 'seconds', section: 'mcpServers' },
  roo: { name: 'Roo Code', timeoutUnit: 'seconds', section: 'mcpServers' },
  kilo: { name: 'Kilo Code', timeoutUnit: 'seconds', section: 'mcpServers' },
  opencode: { name: 'opencode', timeoutUnit: 'milliseconds', section: 'mcp', mergesByName: true },
  zed: { name: 'Zed', timeoutUnit: 'seconds', section: 'context_servers', mergesByName: true },
  'amazon-q': { name: 'Amazon Q', timeoutUnit: 'milliseconds', section: 'mcpServers' },
  kiro: { name: 'Kiro', timeoutUnit: 'milliseconds', section: 'mcpServers' },
  copilot: { name: 'GitHub Copilot', timeoutUnit: 'milliseconds', section: 'mcpServers' },
};

/** The ends of paths by which a client's file is known. The first that fits counts. */
const FILE_PATTERNS: readonly (readonly [RegExp, ClientId])[] = [
  [/\/\.vscode\/(?:mcp|settings)\.json$|devcontainer\.json$|\.code-workspace$/, 'vscode'],
  [/\/\.roo\/mcp\.json$|rooveterinaryinc\.roo-cline\//, 'roo'],
  [/\/\.kilocode\/mcp\.json$|kilocode\.kilo-code\//, 'kilo'],
  [/cline_mcp_settings\.json$/, 'cline'],
  [/\/\.cursor\/mcp\.json$/, 'cursor'],
  [/\/\.codeium\/.*mcp_config\.json$/, 'windsurf'],
  [/\/\.codex\/config\.toml$/, 'codex'],
  [/\/\.gemini\/settings\.json$|gemini-extension\.json$/, 'gemini'],
  [/opencode\.jsonc?$/, 'opencode'],
  [/\/\.?zed\/settings\.json$/, 'zed'],
  [/claude_desktop_config\.json$/, 'claude-desktop'],
  [/\/\.mcp\.json$|\/\.claude\.json$|\/\.claude\/settings(?:\.local)?\.json$|\/managed-mcp\.json$/, 'claude-code'],
  [/\/\.?amazonq\/.*\.json$/, 'amazon-q'],
  [/\/\.kiro\/settings\/mcp\.json$/, 'kiro'],
  [/\/\.copilot\/mcp-config\.json$|\/\.github\/mcp\.json$/, 'copilot'],
];

/** Whose file a source is; `undefined` where nothing tells. */
export function clientOf(source: ConfigSource): ClientId | undefined {
  if (source.client) return source.client;
  const file = `/${source.file ?? ''}`.replaceAll('\\', '/');
  return FILE_PATTERNS.find(([pattern]) => pattern.test(file))?.[1];
}

/** What is known of the client whose file a source is. */
export function conventionsOf(source: ConfigSource): ClientConventions | undefined {
  const client = clientOf(source);
  return client && CONVENTIONS[client];
}

/** What is known of a client. */
export function conventionsFor(client: ClientId): ClientConventions {
  return CONVENTIONS[client];
}

/** The name of the client whose file a source is, for users. */
export function clientName(source: ConfigSource): string {
  return conventionsOf(source)?.name ?? source.label;
}
