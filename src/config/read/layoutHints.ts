import { conventionsOf } from '../clients/clientConventions.ts';
import { looksLikeServer, type ServerMap } from './serverMaps.ts';
import { replacing } from './entryReader.ts';
import { membersOf, type ConfigNode, type Member } from '../syntax/configNode.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import type { ConfigProblem } from '../configTypes.ts';

/** What is odd about where servers stand in a file: a key that nobody reads, or one that only we read. */
export function layoutHints(container: ConfigNode, maps: readonly ServerMap[], text: SourceText): ConfigProblem[] {
  const unread = membersOf(container).filter(
    (member) => !maps.some((map) => map.at === member.keyNode) && holdsServers(member.value),
  );
  const misspelt = unread.flatMap((member) => misspeltSection(member, text));
  const other = maps.flatMap((map) => otherSection(map, text));
  if (maps.length > 0 || misspelt.length > 0 || text.source.format === 'settings') return [...misspelt, ...other];
  const isEmpty = membersOf(container).every((member) => member.key === 'inputs' || member.key.startsWith('$'));
  if (isEmpty) return other;
  return [
    text.problem({ offset: container.offset, length: 1 }, 'no-servers', 'hint', {
      message: 'No servers were found in this file.',
      fix: 'Put them under `mcpServers`, or under `servers` as VS Code does.',
    }),
  ];
}

function misspeltSection({ key, keyNode }: Member, text: SourceText): ConfigProblem[] {
  if (!/^(?:mcp)?servers?$/.test(key.toLowerCase().replaceAll(/[-_. ]/g, ''))) return [];
  const settings = text.source.format === 'settings';
  const right = (settings && key === 'servers' ? undefined : conventionsOf(text.source)?.section) ?? 'mcpServers';
  return [
    text.problem(keyNode, 'unread-section', settings ? 'hint' : 'warning', {
      message: settings
        ? `Servers under \`${key}\` aren't read in a settings file.`
        : `Servers under \`${key}\` aren't read: that key isn't known.`,
      fix: `Rename it to \`${right}\`.`,
      edit: replacing(keyNode, JSON.stringify(right)),
    }),
  ];
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
      message: `${conventions.name} reads \`${right}\` in this file, not \`${section}\`; here both are read.`,
      fix: `Rename it to \`${right}\`.`,
      edit: replacing(at, JSON.stringify(right)),
    }),
  ];
}

function holdsServers(node: ConfigNode): boolean {
  return membersOf(node).some((member) => looksLikeServer(member.value));
}
