import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import { programName } from '../../base/files/programName.ts';
import { isAddCommand, serversOfAddCommand } from './addCommands.ts';
import { wordsOfCurl, wordsOfRequest } from './httpRequests.ts';
import { isSentence } from './pagePieces.ts';
import { shortened, type PasteFault } from './pasteFault.ts';
import type { RawServer, RawServers } from './rawServers.ts';
import { quotingOf, shellCommands, type ShellCommand } from './shellWords.ts';

/** What lines in front of a command set up for it. */
interface Setting {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What installs, builds or fetches something, and is no server. */
const PREPARES = [
  /^(?:npm|pnpm|yarn|bun) (?:i|install|ci|add|link|update|run build|build|login)\b/,
  /^(?:pip3?|pipx|brew|apt|apt-get|choco|winget|scoop|cargo|go|gem|dotnet|conda|mise|asdf) (?:-\S+ )*(?:install|add|get|upgrade|tool|build)\b/,
  /^uv (?:sync|venv|add|build|pip |tool install)\b/,
  /^python3? -m (?:venv|pip)\b/,
  /^docker (?:pull|build|login|volume|network)\b|^docker[ -]compose\b/,
  /^(?:npx|bunx|pnpx|pnpm dlx|yarn dlx)(?: -\S+)* @smithery\/cli\S* install\b/,
  /^(?:git|mkdir|chmod|cp|mv|ls|touch|cat|source|\.|curl|wget|make|sudo apt\S*|echo|code|open|nvm|corepack) ?/,
];
const PROMPT = /^[ \t]*(?:[$%>❯➜]|PS [^>\n]*>|[A-Za-z]:\\[^>\n]*>)[ \t]+/gm;

/** The servers of command lines: such that start one, and such that add one to another client. */
export function serversOfLines(text: string, platform: NodeJS.Platform): RawServers | PasteFault {
  const plain = withPlainSigns(text.replaceAll(PROMPT, ''));
  const request = wordsOfRequest(plain);
  if (request) return serversOfUrl(request);
  const split = shellCommands(plain, quotingOf(plain, platform));
  if ('unread' in split) return unreadPart(split.unread);
  const servers: RawServer[] = [];
  const inputs: unknown[] = [];
  const steps: string[] = [];
  let setting: Setting = { env: {} };
  for (const command of split.commands) {
    const { words, setting: next } = withSetting(command, setting);
    setting = next;
    if (words.length === 0) continue;
    // A server never ends, so what comes behind it in the same line was meant for a shell.
    if (servers.length > 0 && command.after !== '\n') return unreadPart(command.after);
    const line = words.join(' ');
    const address = wordsOfCurl(words) ?? (/^(?:https?|wss?):\/\//i.test(words[0] ?? '') ? words : undefined);
    if (isAddCommand(words)) {
      const added = serversOfAddCommand(words);
      if ('message' in added) return added;
      servers.push(...added.servers.map((server) => withEnvironment(server, setting)));
      inputs.push(...added.inputs);
    } else if (address) {
      const read = serversOfUrl(address);
      if ('message' in read) return read;
      servers.push(...read.servers);
    } else if (PREPARES.some((step) => step.test(line))) steps.push(line);
    else {
      const fault = faultOfCommand(words);
      if (fault) return fault;
      servers.push({ value: entryOf(words, setting) });
    }
  }
  if (servers.length > 0) return { servers, inputs };
  const [step] = steps;
  return step === undefined
    ? { message: say`No command is in it.`, fix: say`Paste the command that starts the server, its URL, or its JSON.` }
    : {
        message: say`\`${shortened(step)}\` installs or prepares something; it starts no server.`,
        fix: say`Run it in a terminal, then paste the command that starts the server.`,
      };
}

/** What web pages make of quotes, blanks and the dashes of options. */
function withPlainSigns(text: string): string {
  return text
    .replaceAll(/[“”]/g, '"')
    .replaceAll('\u00A0', ' ')
    .replaceAll(/(?<=\s)–(?=[A-Za-z](?:\s|$))/g, '-')
    .replaceAll(/(?<=\s)[–—](?=[A-Za-z])/g, '--');
}

/** A URL, with headers in the form that `curl` and the clients have. */
function serversOfUrl(words: readonly string[]): RawServers | PasteFault {
  const added = serversOfAddCommand(['x', 'mcp', 'add', 'x', ...words]);
  return 'message' in added ? added : { ...added, servers: added.servers.map(({ value }) => ({ value })) };
}

/** An entry for words that start a process. */
function entryOf(words: readonly string[], { env, cwd }: Setting): Record<string, unknown> {
  const [command = '', ...args] = words;
  return {
    command,
    ...(args.length > 0 ? { args } : {}),
    ...(Object.keys(env).length > 0 ? { env } : {}),
    ...(cwd === undefined ? {} : { cwd }),
  };
}

function withEnvironment(server: RawServer, { env }: Setting): RawServer {
  const used = Object.keys(env).length > 0 && typeof server.value['command'] === 'string';
  const own = server.value['env'];
  return used ? { ...server, value: { ...server.value, env: { ...env, ...(isRecord(own) ? own : {}) } } } : server;
}

/** Takes away what only sets something: `KEY=x`, `export KEY=x`, `set KEY=x`, `$env:KEY = "x"`, `cd folder`. */
function withSetting({ words }: ShellCommand, before: Setting): { words: readonly string[]; setting: Setting } {
  const [first = '', second = '', ...others] = words;
  const program = programName(first);
  if (program === 'cd' || program === 'pushd' || program === 'set-location') {
    const folder = second.toLowerCase() === '/d' ? others[0] : second;
    return { words: [], setting: folder ? { ...before, cwd: folder } : before };
  }
  const powershell = /^\$\{(\w+)\}(?:=(.*))?$/s.exec(first);
  if (powershell?.[1] !== undefined && (powershell[2] !== undefined || second === '=')) {
    const [value = '', ...rest] = powershell[2] === undefined ? others : [powershell[2], ...words.slice(1)];
    const setting = withVariable(before, powershell[1], value.replace(/;$/, ''));
    return value.endsWith(';') ? withSetting({ words: rest, after: '' }, setting) : { words: [], setting };
  }
  if (program === 'setx') return { words: [], setting: withVariable(before, second, others[0] ?? '') };
  const isPrefix = /^(?:export|set|env|cross-env|declare)$/.test(program);
  const isStatement = /^(?:export|set|declare)$/.test(program);
  let rest = isPrefix ? words.slice(1) : words;
  let setting = before;
  for (; rest.length > 0; rest = rest.slice(1)) {
    const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(rest[0] ?? '') ?? [];
    if (name === undefined || value === undefined) break;
    setting = withVariable(setting, name, value.trimEnd());
  }
  return { words: isStatement ? [] : rest, setting };
}

function withVariable(setting: Setting, name: string, value: string): Setting {
  return { ...setting, env: { ...setting.env, [name]: value } };
}

function faultOfCommand(words: readonly string[]): PasteFault | undefined {
  const [program = '', ...args] = words;
  if (/^@[\w.-]+\/[\w.-]+(?:@[\w.^~-]+)?$/.test(program))
    return {
      message: say`\`${shortened(program)}\` is the name of a package, not a program.`,
      fix: say`Write \`npx -y ${shortened(program)}\`.`,
    };
  if (/^(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?\/\S*$|^(?:localhost|[\d.]+):\d+$/.test(program) && args.length === 0)
    return {
      message: say`\`${shortened(program)}\` has no scheme.`,
      fix: say`Write \`${/^(?:localhost|[\d.]+)[:/]/.test(program) ? 'http' : 'https'}://${shortened(program)}\` if it is a URL, or \`./${shortened(program)}\` for a program.`,
    };
  const isProse =
    args.length > 1 &&
    !words.some((word) => /^-|[\\/@=]|\w\.\w/.test(word)) &&
    words.every((word) => /^[\p{L}\p{M}’',.:;!?()…-]+$/u.test(word)) &&
    /^\p{Lu}|[.:!?]$/u.test(`${program}${words.at(-1)?.slice(-1) ?? ''}`);
  if (
    isProse ||
    isSentence(words.join(' ')) ||
    /[{}[\]<>"'`|;*?!#,]|:$|^-/.test(program.replaceAll(/\$\{[^{}]*\}/g, ''))
  )
    return {
      message: say`\`${shortened(program)}\` is no program, so this isn’t read as a command.`,
      fix: say`Paste the command that starts the server, its URL, or the whole block of JSON.`,
    };
  return undefined;
}

function unreadPart(found: string): PasteFault {
  if (found === '"' || found === "'")
    return {
      message: say`A quote (${found}) is not closed.`,
      fix: say`Add the missing ${found}, or copy the whole line again.`,
    };
  return {
    message: say`\`${found}\` needs a shell, and no shell runs a server’s command.`,
    fix: say`Leave that part out, or start it with \`sh -c '…'\` (\`cmd /c "…"\` on Windows).`,
  };
}
