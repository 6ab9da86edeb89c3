import { say } from '../../base/say.ts';
import path from 'node:path';
import { sha256 } from '../../base/json/json.ts';
import { isInside } from '../../base/files/isInside.ts';
import { expandSpec, type VariableContext } from '../variables/expandVariables.ts';
import type { ConfigSource, ServerEntry, WorkspaceFolder } from '../configTypes.ts';

const END_OF_LINE = String.raw`(?=[^\S\n]*(?:#.*)?$)`;
const VARIABLE = new RegExp(
  String.raw`^[^\S\n]*(?:export[^\S\n]+)?([A-Za-z_][\w.-]*)[^\S\n]*=[^\S\n]*(` +
    String.raw`'[^'\n]*'|"(?:[^"\\\n]|\\.)*"|'[^']*'${END_OF_LINE}|"(?:[^"\\]|\\[^])*"${END_OF_LINE}|.*)`,
  'gm',
);
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A file of an opened folder is read before anybody trusts it. */
const MAX_VARIABLES = 1_000;

/**
 * The variables in the text of an `envFile`: an optional `export`, single quotes without escapes, double quotes with
 * `\n`, `\r`, `\t`, `\"` and `\\`, both over several lines, and ` #` comments. Other lines are skipped. Not
 * `util.parseEnv`: that cuts values at `\"` and at each `#`, as in `PASSWORD=a#b`.
 * @throws for more variables than anybody reviews
 */
export function parseEnvFile(text: string): Record<string, string> {
  const lines = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  const found: [name: string, value: string][] = [];
  for (const [, name = '', raw = ''] of lines.matchAll(VARIABLE)) {
    if (found.length === MAX_VARIABLES) throw new Error(say`it sets more than ${MAX_VARIABLES} variables`);
    found.push([name, unquote(raw)]);
  }
  return Object.fromEntries(found);
}

function unquote(raw: string): string {
  const single = /^'([^']*)'/.exec(raw);
  if (single) return single[1] ?? '';
  const double = /^"((?:[^"\\]|\\[^])*)"/.exec(raw);
  if (double) return (double[1] ?? '').replace(/\\([^])/g, (_all, char: string) => ESCAPES[char] ?? char);
  return raw.replace(/\s#.*$/, '').trimEnd();
}

/** Names, and a hash of each value: what an approval is bound to. */
export function digestsOf(variables: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, sha256(`${name}=${value}`)]));
}

/** The names whose values differ between two sets of digests. */
export function changedNames(
  one: Readonly<Record<string, string>> = {},
  other: Readonly<Record<string, string>> = {},
): readonly string[] {
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]).sort();
}

/** On Windows, looking at such a path signs the user in to the computer that it names. */
export function isNetworkPath(file: string): boolean {
  return /^[\\/]{2}/.test(file);
}

/**
 * The `envFile` of an entry as a source to read and watch before it is approved; `undefined` where its path depends on what
 * is asked later, or is of another computer.
 */
export function envFileSource({ transport }: ServerEntry, context: VariableContext): ConfigSource | undefined {
  if (transport.type !== 'stdio' || transport.envFile === undefined) return undefined;
  const { envFile } = transport;
  const expansion = expandSpec({ type: 'stdio', command: '', args: [], env: {}, envFile }, context);
  const file = expansion.ok && expansion.spec.type === 'stdio' ? expansion.spec.envFile : undefined;
  return file === undefined || isNetworkPath(file) ? undefined : envSource(file, context.workspaceFolders);
}

/**
 * A file of variables as a source: at most 1 MB, whoever names it. One of an open folder must be inside it, links followed.
 */
export function envSource(file: string, folders: readonly WorkspaceFolder[]): ConfigSource {
  const folder = folders.find((each) => path.isAbsolute(file) && isInside(file, each.path));
  const source = { id: `env:${file}`, scope: 'workspace', format: 'settings', label: file, file } as const;
  return folder ? { ...source, folder } : source;
}
