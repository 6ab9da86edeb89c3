import { membersOf, valueAt, type ConfigNode, type Member } from '../syntax/configNode.ts';
import type { SourceFormat } from '../configTypes.ts';
import { restricts } from './unreadKeys.ts';

/** Keys of which any one makes an object a server rather than a map of servers. */
export const LAUNCH_KEYS: readonly string[] = ['command', 'url', 'serverUrl', 'httpUrl', 'endpoint', 'baseUrl'];

/** Top-level keys of an MCP file that are no servers even where the file is a flat map. */
export const NO_SERVER_KEYS = new Set(['inputs', 'imports', 'version', 'name', 'description']);

/** One place of a file where servers stand. `section` is its key; absent for a flat map. */
export interface ServerMap {
  readonly section?: string;
  /** The key, to point at; the root for a flat map. */
  readonly at: ConfigNode;
  readonly value: ConfigNode;
  readonly members: readonly Member[];
}

/**
 * Finds every map of servers in a file (design: *Formats read*). Several may stand in one file; all are read.
 * @param mergesByName an entry may only say whether a server is on
 */
export function findServerMaps(root: ConfigNode, format: SourceFormat, mergesByName: boolean = false): ServerMap[] {
  const wrapped = membersOf(root).flatMap((member) => wrappedMap(member, format, mergesByName));
  if (wrapped.length > 0 || format === 'settings') return wrapped;
  const members = membersOf(root).filter((member) => !isIgnorable(member));
  if (!members.some((member) => looksLikeServer(member.value))) return [];
  return [{ at: root, value: root, members }];
}

function wrappedMap(member: Member, format: SourceFormat, mergesByName: boolean): ServerMap[] {
  const { key, keyNode, value } = member;
  const map = (section: string, node: ConfigNode): ServerMap[] => [
    { section, at: keyNode, value: node, members: membersOf(node).filter((item) => !isComment(item.key)) },
  ];
  switch (key) {
    case 'mcpServers':
    case 'mcp_servers':
    case 'context_servers':
    case 'mcp.servers':
      return looksLikeServer(value) ? [] : map(key, value);
    case 'servers':
      // In a settings file `servers` may be anything; in a file meant for MCP it can only be this.
      return format === 'settings' || looksLikeServer(value) ? [] : map(key, value);
    case 'mcp': {
      const servers = valueAt(value, 'servers');
      if (servers && !looksLikeServer(servers)) return map('mcp.servers', servers);
      return membersOf(value).some((item) => looksLikeServer(item.value) || (mergesByName && isSwitch(item.value)))
        ? map(key, value)
        : [];
    }
    default:
      return [];
  }
}

/** Whether an object says how to start or reach a server by itself. */
export function looksLikeServer(node: ConfigNode): boolean {
  return membersOf(node).some(({ key, value }) => LAUNCH_KEYS.includes(key) && value.type !== 'object');
}

function isSwitch(node: ConfigNode): boolean {
  return membersOf(node).some(({ key, value }) => /^(?:en|dis)abled$/.test(key) && value.type === 'boolean');
}

/** Whether a member of a flat map is no server. */
export function isIgnorable(member: Member): boolean {
  return isComment(member.key) || (!looksLikeServer(member.value) && !isServerName(member));
}

/** Beside servers in a flat map, what is named for something else, or is only a word, is no server. */
function isServerName({ key, value }: Member): boolean {
  if (NO_SERVER_KEYS.has(key) || value.type === 'boolean' || value.type === 'number') return false;
  return !restricts(key, value);
}

/** Keys used for remarks: `$schema`, `_comment`, `//`. No server can have such a name. */
export function isComment(key: string): boolean {
  return /^(?:\$|_|\/\/|#|comments?$)/.test(key);
}

/** The object that `keys` lead to. Paths among them match with either slash. */
export function containerOf(root: ConfigNode, keys: readonly string[]): ConfigNode | undefined {
  let node: ConfigNode | undefined = root;
  for (const key of keys)
    node = membersOf(node).findLast((member) => member.key.replaceAll('\\', '/') === key.replaceAll('\\', '/'))?.value;
  return node?.type === 'object' ? node : undefined;
}

/** Whether an object has servers as its members. */
export function holdsServers(node: ConfigNode): boolean {
  return membersOf(node).some((member) => looksLikeServer(member.value));
}
