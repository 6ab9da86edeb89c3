import type { ConnectionSpec } from '../connectionTypes.ts';
import type { StartedProcess } from '../process/startedTree.ts';

/**
 * What a process is to a start: `runner` fetches what it then starts, `installer` fetches or builds and all below it does,
 * `wrapper` only starts something else, `program` is none of these: the server.
 */
export type ProcessRole = FetchingRole | { readonly kind: 'wrapper' } | { readonly kind: 'program' };

/** `tool`: what fetches or builds, `what`: the package, where that is certain. */
export interface FetchingRole {
  readonly kind: 'runner' | 'installer';
  readonly tool: string;
  readonly what?: string;
}

/** What a process is to a start, by its command line and by the script of a package that it runs. Pure. */
export function processRole({ words, script, package: name }: StartedProcess): ProcessRole {
  const [tool, ...args] = toolOf(words);
  if (script !== undefined && INSTALL_SCRIPTS.has(script))
    return { kind: 'installer', tool, ...(name ? { what: name } : {}) };
  const verb = args.find((arg) => !arg.startsWith('-')) ?? '';
  const rule = TOOLS[tool];
  const isOf = (verbs: readonly string[] | 'always' | undefined): boolean =>
    verbs === 'always' || (verbs?.includes(verb) ?? false);
  if (isOf(rule?.installs) || UV_AT_WORK.test(words.slice(0, 12).join(' '))) return { kind: 'installer', tool };
  if (isOf(rule?.runs)) {
    const isAlways = rule?.runs === 'always';
    const what =
      isAlways || verb !== 'run' || tool === 'pipx' ? packageIn(isAlways ? args : afterVerb(args, verb)) : undefined;
    return { kind: 'runner', tool: isAlways ? tool : `${tool} ${verb}`, ...(what ? { what } : {}) };
  }
  return { kind: WRAPPERS.has(tool) || isOf(rule?.wraps) ? 'wrapper' : 'program' };
}

/** Whether what starts a server may have to fetch it first, and then starts it as a process of its own. */
export function startsInstalling(spec: ConnectionSpec): boolean {
  return spec.type === 'stdio' && roleOf(spec.command, spec.args).kind === 'runner';
}

/** What may fetch a server before it runs; `undefined` where nothing says that something does. */
export function fetcherOf(
  command: string,
  args: readonly string[],
): { readonly tool: string; readonly what?: string } | undefined {
  const role = roleOf(command, args);
  if (role.kind === 'runner') return role;
  const [tool] = toolOf([command, ...args]);
  return CONTAINERS.has(tool) || tool === 'deno' ? { tool } : undefined;
}

/** Whether a command only starts something else. */
export function isWrapper(command: string, args: readonly string[]): boolean {
  return processRole({ pid: 0, parent: 0, words: [command, ...args] }).kind === 'wrapper';
}

/** The role of a command, or of what it is told to start: `cmd /c npx …`. */
function roleOf(command: string, args: readonly string[]): ProcessRole {
  const role = processRole({ pid: 0, parent: 0, words: [command, ...args] });
  if (role.kind !== 'wrapper') return role;
  const at = args.findIndex((arg) => !/^(?:-|\/[a-z]$)/i.test(arg));
  return at < 0 ? role : processRole({ pid: 0, parent: 0, words: args.slice(at) });
}

const CONTAINERS: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl']);

/** Scripts of npm that run while a package is installed. */
const INSTALL_SCRIPTS: ReadonlySet<string> = new Set([
  ...['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'],
]);

interface Tool {
  /** With these as first argument it installs and does nothing else. */
  readonly installs?: readonly string[] | 'always';
  /** … it fetches what it then starts as a process below it. */
  readonly runs?: readonly string[] | 'always';
  /** … it starts something. */
  readonly wraps?: readonly string[];
}

const INSTALLS = ['install', 'i', 'ci', 'add', 'update', 'rebuild', 'link', 'audit'];
const ALWAYS: Tool = { installs: 'always' };

const TOOLS: Readonly<Partial<Record<string, Tool>>> = {
  npx: { runs: 'always' },
  npm: { installs: INSTALLS, runs: ['exec', 'x'], wraps: ['run', 'run-script', 'start'] },
  pnpx: { runs: 'always' },
  pnpm: { installs: INSTALLS, runs: ['dlx'], wraps: ['run', 'start', 'exec'] },
  yarn: { installs: [...INSTALLS, ''], runs: ['dlx'], wraps: ['run', 'start', 'exec'] },
  bunx: { runs: 'always' },
  bun: { installs: INSTALLS, runs: ['x'] },
  uvx: { runs: 'always' },
  uv: { installs: ['sync', 'pip', 'venv', 'add', 'lock', 'python', 'build'], runs: ['run', 'tool', 'x'] },
  pipx: { installs: ['install', 'upgrade'], runs: ['run'] },
  pip: { installs: ['install', 'download', 'wheel'] },
  make: { runs: 'always' },
  venv: ALWAYS,
  ensurepip: ALWAYS,
  poetry: { installs: ['install', 'update', 'lock'], wraps: ['run'] },
  dnx: { runs: 'always' },
  dotnet: { installs: ['restore', 'build', 'publish'], runs: ['run', 'dnx', 'tool'] },
  go: { installs: ['build', 'install', 'get', 'mod', 'generate'], runs: ['run'] },
  cargo: { installs: ['build', 'install', 'fetch', 'update'], runs: ['run'] },
  docker: { installs: ['pull', 'build', 'buildx'] },
  podman: { installs: ['pull', 'build'] },
  nerdctl: { installs: ['pull', 'build'] },
  git: { installs: ['clone', 'fetch', 'pull', 'ls-remote', 'checkout', 'submodule'] },
  playwright: { installs: ['install'] },
  brew: { installs: ['install', 'update', 'upgrade'] },
  'apt-get': { installs: ['install', 'update'] },
  ...Object.fromEntries(
    [
      ...['node-gyp', 'node-pre-gyp', 'prebuild-install', 'node-gyp-build', 'cmake-js', 'install', 'postinstall'],
      ...['cmake', 'ninja', 'msbuild', 'cc', 'gcc', 'g++', 'c++', 'clang', 'clang++', 'cc1', 'cc1plus', 'ld'],
      ...['rustc', 'compile', 'asm', 'curl', 'wget', 'tar', 'unzip'],
    ].map((tool) => [tool, ALWAYS]),
  ),
};

/** uv asks an interpreter what it is, and builds packages in folders of this name. */
const UV_AT_WORK = /get_interpreter_info|[\\/]builds-v0[\\/]/;

const INTERPRETERS = /^(?:sh|bash|zsh|dash|ash|fish|ksh|node|nodejs|python[\d.]*|pypy[\d.]*|ruby|deno)$/;
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['sh', 'bash', 'zsh', 'dash', 'ash', 'fish', 'ksh', 'cmd', 'powershell', 'pwsh', 'busybox', 'wsl', 'conhost'],
  ...['env', 'nice', 'nohup', 'timeout', 'setsid', 'stdbuf', 'time', 'sudo', 'xvfb-run', 'dotenv', 'dotenvx', 'op'],
  ...['mise', 'asdf', 'volta', 'fnm', 'nvm', 'direnv', 'nix', 'nix-shell', 'devbox', 'corepack'],
]);

/** The tool that a command line starts, with its arguments: `node /usr/bin/npx -y x` and the title `npm exec x` are npm's. */
function toolOf(words: readonly string[]): readonly [tool: string, ...args: string[]] {
  // A program that writes a title over its command line leaves it in one piece.
  const [first = '', ...rest] =
    words.length === 1 && !IS_PATH.test(words[0] ?? '') ? (words[0] ?? '').split(/\s+/) : words;
  const program = baseName(first);
  if (!INTERPRETERS.test(program)) return [program, ...rest];
  const at = rest.findIndex((word) => !word.startsWith('-'));
  const inner = at < 0 ? '' : baseName(rest[at] ?? '').replace(/-cli$/, '');
  return TOOLS[inner] ? [inner, ...rest.slice(at + 1)] : [program, ...rest];
}

/** A path may contain blanks. */
const IS_PATH = /^(?:[.\\/]|[A-Za-z]:)/;

function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name.replace(/\.(?:exe|cmd|bat|ps1|[cm]?js|py)$/i, '').toLowerCase();
}

const NAMES_PACKAGE = /^(?:--package|--from)(?:=(.*))?$/;
const SWITCHES =
  /^(?:-y|--yes|-q|--quiet|--offline|--no-install|--isolated|--prefer-offline|--prefer-online|--silent|-s|--)$/;
const PACKAGE = /^(?:@[\w.-]+\/)?\w[\w.-]*(?:(?:@|[=~<>!]=?)[\w.*^~<>=+-]+)*$/;

function afterVerb(args: readonly string[], verb: string): readonly string[] {
  const rest = args.slice(args.indexOf(verb) + 1);
  // `uv tool run`, `dotnet tool exec`.
  return verb === 'tool' ? rest.slice(1) : rest;
}

/**
 * The package in the arguments of a runner; `undefined` where it isn't certain, as an argument may be a secret.
 */
function packageIn(args: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    const named = NAMES_PACKAGE.exec(arg);
    if (named) return asPackage(named[1] ?? args[index + 1]);
    if (SWITCHES.test(arg)) continue;
    return arg.startsWith('-') ? undefined : asPackage(arg);
  }
  return undefined;
}

function asPackage(word: string | undefined): string | undefined {
  return word !== undefined && word.length <= 100 && PACKAGE.test(word) ? word : undefined;
}
