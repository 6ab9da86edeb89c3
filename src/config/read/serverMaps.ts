import { say } from '../../base/say.ts';
import { oneLine } from '../../base/text/invisible.ts';
import { membersOf, valueAt, type ConfigNode, type Member } from '../syntax/configNode.ts';
import type { SourceFormat, ConfigProblem } from '../configTypes.ts';
import { conventionsOf } from '../clients/clientConventions.ts';
import { replacing } from './entryReader.ts';
import { restricts, unreadSections } from './unreadKeys.ts';
import type { SourceText } from '../syntax/sourceText.ts';

/** Keys of which any one makes an object a server rather than a map of servers. */
export const LAUNCH_KEYS: readonly string[] = ['command', 'url', 'serverUrl', 'httpUrl', 'endpoint', 'baseUrl'];

/** Top-level keys of an MCP file that are no servers even where the file is a flat map. */
const NO_SERVER_KEYS = new Set(['inputs', 'imports', 'version', 'name', 'description']);

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
function looksLikeServer(node: ConfigNode): boolean {
  return membersOf(node).some(({ key, value }) => LAUNCH_KEYS.includes(key) && value.type !== 'object');
}

function isSwitch(node: ConfigNode): boolean {
  return membersOf(node).some(({ key, value }) => /^(?:en|dis)abled$/.test(key) && value.type === 'boolean');
}

function isIgnorable(member: Member): boolean {
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

/**
 * What is odd about where servers stand in a file: a key that nobody reads, or one that only we read.
 * @param alsoRead values of keys that are read for something else
 */
export function layoutHints(
  container: ConfigNode,
  maps: readonly ServerMap[],
  text: SourceText,
  alsoRead: readonly (ConfigNode | undefined)[] = [],
): ConfigProblem[] {
  const read = new Set(maps.map((map) => map.at));
  const isFlat = maps.some(({ section }) => section === undefined);
  const others = membersOf(container)
    .filter(({ value }) => !alsoRead.includes(value))
    .filter((member) => (isFlat ? isIgnorable(member) : !read.has(member.keyNode) && !isMapParent(member, maps)));
  const misspelt = others.filter(({ value }) => holdsServers(value)).flatMap((member) => misspeltSection(member, text));
  const other = [
    ...maps.flatMap((map) => otherSection(map, text)),
    ...maps.flatMap((map) => remarks(map, text)),
    ...unreadSections(
      others.filter(({ key, value }) => !NO_SERVER_KEYS.has(key) && !isComment(key) && !holdsServers(value)),
      text,
    ),
  ];
  if (maps.length > 0 || misspelt.length > 0 || text.source.format === 'settings') return [...misspelt, ...other];
  const isEmpty = membersOf(container).every(
    ({ key, value }) => key === 'inputs' || key.startsWith('$') || alsoRead.includes(value),
  );
  if (isEmpty) return other;
  return [
    text.problem({ offset: container.offset, length: 1 }, 'no-servers', 'hint', {
      message: say`No servers found in this file.`,
      fix: say`Put them under \`mcpServers\`, or under \`servers\` as VS Code does.`,
    }),
  ];
}

/** A key that servers stand in deeper down, as in `"mcp": { "servers": … }`. */
function isMapParent({ value }: Member, maps: readonly ServerMap[]): boolean {
  return maps.some((map) => map.value !== value && map.value.offset > value.offset && endOf(map.value) <= endOf(value));
}

function endOf({ offset, length }: ConfigNode): number {
  return offset + length;
}

function misspeltSection({ key, keyNode }: Member, text: SourceText): ConfigProblem[] {
  if (!/^(?:mcp)?servers?$/.test(key.toLowerCase().replaceAll(/[-_. ]/g, ''))) return [];
  const settings = text.source.format === 'settings';
  const right = (settings && key === 'servers' ? undefined : conventionsOf(text.source)?.section) ?? 'mcpServers';
  return [
    text.problem(keyNode, 'unread-section', settings ? 'hint' : 'warning', {
      message: settings
        ? say`Servers under \`${key}\` aren't read in a settings file.`
        : say`Servers under \`${key}\` aren't read: unknown key.`,
      fix: say`Rename it to \`${right}\`.`,
      edit: replacing(keyNode, JSON.stringify(right)),
    }),
  ];
}

/** Servers under names that count as remarks. Other clients run them. */
function remarks({ value }: ServerMap, text: SourceText): ConfigProblem[] {
  return membersOf(value).flatMap((member) =>
    isComment(member.key) && looksLikeServer(member.value)
      ? text.problem(member.keyNode, 'remark', 'hint', {
          message: say`\`${oneLine(member.key)}\` counts as a remark, so this server isn’t read; other clients may run it.`,
          fix: say`Give it another name, or set \`"disabled": true\` to turn it off.`,
        })
      : [],
  );
}

/** `servers` where the file's own client reads `mcpServers`, and the other way round: it loads here alone. */
function otherSection({ section, at }: ServerMap, text: SourceText): ConfigProblem[] {
  const conventions = conventionsOf(text.source);
  const right = conventions?.section;
  const confused =
    (section === 'servers' && right === 'mcpServers') || (section === 'mcpServers' && right === 'servers');
  if (!conventions || !right || !confused || text.source.format !== 'mcp') return [];
  return [
    text.problem(at, 'other-section', 'hint', {
      message: say`${conventions.name} reads \`${right}\` in this file, not \`${section}\`; MCP Switchboard reads both.`,
      fix: say`Rename it to \`${right}\`.`,
      edit: replacing(at, JSON.stringify(right)),
    }),
  ];
}

/** Whether an object has servers as its members. */
export function holdsServers(node: ConfigNode): boolean {
  return membersOf(node).some((member) => looksLikeServer(member.value));
}
