import { isRecord } from '../../base/json/json.ts';
import { say } from '../../base/say.ts';
import type { ServerMap } from './serverMaps.ts';
import { kindOf, plainValue, type ConfigNode, type Member } from '../syntax/configNode.ts';
import type { SyntaxFault } from '../syntax/readJsonc.ts';
import type { SourceText } from '../syntax/sourceText.ts';
import type { ConfigProblem } from '../configTypes.ts';

/** Problems told of one source at most. */
export const MAX_PROBLEMS = 500;

/** Those that are told, and that there are more. */
export function mostOf(problems: readonly ConfigProblem[], text: SourceText): readonly ConfigProblem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const message = say`Only the first ${MAX_PROBLEMS} problems of this file are listed.`;
  const rest = text.problem({ offset: 0, length: 0 }, 'more-problems', 'hint', { message, fix: say`Fix these first.` });
  return [...problems.slice(0, MAX_PROBLEMS), rest];
}

export function notAnObject(text: SourceText, root: ConfigNode): ConfigProblem {
  return text.problem(root, 'not-an-object', 'error', {
    message: say`The file must contain an object, not ${kindOf(root)}.`,
    fix: say`Write \`{ "mcpServers": { … } }\`.`,
  });
}

const AS_OBJECT = say`Write \`{ "name": { "command": "…" } }\`.`;
const AS_TABLE = say`Write a table for each server: \`[mcp_servers.name]\`.`;

export function notAMap(text: SourceText, map: ServerMap): ConfigProblem {
  const byName = text.syntax === 'jsonc' ? byNameOf(map.value) : undefined;
  const { offset, length } = map.value;
  return text.problem(map.value, 'servers-not-an-object', 'error', {
    message: say`\`${map.section ?? 'servers'}\` must be an object of servers, not ${kindOf(map.value)}.`,
    fix: byName !== undefined ? say`Put each server under its name.` : text.syntax === 'jsonc' ? AS_OBJECT : AS_TABLE,
    ...(byName === undefined ? {} : { edit: { offset, length, text: byName } }),
  });
}

/** A list of servers that say their names, as the object that it should be. */
function byNameOf(list: ConfigNode): string | undefined {
  const items = list.type === 'array' ? (list.children ?? []).map(plainValue) : [];
  const entries = items.flatMap((item): [string, unknown][] => {
    if (!isRecord(item) || typeof item['name'] !== 'string') return [];
    const { name, ...rest } = item;
    return [[name, rest]];
  });
  const isWhole = entries.length > 0 && entries.length === items.length;
  const servers = Object.fromEntries(entries);
  if (!isWhole || Object.keys(servers).length < entries.length) return undefined;
  return JSON.stringify(servers, undefined, 2);
}

export function duplicate(text: SourceText, { key, keyNode }: Member): ConfigProblem {
  const message = say`The server \`${key}\` is defined twice in this file; the last one is used.`;
  return text.problem(
    keyNode,
    'duplicate-server',
    'warning',
    { message, fix: say`Rename or remove one of them.` },
    key,
  );
}

export function syntaxProblems(text: SourceText, faults: readonly SyntaxFault[]): ConfigProblem[] {
  return faults.map(({ span, code, scope, message, fix, edit }) =>
    text.problem(span, code, scope === 'file' ? 'error' : 'warning', {
      message,
      ...(fix === undefined ? {} : { fix }),
      ...(edit === undefined ? {} : { edit }),
    }),
  );
}
