/** Id of the source that is the setting `mcpSwitchboard.servers`; it has no file. */
export const USER_SETTING_ID = 'user:setting';

/** The managed file's place, which administrators alone can write. */
export function managedFilePath({ platform }: { readonly platform: NodeJS.Platform }): string {
  if (platform === 'win32') return 'C:\\Program Files\\MCP Switchboard\\managed-mcp.json';
  return platform === 'darwin'
    ? '/Library/Application Support/MCP Switchboard/managed-mcp.json'
    : '/etc/mcp-switchboard/managed-mcp.json';
}
