/** From this version on the editor names tools by what a server says it is called, and knows of equal labels. */
const NAMES_FROM_SERVERS = [1, 124] as const;
/** From this version on the editor draws MCP Apps in the chat. */
const DRAWS_APPS = [1, 109] as const;

/**
 * Whether the editor makes tool names of what a server calls itself, and enables only one of several servers of the same
 * label (seen: 1.106 does neither, 1.139 both; the editor's own pull requests are of 1.118 and 1.122).
 * @param version of the editor, e.g. `1.139.1`
 */
export function takesNamesFromServers(version: string): boolean {
  return isAtLeast(version, NAMES_FROM_SERVERS);
}

/** What the editor itself declares to servers where it draws apps, as extensions of the protocol. */
export const APPS = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

/**
 * Whether results are drawn by a page of the server (MCP Apps, `io.modelcontextprotocol/ui`), by the editor or by us: where the
 * editor does (seen: 1.106 doesn't, 1.139 does), and the user hasn't turned apps off.
 * @param version of the editor, e.g. `1.139.1`
 * @param setting `chat.mcp.apps.enabled`
 */
export function showsApps(version: string, setting: unknown): boolean {
  return setting !== false && isAtLeast(version, DRAWS_APPS);
}

function isAtLeast(version: string, [neededMajor, neededMinor]: readonly [number, number]): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}
