import { say } from '../../base/say.ts';
import { programName } from '../../base/files/programName.ts';
import { serversInJson } from './pastedData.ts';
import { shortened, type PasteFault } from './pasteFault.ts';
import type { RawServer, RawServers } from './rawServers.ts';

const EDITORS = /^(?:code|code-insiders|codium|vscodium|code-server|cursor|windsurf|positron)$/;

/** Whether words add a server to a client: `claude mcp add …`, `code --add-mcp …` and their kin. */
export function isAddCommand(words: readonly string[]): boolean {
  return addMcpValues(words).length > 0 || addMcpAt(words) > 0 || verbAt(words) > 0;
}

/** The servers that such a command would add. */
export function serversOfAddCommand(words: readonly string[]): RawServers | PasteFault {
  const values = addMcpValues(words);
  if (addMcpAt(words) > 0) return new AddLine(words.slice(addMcpAt(words)), 'add-mcp').read();
  if (values.length === 0) return ofVerb(words.slice(verbAt(words)), programName(words[verbAt(words) - 2] ?? ''));
  const all = values.map((value) => serversInJson(value));
  const fault = all.find((each) => 'message' in each);
  if (fault && 'message' in fault) return fault;
  const found = all.flatMap((each) => ('servers' in each ? [each] : []));
  return { servers: found.flatMap(({ servers }) => servers), inputs: found.flatMap(({ inputs }) => inputs) };
}

/** Where the words behind `npx add-mcp` begin; 0 where it isn't that. */
function addMcpAt(words: readonly string[]): number {
  return words.slice(0, 3).findIndex((word) => /^add-mcp(?:@\S*)?$/.test(word)) + 1;
}

/** The JSON that `--add-mcp`, or the option for a configuration of a run, is given. */
function addMcpValues(words: readonly string[]): string[] {
  const inline = words.flatMap((word, index) =>
    /^--(?:additional-)?mcp-config$/.test(word) ? (words[index + 1] ?? '') : [],
  );
  const isInline = inline.length > 0 && inline.every((value) => value.startsWith('{'));
  if (isInline && /^(?:claude|copilot|npx)$/.test(programName(words[0] ?? ''))) return inline;
  if (!words.slice(0, 2).some((word) => EDITORS.test(programName(word)))) return [];
  return words.flatMap((word, index) =>
    word === '--add-mcp' ? [words[index + 1] ?? ''] : word.startsWith('--add-mcp=') ? [word.slice(10)] : [],
  );
}

/** Where the verb behind `mcp` stands; 0 where there is none. */
function verbAt(words: readonly string[]): number {
  const at = words.findIndex((word) => word === 'mcp' || word === '/mcp');
  // `npx some-server mcp add` with options in front is some server's own.
  if (
    at < 0 ||
    at > 3 ||
    !/^(?:add|add-json|add-from-claude-desktop|list|ls|get|remove|rm|login|auth|import)$/.test(words[at + 1] ?? '')
  )
    return 0;
  return at + 1;
}

function ofVerb([verb = '', ...rest]: readonly string[], program: string): RawServers | PasteFault {
  switch (verb) {
    case 'add':
      return new AddLine(rest, program).read();
    case 'add-json': {
      const words = withoutScope(rest);
      const [name, json] = words;
      if (name === undefined || json === undefined)
        return { message: say`\`add-json\` needs a name and JSON.`, fix: say`Copy the whole line again.` };
      const found = serversInJson(json);
      if ('message' in found) return found;
      const [only] = found.servers;
      return found.servers.length === 1 && only ? { ...found, servers: [{ ...only, name }] } : found;
    }
    case 'add-from-claude-desktop':
    case 'import':
      return { message: say`This copies servers of another client.`, fix: say`Run “Import Servers…” for that.` };
    default:
      return {
        message: say`\`mcp ${verb}\` adds no server.`,
        fix: say`Paste the command that adds or starts the server.`,
      };
  }
}

function withoutScope(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) => !SCOPE.test(word) && !SCOPE.test(words[index - 1] ?? '') && !word.startsWith('--scope='),
  );
}

const SCOPE = /^(?:-s|--scope)$/;

/** What the options of all these clients mean; those with `none` say nothing about the server. */
const OPTIONS: Readonly<
  Record<
    string,
    | 'transport'
    | 'env'
    | 'header'
    | 'name'
    | 'command'
    | 'args'
    | 'url'
    | 'cwd'
    | 'bearer'
    | 'timeout'
    | 'include'
    | 'exclude'
    | 'none'
  >
> = {
  '-t': 'transport',
  '--transport': 'transport',
  '--type': 'transport',
  '-e': 'env',
  '--env': 'env',
  '-H': 'header',
  '--header': 'header',
  '--headers': 'header',
  '--name': 'name',
  '--command': 'command',
  '--args': 'args',
  '--url': 'url',
  '--cwd': 'cwd',
  '--bearer-token-env-var': 'bearer',
  '--timeout': 'timeout',
  '--include-tools': 'include',
  '--exclude-tools': 'exclude',
  '-s': 'none',
  '--scope': 'none',
  '--client-id': 'none',
  '--callback-port': 'none',
  '--description': 'none',
  '--agent': 'none',
  '-a': 'none',
};
const FLAGS =
  /^(?:--trust|--force|-f|--global|-g|--project|--yes|-y|--workspace|--disabled|--client-secret|--stdio|--all)$/;

/** Reads the words behind `mcp add`. */
class AddLine {
  readonly #words: string[];
  readonly #program: string;
  readonly #value: Record<string, unknown> = {};
  readonly #env: Record<string, string> = {};
  readonly #headers: Record<string, string> = {};
  readonly #args: string[] = [];
  #name: string | undefined;
  #target: string | undefined;
  #kind: string | undefined;
  #fault: PasteFault | undefined;

  constructor(words: readonly string[], program: string) {
    this.#words = [...words];
    this.#program = program;
  }

  read(): RawServers | PasteFault {
    while (this.#words.length > 0 && !this.#fault) this.#next(this.#words.shift() ?? '');
    const server = this.#fault ?? this.#server();
    return 'message' in server ? server : { servers: [server], inputs: [] };
  }

  #next(word: string): void {
    if (word === '--') return this.#rest();
    const [, key, inline] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    const option = OPTIONS[key ?? word];
    const isUnderstood = option !== undefined && (!this.#hasCommand() || this.#isOwn(word, inline));
    if (isUnderstood) return this.#option(option, key ?? word, inline ?? this.#words.shift());
    if (this.#hasCommand()) this.#args.push(word);
    else if (FLAGS.test(word)) return;
    else if (word.startsWith('-') && word.length > 1) this.#fault = unknown(word, this.#program);
    else if (this.#name === undefined && !isUrl(word) && this.#program !== 'add-mcp') this.#name = word;
    else this.#target ??= word;
  }

  /** Behind `--` everything is the server's. */
  #rest(): void {
    if (this.#name === undefined && this.#words.length > 1 && this.#target === undefined)
      this.#name = this.#words.shift();
    if (this.#target === undefined) this.#target = this.#words.shift();
    this.#args.push(...this.#words.splice(0));
  }

  #hasCommand(): boolean {
    return this.#target !== undefined && !isUrl(this.#target);
  }

  /** Whether an option that comes behind the server's command is the client's all the same. */
  #isOwn(word: string, inline: string | undefined): boolean {
    const value = inline ?? this.#words[0] ?? '';
    if (SCOPE.test(word)) return /^(?:local|user|project|global)$/.test(value);
    return (
      /^(?:-e|--env)$/.test(word) &&
      /^[A-Z][A-Z0-9_]*=/.test(value) &&
      !/^(?:docker|podman)$/.test(programName(this.#target ?? ''))
    );
  }

  #option(kind: (typeof OPTIONS)[string], key: string, value: string | undefined): void {
    if (value === undefined) {
      this.#fault = { message: say`\`${key}\` has no value.`, fix: say`Copy the whole line again.` };
      return;
    }
    switch (kind) {
      case 'transport':
        this.#kind = value;
        return;
      case 'env':
        for (let each: string | undefined = value; each !== undefined; each = this.#following(/^[A-Za-z_]\w*=/))
          this.#pair(this.#env, each, '=');
        return;
      case 'header':
        for (let each: string | undefined = value; each !== undefined; each = this.#following(/^[A-Za-z][\w-]*:/))
          this.#pair(this.#headers, each, /^[\w-]+=/.test(each) ? '=' : ':');
        return;
      case 'name':
        this.#name = value;
        return;
      case 'command':
        this.#value['command'] = value;
        return;
      case 'url':
        this.#target = value;
        return;
      case 'args':
        this.#args.push(...value.split(/[\s,]+/).filter(Boolean));
        return;
      case 'cwd':
        this.#value['cwd'] = value;
        return;
      case 'bearer':
        this.#headers['Authorization'] = `Bearer \${${value}}`;
        return;
      case 'timeout':
        if (/^\d+$/.test(value)) this.#value['timeout'] = Number(value);
        return;
      case 'include':
        this.#value['enabledTools'] = value.split(',');
        return;
      case 'exclude':
        this.#value['disabledTools'] = value.split(',');
        return;
      case undefined:
      case 'none':
    }
  }

  /** A further value of an option that takes several. */
  #following(form: RegExp): string | undefined {
    return form.test(this.#words[0] ?? '') && !isUrl(this.#words[0] ?? '') ? this.#words.shift() : undefined;
  }

  #pair(map: Record<string, string>, text: string, separator: string): void {
    const at = text.indexOf(separator);
    if (at > 0) map[text.slice(0, at).trim()] = text.slice(at + 1).trim();
    else
      this.#fault = {
        message: say`\`${shortened(text)}\` has no \`${separator}\`.`,
        fix: separator === '=' ? 'Write `NAME=value`.' : say`Write \`Name: value\`.`,
      };
  }

  #server(): RawServer | PasteFault {
    const [command, ...words] = this.#commandWords();
    if (command === undefined)
      return {
        message: say`The line names no command and no URL.`,
        fix: say`Copy the whole line, with what stands behind the name.`,
      };
    const name = this.#name === undefined ? {} : { name: this.#name };
    const env = Object.keys(this.#env).length > 0 ? { env: this.#env } : {};
    if (!isUrl(command)) {
      if (/^(?:http|sse|streamable-http)$/.test(this.#kind ?? ''))
        return { message: say`\`${shortened(command)}\` is no URL.`, fix: say`Write it with \`https://\`.` };
      const args = [...words, ...this.#args];
      return { ...name, value: { ...this.#value, command, ...(args.length > 0 ? { args } : {}), ...env } };
    }
    const type = /^(?:http|sse|streamable-?http|ws)$/i.test(this.#kind ?? '') ? { type: this.#kind } : {};
    const headers = Object.keys(this.#headers).length > 0 ? { headers: this.#headers } : {};
    return { ...name, value: { ...this.#value, ...type, url: command, ...headers } };
  }

  /** The command with what a client takes as one word with it, as in `mcp add name "npx -y x"`. */
  #commandWords(): readonly string[] {
    const given = this.#value['command'];
    if (typeof given === 'string') return [given, ...(this.#target === undefined ? [] : [this.#target])];
    const target = this.#target ?? (this.#name !== undefined && isUrl(this.#name) ? this.#name : undefined);
    if (target === undefined) return [];
    const isLine = this.#args.length === 0 && /^[\w@.-]+ \S/.test(target);
    return isLine ? target.split(/\s+/) : [target];
  }
}

function isUrl(word: string): boolean {
  return /^(?:https?|wss?):\/\//i.test(word);
}

function unknown(word: string, program: string): PasteFault {
  return {
    message: say`\`${shortened(word)}\` is no option of \`${shortened(program)} mcp add\` that is known here.`,
    fix: say`Leave it out, or paste the command that starts the server.`,
  };
}
