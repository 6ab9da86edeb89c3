import { say } from '../../base/say.ts';
import type { ConfigProblem, ConfigSource, InputDefinition, ServerEntry } from '../configTypes.ts';
import { parseSource } from '../read/parseSource.ts';
import { placeholderIn } from '../read/placeholders.ts';
import { isComment } from '../read/serverMaps.ts';
import type { ParsedText } from '../syntax/readJsonc.ts';
import type { ReadYaml } from '../syntax/readYaml.ts';
import { isOverBudget } from '../syntax/textBudget.ts';
import { serversOfLines } from './commandLines.ts';
import { installLinkIn, serversOfLink } from './installLinks.ts';
import {
  looksLikeJson,
  looksLikeToml,
  looksLikeYaml,
  serversInJson,
  serversInToml,
  serversInYaml,
  withYamlSigns,
} from './pastedData.ts';
import { pagePieces } from './pagePieces.ts';
import { shortened, type PasteFault } from './pasteFault.ts';
import type { RawServer, RawServers } from './rawServers.ts';
import { quotingOf, shellCommands } from './shellWords.ts';
import { withInputs } from './secretInputs.ts';
import { freeName, suggestName } from './suggestName.ts';

/** One server of a pasted text, ready to be written. */
export interface PastedServer {
  readonly entry: ServerEntry;
  /** As it was read, with its secrets in it: never to be written. */
  readonly read: ServerEntry;
  /** Whether the text gives its name; else it is made of what it runs. */
  readonly isNamed: boolean;
  /** What the text has in the place of the entry's inputs, by their ids. */
  readonly answers: ReadonlyMap<string, string>;
}

export interface Pasted {
  readonly servers: readonly PastedServer[];
  /** What of the text isn't taken, and why, a sentence each. */
  readonly leftOut: readonly string[];
}

/** What a text needs to be read with. */
export interface PasteContext {
  readonly platform: NodeJS.Platform;
  /** Names that are in use. */
  readonly taken: ReadonlySet<string>;
  /** `readToml` of readToml.ts. */
  readonly readToml: (text: string) => ParsedText;
  /** `readYaml` of readYaml.ts. */
  readonly readYaml: ReadYaml;
}

/** What pages leave in a copied text and nobody sees. */
const UNSEEN = /[\u00AD\u200B\u2060\uFEFF]/g;
/** More is no configuration, in UTF-16 units. */
const MAX_LENGTH = 100_000;

/**
 * What somebody pasted to add servers: JSON, TOML or YAML of any client, a command line, a command that adds a server to another
 * client, a link that installs one, or a URL. Pure: nothing is run, fetched or looked up. Secrets become inputs.
 */
export function readPasted(text: string, context: PasteContext): Pasted | PasteFault {
  const plain = withoutFence(text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, '')).trim();
  if (plain === '') return { message: say`Nothing was entered.`, fix: say`Enter a command or a URL, or paste JSON.` };
  // What costs time in TOML costs it in a command line, too.
  if (plain.length > MAX_LENGTH || isOverBudget(plain, 'toml'))
    return { message: say`The text is too long for a configuration.`, fix: say`Paste the part with the server.` };
  const raw = rawServersOf(plain, context);
  if (!('message' in raw)) return finished(raw, context);
  for (const piece of pagePieces(plain)) {
    const found = rawServersOf(piece, context);
    if (!('message' in found)) return finished(found, context);
  }
  return raw;
}

function rawServersOf(text: string, { platform, readToml, readYaml }: PasteContext): RawServers | PasteFault {
  const link = installLinkIn(text);
  if (link !== undefined) return serversOfLink(link);
  if (looksLikeToml(text) && !/^\[\s*[{"]/.test(text)) return serversInToml(text, readToml);
  // A quoted key begins a part of JSON, and of YAML as well.
  const json = looksLikeJson(text) ? serversInJson(text) : undefined;
  if (json && 'servers' in json) return json;
  const json5 = json ? serversInYaml(withYamlSigns(text), readYaml) : undefined;
  if (json5 && 'servers' in json5) return json5;
  if (json && !looksLikeYaml(text)) return json;
  if (looksLikeYaml(text)) {
    const yaml = serversInYaml(text, readYaml);
    return 'message' in yaml && json ? json : yaml;
  }
  return serversOfLines(withoutWrapping(text), platform);
}

/** The block inside a fence of Markdown, where there is one. */
function withoutFence(text: string): string {
  const [, block] = /^[ \t]*(?:```|~~~)[^\n`]*\n([\s\S]*?)^[ \t]*(?:```|~~~)/m.exec(text) ?? [];
  if (block !== undefined) return block;
  // In a box for one line, the fence's end of line is a blank.
  const inLine = /^\s*```(?:jsonc?|toml|bash|sh|shell|console|text|powershell)?\s+([\s\S]*?)\s*```\s*$/.exec(text)?.[1];
  return inLine ?? text.trim().replace(/^`([^`\n]+)`$/, '$1');
}

/** `"https://…"`, `<https://…>` and `https://…,` are their URL. */
function withoutWrapping(text: string): string {
  const [, url] = /^["'<(]?((?:https?|wss?):\/\/[^\s"'<>]+?)["'>)]?[,;.]?$/i.exec(text) ?? [];
  return url === undefined ? text : `'${url.replaceAll("'", '%27')}'`;
}

function finished({ servers: raws, inputs }: RawServers, { taken, platform }: PasteContext): Pasted | PasteFault {
  const servers: PastedServer[] = [];
  const leftOut: string[] = [];
  const names = new Set(taken);
  const ids = new Set<string>();
  let fault: PasteFault | undefined;
  for (const raw of raws) {
    const read = readRaw(raw, inputs, platform);
    if (!('transport' in read)) {
      fault ??= read;
      const name = raw.name === undefined ? '' : `\`${shortened(raw.name)}\`: `;
      leftOut.push(`${name}${read.message} ${read.fix}`);
      continue;
    }
    const server = named(read, givenName(raw), names, ids);
    for (const input of server.entry.inputs ?? []) ids.add(input.id);
    names.add(server.entry.name);
    servers.push(server);
    leftOut.push(...leftOutOf(server.entry, raw));
  }
  return servers.length > 0
    ? { servers, leftOut }
    : (fault ?? { message: say`No server is in it.`, fix: say`Paste more of it.` });
}

/** Reads an entry as if it stood in a file of others: of what it says of its tools, only what makes them safer counts. */
function readRaw(raw: RawServer, inputs: readonly unknown[], platform: NodeJS.Platform): ServerEntry | PasteFault {
  const { url } = raw.value;
  // An address with a placeholder is none, and gets an input in its place anyway.
  const hasPlaceholder = typeof url === 'string' && !url.includes('${') && placeholderIn(url) !== undefined;
  const read = readValue(raw, hasPlaceholder ? { ...raw.value, url: '${pasted}' } : raw.value, inputs);
  if ('transport' in read)
    return hasPlaceholder && 'url' in read.transport ? { ...read, transport: { ...read.transport, url } } : read;
  const words = read.code === 'command-with-arguments' ? wordsOf(raw.value['command'], platform) : [];
  const [command, ...first] = words;
  if (command === undefined) return { message: read.message, fix: read.fix ?? say`Copy the whole block again.` };
  const args: unknown = raw.value['args'];
  const rest = Array.isArray(args) ? (args as unknown[]) : [];
  return readRaw({ ...raw, value: { ...raw.value, command, args: [...first, ...rest] } }, inputs, platform);
}

/** The name that is given, where a server can have it. */
function givenName({ name }: RawServer): string | undefined {
  const given = name?.trim() ?? '';
  return given === '' || isComment(given) ? undefined : given;
}

function readValue(
  raw: RawServer,
  value: RawServer['value'],
  inputs: readonly unknown[],
): ServerEntry | Pick<ConfigProblem, 'code' | 'message' | 'fix'> {
  const { client } = raw;
  const name = givenName(raw) ?? 'server';
  const source: ConfigSource = {
    id: 'pasted',
    scope: 'project',
    format: 'mcp',
    label: say`the pasted text`,
    ...(client ? { client } : {}),
  };
  const text = JSON.stringify({ inputs, mcpServers: { [name]: value } });
  const first = parseSource(source, text);
  // A container that wants a terminal never starts.
  const edit = first.problems.find(({ code }) => code === 'docker-terminal')?.edit;
  const { entries, broken, problems } = edit
    ? parseSource(source, text.slice(0, edit.offset) + edit.text + text.slice(edit.offset + edit.length))
    : first;
  return entries[0] ?? broken[0]?.problem ?? problems[0] ?? { code: 'unread', message: say`It can’t be read.` };
}

/** A whole command line in `command`, as some clients take it. */
function wordsOf(command: unknown, platform: NodeJS.Platform): readonly string[] {
  if (typeof command !== 'string') return [];
  const split = shellCommands(command, quotingOf(command, platform));
  return 'commands' in split && split.commands.length === 1 ? (split.commands[0]?.words ?? []) : [];
}

function named(
  entry: ServerEntry,
  given: string | undefined,
  taken: ReadonlySet<string>,
  ids: ReadonlySet<string>,
): PastedServer {
  return complete(entry, given ?? freeName(suggestName(entry.transport), taken), given !== undefined, ids);
}

/** The server under another name, which the inputs that were made for it follow. */
export function renamed(server: PastedServer, name: string): PastedServer {
  return completedAgain(server, server.read, name);
}

/** With the answers to inputs that it has of its own. */
function completedAgain({ answers }: PastedServer, read: ServerEntry, name: string): PastedServer {
  const made = complete(read, name, true, new Set());
  const own = [...answers].filter(([id]) => read.inputs?.some((input) => input.id === id));
  return { ...made, answers: new Map([...own, ...made.answers]) };
}

/**
 * A server of a registry or a bundle, as its user has set it up.
 * @param answers to the inputs that it has of its own
 * @returns the server, or why it is none
 */
export function serverOf(
  raw: RawServer,
  inputs: readonly unknown[],
  answers: ReadonlyMap<string, string>,
  platform: NodeJS.Platform,
): PastedServer | PasteFault {
  const read = readRaw(raw, inputs, platform);
  if (!('transport' in read)) return read;
  const made = complete(read, givenName(raw) ?? suggestName(read.transport), true, new Set());
  return { ...made, answers: new Map([...answers, ...made.answers]) };
}

/** The server at an address, over the transport that was found by trying, where its type wasn't given. */
export function withTransport(server: PastedServer, type: 'http' | 'sse'): PastedServer {
  const { transport } = server.entry;
  if (transport.type !== 'url' || server.read.transport.type !== 'url') return server;
  const read = { ...server.read, transport: { ...server.read.transport, type } };
  return { ...server, read, entry: { ...server.entry, transport: { ...transport, type } } };
}

/** The server at an address, with one more header. */
export function withHeader(server: PastedServer, name: string, value: string): PastedServer {
  const { read, entry } = server;
  const { transport } = read;
  if (!('url' in transport)) return server;
  const headers = { ...transport.headers, [name]: value };
  return completedAgain(server, { ...read, transport: { ...transport, headers } }, entry.name);
}

function complete(read: ServerEntry, name: string, isNamed: boolean, ids: ReadonlySet<string>): PastedServer {
  const own = read.inputs ?? [];
  const made = withInputs(name, read.transport, new Set([...ids, ...own.map(({ id }) => id)]));
  const inputs: readonly InputDefinition[] = [...own, ...made.inputs];
  const { inputs: _inputs, variables: _variables, autoApprove: _autoApprove, ...rest } = read;
  const entry = { ...rest, name, disabled: false, transport: made.transport, ...(inputs.length > 0 ? { inputs } : {}) };
  return { entry, read, isNamed, answers: made.answers };
}

/** What an entry says and nobody but its user may say. */
function leftOutOf({ name }: ServerEntry, { value }: RawServer): string[] {
  const keys = ['autoApprove', 'alwaysAllow', 'trust'].filter((key) => {
    const each = value[key];
    return Array.isArray(each) ? each.length > 0 : each === true;
  });
  return keys.map(
    (key) => say`\`${key}\` of \`${name}\` isn’t taken: which tools run without a question is for you to say.`,
  );
}
