import { programName } from '../../../base/files/programName.ts';
import { isRecord } from '../../../base/json/json.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { say } from '../../../base/say.ts';
import { checkCommandLine } from './checkCommandLine.ts';
import { checkDockerRun } from './dockerRun.ts';
import { checkJoinedArguments, checkMisplacedArguments } from './joinedArguments.ts';
import { replacing, type EntryReader, type TextItem } from '../entryReader.ts';
import { holdsServers, LAUNCH_KEYS } from '../serverMaps.ts';
import { plainValue, stringOf, type Member } from '../../syntax/configNode.ts';
import { OWN_SCOPES, type TransportSpec } from '../../configTypes.ts';
import { readUrl } from './readUrl.ts';

type Kind = 'stdio' | 'http' | 'sse' | 'remote' | 'ws' | 'sdk';

const TYPE_KEYS = ['type', 'transport', 'transportType'] as const;
const URL_KEYS = LAUNCH_KEYS.filter((key) => key !== 'command');

/** The names of types, lower-case and without `-` and `_`. `local` and `remote` are opencode's. */
const KINDS: Readonly<Record<string, Kind>> = {
  stdio: 'stdio',
  local: 'stdio',
  http: 'http',
  streamablehttp: 'http',
  sse: 'sse',
  remote: 'remote',
  ws: 'ws',
  websocket: 'ws',
  sdk: 'sdk',
};

/** What the entry runs or reaches; `undefined` where it doesn't say so, with the problem reported. */
export function readTransport(reader: EntryReader): TransportSpec | undefined {
  const typeMember = reader.first(TYPE_KEYS);
  // Cline's command line has all that is run or reached inside of `transport`.
  if (typeMember?.value.type === 'object') return readTransport(reader.inside(typeMember.value));
  const kind = typeMember && readKind(reader, typeMember);
  if (typeMember && !kind) return undefined;
  const command = reader.first(['command']);
  const url = reader.first(URL_KEYS);
  if (kind === 'sdk') return unsupported(reader, typeMember);
  if (command && url) {
    reader.report(url.span, 'command-and-url', 'error', {
      message: say`This server has both \`command\` and \`${url.key}\`, so it isn't clear which one to use.`,
      fix: say`Remove \`${url.key}\` to start a process, or \`command\` to connect to a running server.`,
    });
    return undefined;
  }
  if (command) {
    if (kind && kind !== 'stdio') return mismatch(reader, typeMember, 'command', 'stdio');
    return readStdio(reader, command);
  }
  if (url) {
    if (kind === 'stdio') return mismatch(reader, typeMember, url.key, 'http');
    return readUrl(reader, url, kind);
  }
  if (reader.first(['settings']) || stringOf(reader.value('source')) === 'extension') {
    reader.report(reader.node, 'of-an-extension', 'hint', {
      message: say`An extension of that client defines this server, so it runs only there.`,
    });
    return undefined;
  }
  const { conventions } = reader;
  if (conventions?.mergesByName && (reader.first(['enabled']) ?? reader.first(['disabled']))) {
    const isOff = reader.flag('enabled') === false || reader.flag('disabled') === true;
    reader.report(reader.node, 'defined-elsewhere', 'hint', {
      message: isOff
        ? say`This switches off the server that another file of ${conventions.name} defines.`
        : say`Another file of ${conventions.name} defines this server; here it can only be switched off.`,
    });
    return undefined;
  }
  if (holdsServers(reader.node)) {
    reader.report(reader.node, 'servers-too-deep', 'error', {
      message: say`\`${oneLine(reader.name)}\` isn’t a server but holds some: they stand one level too deep.`,
      fix: say`Move them one level up, in place of it.`,
    });
    return undefined;
  }
  reader.report(reader.node, 'nothing-to-run', 'error', {
    message: say`This server has neither \`command\` nor \`url\`.`,
    fix:
      kind === 'stdio'
        ? say`Add \`"command": "…"\`, the program to start.`
        : say`Add \`"command": "…"\` to start a program, or \`"url": "https://…"\` to connect to a running server.`,
  });
  return undefined;
}

function readKind(reader: EntryReader, member: Member): Kind | undefined {
  const written = stringOf(member.value);
  const kind = written === undefined ? undefined : KINDS[written.toLowerCase().replaceAll(/[-_ ]/g, '')];
  if (kind) return kind;
  const meant = reader.first(['command']) ? 'stdio' : 'http';
  reader.report(member.value, 'unknown-type', 'error', {
    message:
      written === undefined
        ? say`\`${member.key}\` must be a string.`
        : say`Unknown server type \`${written}\`. Known types: \`stdio\`, \`http\`, \`sse\`, \`ws\`.`,
    fix: say`Change to \`"${meant}"\`, or remove \`${member.key}\`.`,
    edit: replacing(member.value, `"${meant}"`),
  });
  return undefined;
}

function unsupported(reader: EntryReader, member: Member | undefined): undefined {
  reader.report(member?.value ?? reader.node, 'unsupported-type', 'error', {
    message: say`A server of type \`sdk\` runs inside another program, so a file can’t define it.`,
    fix: say`Use \`stdio\` or \`http\` if the server offers it.`,
  });
}

function mismatch(reader: EntryReader, member: Member | undefined, key: string, right: string): undefined {
  const at = member?.value ?? reader.node;
  reader.report(at, 'type-mismatch', 'error', {
    message: say`The type is ${reader.written(at)}, but the server has \`${key}\`.`,
    fix: say`Write \`"${right}"\`, or replace \`${key}\`.`,
    edit: replacing(at, `"${right}"`),
  });
}

/**
 * Reads what starts a process.
 * @param command the member of that name: a text, a list that has the arguments, too, or an object (Zed's `path`, `args`
 *   and `env`)
 */
export function readStdio(reader: EntryReader, command: Member): TransportSpec | undefined {
  if (command.value.type === 'object') {
    const inner = reader.inside(command.value);
    const path = inner.first(['path']);
    if (path && path.value.type !== 'object') return readStdio(inner, path);
  }
  const words = command.value.type === 'array' ? reader.items('command', command.value) : commandText(reader, command);
  const [program, ...first] = words;
  if (program === undefined || program.text.trim() === '') {
    if (reader.problems.every((problem) => problem.severity !== 'error'))
      reader.report(command.value, 'empty-command', 'error', {
        message: say`\`command\` is empty.`,
        fix: say`Name the program to start, e.g. \`npx\`.`,
      });
    return undefined;
  }
  if (command.value.type === 'string') checkCommandLine(reader, command, program.text);
  const args = [...first, ...reader.texts(['args'])];
  checkDockerRun(reader, program.text, args);
  checkJoinedArguments(reader, program.text, args);
  checkMisplacedArguments(reader, program.text, args);
  const script = scriptOption([program.text, ...args.map(({ text }) => text)]) - 1;
  const cwd = reader.text(['cwd']);
  const envFile = reader.text(['envFile']);
  return {
    type: 'stdio',
    // A blank around it is no part of a file's name.
    command: reader.note('command', program.text.trim(), program.node),
    args: args.map(({ text, node }, index) => reader.note(`args[${index}]`, text, node, script >= 0 && index > script)),
    env: { ...forwarded(reader), ...reader.variables(['env', 'environment']) },
    ...(cwd === undefined ? {} : { cwd }),
    ...(envFile === undefined ? {} : { envFile }),
  };
}

/**
 * The variables of the editor that a folder's file of Codex asks for (`env_vars`: names, or objects with a `name`). A server of
 * the user's has them anyway.
 */
function forwarded(reader: EntryReader): Record<string, string> {
  const list = reader.value('env_vars');
  if (list?.type !== 'array' || OWN_SCOPES.has(reader.source.source.scope)) return {};
  const names = (list.children ?? []).map((item) => {
    const plain = plainValue(item);
    return isRecord(plain) ? plain['name'] : plain;
  });
  const known = names.filter((name) => typeof name === 'string' && /^[A-Za-z_]\w*$/.test(name));
  for (const name of known) reader.places.set(`env.${String(name)}`, list);
  return Object.fromEntries(known.map((name) => [name, `\${env:${String(name)}:-}`]));
}

/** Where PowerShell is told that a script follows; -1 for nowhere. */
function scriptOption(words: readonly string[]): number {
  const shell = words.findIndex((word) => /^(?:powershell|pwsh)$/.test(programName(word)));
  return shell < 0 ? -1 : words.findIndex((word, index) => index > shell && /^[-/](?:c|command)$/i.test(word));
}

function commandText(reader: EntryReader, command: Member): TextItem[] {
  const text = reader.text([command.key]);
  return text === undefined ? [] : [{ text, node: command.value }];
}
