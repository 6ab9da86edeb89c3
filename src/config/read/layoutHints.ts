import { say } from '../../base/say.ts';
import { oneLine } from '../../base/text/showInvisible.ts';
import { membersOf, type ConfigNode, type Member } from '../syntax/configNode.ts';
import type { ConfigProblem } from '../configTypes.ts';
import { conventionsOf } from '../clients/clientConventions.ts';
import { replacing } from './entryReader.ts';
import { holdsServers, isComment, isIgnorable, looksLikeServer, NO_SERVER_KEYS, type ServerMap } from './serverMaps.ts';
import { unreadSections } from './unreadKeys.ts';
import type { SourceText } from '../syntax/sourceText.ts';

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
