import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import { plainValue } from '../syntax/configNode.ts';
import { withDoubledBackslashes, withPathEscapes } from '../syntax/pathEscapes.ts';
import { readJsonc, type ParsedText } from '../syntax/readJsonc.ts';
import type { ReadYaml } from '../syntax/readYaml.ts';
import type { PasteFault } from './pasteFault.ts';
import { rawServersIn, type RawServers } from './rawServers.ts';

const NO_SERVER: PasteFault = {
  message: say`No server is in it: nothing has a \`command\` or a \`url\`.`,
  fix: say`Paste the part that begins with \`"mcpServers"\`, \`"servers"\` or the server’s name.`,
};

/** Whether a text begins as JSON does, or as a part that was copied out of the middle of some. */
export function looksLikeJson(text: string): boolean {
  return /^(?:\/\/|\/\*|[{[}\]]|["“][^"”\n]*["”]\s*:|"\s*\{\s*\\"|"\\")/.test(text);
}

/** Whether a text begins as TOML does: with a table, or with one of Codex's keys. */
export function looksLikeToml(text: string): boolean {
  return /^(?:#[^\n]*\n\s*)*(?:\[\[?\s*(?:"[^"\n]*"|[\w.-])+\s*(?:\.\s*(?:"[^"\n]*"|'[^'\n]*')\s*)*\]\]?(?:\s|$)|mcp_servers\s*\.)/.test(
    text,
  );
}

/** Whether a text begins as YAML does: with a key, or an item of a list that has one. */
export function looksLikeYaml(text: string): boolean {
  return /^(?:(?:#[^\n]*|---[ \t]*|%YAML[^\n]*)?\n)*[ \t]*(?:- +)?(?:"[\w ./@-]+"|'[\w ./@-]+'|[\w./@-]+):(?:[ \t]|\n|$)/.test(
    text,
  );
}

/** @param readYaml see `ReadYaml` */
export function serversInYaml(text: string, readYaml: ReadYaml): RawServers | PasteFault {
  const read = readYaml(text);
  if (!('value' in read))
    return { message: read.message, fix: say`Copy the whole block again, with its line ends and indentation.` };
  const found = rawServersIn(read.value);
  const asShown = found.servers.length > 0 ? found : rawServersIn(withFieldNames(read.value));
  return asShown.servers.length > 0
    ? asShown
    : { ...NO_SERVER, fix: say`Paste the part that begins with \`mcpServers:\` or the server’s name.` };
}

/** JSON as JavaScript has it (JSON5), as YAML takes it: keys and strings need no double quotes there, but a blank behind `:`. */
export function withYamlSigns(text: string): string {
  const [first = '', ...others] = text.split('/*');
  const withoutBlocks = others.map((part) => part.slice(part.indexOf('*/') + 2)).join(' ');
  return `${first} ${withoutBlocks}`
    .replaceAll(/(^|\s)\/\/[^\n]*/g, '$1')
    .replaceAll(/([{,]\s*[A-Za-z_$][\w$]*)\s*:/g, '$1: ');
}

/** Fields as a form shows them: `Command: npx`, `Args: -y a`. */
function withFieldNames(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).map(([key, inner]): [string, unknown] => {
    const name = key.toLowerCase().replace(/^arguments$/, 'args');
    if (name === 'args' && typeof inner === 'string') return [name, inner.split(/\s+/)];
    // Cursor's form calls a process so.
    return [name, name === 'type' && inner === 'command' ? 'stdio' : inner];
  });
  return Object.fromEntries(fields);
}

/** The servers in JSON with comments: a file, a part of one, or a single entry. */
export function serversInJson(text: string): RawServers | PasteFault {
  const parsed = soundParse(text);
  if (!('root' in parsed)) return parsed;
  return orFault(parsed);
}

/** @param readToml see `ReadToml` */
export function serversInToml(text: string, readToml: (text: string) => ParsedText): RawServers | PasteFault {
  const first = readToml(text);
  const second = first.faults.length > 0 ? readToml(withLineEnds(text)) : first;
  const parsed = second.faults.length > 0 ? first : second;
  const [fault] = parsed.faults;
  if (fault) return { message: fault.message, fix: fault.fix ?? '' };
  return orFault(parsed);
}

function orFault({ root }: Pick<ParsedText, 'root'>): RawServers | PasteFault {
  const found = rawServersIn(root && plainValue(root));
  return found.servers.length > 0 ? found : NO_SERVER;
}

/** What web pages and word processors put in the place of quotes and blanks. */
function withPlainQuotes(text: string): string {
  return text.replaceAll(/[“”„‟″]/g, '"').replaceAll(/[\u00A0\u2000-\u200B\u202F\u3000\uFEFF]/g, ' ');
}

/** PowerShell wants each quote of an argument escaped: `'{\"name\": …}'`. */
function withPlainEscapes(text: string): string {
  return /^\s*\{\s*\\"/.test(text) ? text.replaceAll('\\"', '"') : text;
}

/** The last `}` is what is lost in copying most often. Behind a whole member nothing else can be meant. */
function withLastBrace(text: string): string {
  return /\}[\s,]*$/.test(text) ? `${text.replace(/[\s,]*$/, '')}\n}` : text;
}

/** Lone backslashes of Windows' paths, as they were meant; what isn't one of JSON's escapes is none either. */
function withPaths(text: string): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"/g, (literal) =>
    /(?:^|[^\\])(?:\\\\)*\\[^"\\/bfnrtu]/.test(literal)
      ? withDoubledBackslashes(literal)
      : (withPathEscapes(literal) ?? literal),
  );
}

/** JSON inside of a string of JSON: how it stands in logs and in other JSON. */
function unquoted(text: string): string {
  try {
    const inner: unknown = JSON.parse(text);
    return typeof inner === 'string' && /^\s*["{[]/.test(inner) ? unquoted(inner) : text;
  } catch {
    return text;
  }
}

/** Tries the text as it stands, then what was probably meant; tells the fault of the first try. */
function soundParse(text: string): Pick<ParsedText, 'root'> | PasteFault {
  const meant = withPaths(unquoted(text));
  const forms = [meant, withPlainQuotes(meant), withPlainEscapes(meant), withLastBrace(meant)].map((each) => {
    const part = each.trim().replace(/,$/, '');
    return withoutComments(part).startsWith('"') ? `{${part}\n}` : part;
  });
  const parsed = forms.map(readJsonc);
  const sound = parsed.find(({ faults }) => faults.every(({ scope }) => scope === 'nothing'));
  if (sound) return sound;
  const [fault] = parsed[0]?.faults.filter(({ scope }) => scope !== 'nothing') ?? [];
  if (!fault) return NO_SERVER;
  const before = (forms[0] ?? '').slice(0, fault.span.offset);
  const line = before.split('\n').length;
  const where = /\n/.test(forms[0] ?? '') ? `Line ${line}: ` : '';
  return { message: where + fault.message, fix: fault.fix ?? say`Copy the whole block again.` };
}

function withoutComments(text: string): string {
  return text.replace(/^(?:\s*(?:\/\/[^\n]*\n|\/\*[\s\S]*?\*\/))+\s*/, '');
}

/** TOML whose line ends a box for one line has made blanks of: a table and a key each begin a line again. */
function withLineEnds(text: string): string {
  const token = /"(?:\\.|[^"\\])*"|'[^']*'|\[\[?[\w."'-]+\]\]?(?=\s|$)|[\w."-]+\s*=|[[\]{}]|[^\s]|\s+/g;
  let depth = 0;
  let result = '';
  for (const [piece] of text.matchAll(token)) {
    const isHeader = depth === 0 && /^\[\[?[\w."'-]+\]\]?$/.test(piece) && !/=\s*$/.test(result);
    const isKey = depth === 0 && piece.endsWith('=') && /^[\w."-]/.test(piece);
    if (piece === '[' || piece === '{') depth += 1;
    if (piece === ']' || piece === '}') depth -= 1;
    result += (isHeader || isKey ? '\n' : '') + piece + (isHeader ? '\n' : '');
  }
  return result;
}
