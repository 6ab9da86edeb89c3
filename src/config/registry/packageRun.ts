import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import { textOf, type Members } from './valueFiller.ts';

export interface PackageAbout {
  readonly kind: string;
  readonly identifier: string;
  readonly version?: string;
  /** As it stands in the `server.json`. */
  readonly given: Members;
}

export interface PackageWords {
  readonly env: Readonly<Record<string, string>>;
  /** Of the program that fetches and starts it. */
  readonly own: readonly string[];
  readonly args: readonly string[];
}

/** Programs that a `runtimeHint` may ask for: a stranger doesn't choose any other. */
const RUNNERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['npm', ['npx', 'bunx']],
  ['pypi', ['uvx', 'pipx']],
  ['nuget', ['dnx']],
  ['oci', ['docker', 'podman']],
  ['docker', ['docker', 'podman']],
]);
/** Where packages come from without being told. */
const USUAL: ReadonlyMap<string, RegExp> = new Map([
  ['npm', /^https:\/\/registry\.npmjs\.(?:org|com)\/?$/],
  ['pypi', /^https:\/\/(?:pypi\.org|files\.pythonhosted\.org)(?:\/simple)?\/?$/],
  ['nuget', /^https:\/\/(?:api|www)\.nuget\.org(?:\/v3(?:\/index\.json)?)?\/?$/],
]);

/** Options of the runners for the same: given twice, `uvx` starts nothing. */
const SOURCE_OPTIONS = /^(?:--(?:registry|default-index|index-url|source)(?:=|$)|-i$)/;

/** What a package runs, as a definition; without `command` where it can't be run. */
export function packageRun(about: PackageAbout, words: PackageWords): Members {
  const { kind, identifier, version } = about;
  const { env } = words;
  const { own, args } = withoutPackage(about, words);
  const [usual = ''] = RUNNERS.get(kind) ?? [];
  const hint = textOf(about.given['runtimeHint'] ?? about.given['runtime_hint']);
  const command = hint !== undefined && RUNNERS.get(kind)?.includes(hint) ? hint : usual;
  const at = (separator: string): string => (version === undefined ? identifier : identifier + separator + version);
  const given = sourceOf(about);
  const from = own.some((word) => SOURCE_OPTIONS.test(word)) ? undefined : given;
  switch (kind) {
    case 'npm': {
      const registry = from === undefined ? [] : [`--registry=${from}`];
      const yes = command !== 'npx' || own.includes('-y') || own.includes('--yes') ? [] : ['-y'];
      return { command, args: [...own, ...yes, ...registry, at('@'), ...args], env };
    }
    case 'pypi': {
      // Without it, whoever has the name on PyPI would be run.
      const index = from === undefined ? [] : [command === 'pipx' ? '--index-url' : '--default-index', from];
      return { command, args: [...(command === 'pipx' ? ['run'] : []), ...own, ...index, at('=='), ...args], env };
    }
    case 'nuget': {
      const source = from === undefined ? [] : ['--source', from];
      // What follows `--` is the package's own.
      const rest = args.length > 0 && args[0] !== '--' ? ['--', ...args] : args;
      return { command, args: [...own.filter((word) => word !== '--yes'), at('@'), '--yes', ...source, ...rest], env };
    }
    case 'oci':
    case 'docker': {
      const passed = Object.keys(env).flatMap((name) => ['-e', name]);
      return { command, args: ['run', '-i', '--rm', ...withoutRun(own), ...passed, imageOf(about), ...args], env };
    }
    default:
      return { env, args };
  }
}

/** Why a package can't be run, a sentence; `undefined`: it can. */
export function refusalOfPackage({ kind, identifier, version = '', given }: PackageAbout): string | undefined {
  const { transport } = given;
  const type = isRecord(transport) ? textOf(transport['type']) : undefined;
  if (kind === 'mcpb') return refusalOfBundle(identifier, given);
  if (!RUNNERS.has(kind)) return say`Packages of “${kind}” can’t be run here.`;
  if (/^-|\s|\p{Cc}/u.test(identifier) || /\s|\p{Cc}/u.test(version)) return say`The name of the package is none.`;
  if (isFromElsewhere(kind, identifier, version))
    return say`It isn’t a package of “${kind}”, but a file or an address.`;
  const base = textOf(given['registryBaseUrl'] ?? given['registry_base_url']);
  if (base !== undefined && USUAL.has(kind) && !/^https:\/\/[^\s]+$/.test(base))
    return say`The package comes from an address without \`https\`.`;
  if (URL.parse(base ?? '')?.username)
    return say`The package comes from an address with a user name, which can look like another address.`;
  return type === undefined || type === 'stdio'
    ? undefined
    : say`It has to be started by hand: it listens at an address instead of talking to the program that starts it.`;
}

/** Whether the program would take the name or the version for a file, an address, a repository or another package’s name. */
function isFromElsewhere(kind: string, identifier: string, version: string): boolean {
  if (kind === 'oci' || kind === 'docker') return false;
  const name = kind === 'npm' ? identifier.replace(/^@[^/@]+\//, '') : identifier;
  return /[:/\\]|^\./.test(name) || /[:/\\]|^\./.test(version);
}

function refusalOfBundle(identifier: string, given: Members): string | undefined {
  const isHttps = URL.canParse(identifier) && (new URL(identifier).protocol === 'https:' || isLoopback(identifier));
  if (!isHttps) return say`The bundle’s address doesn’t begin with \`https\`.`;
  return /^[a-f\d]{64}$/i.test(textOf(given['fileSha256'] ?? given['file_sha256']) ?? '')
    ? undefined
    : say`The bundle has no SHA-256, so nobody can tell whether it is the one that was published.`;
}

/** Whether an address is one of this machine, over plain HTTP. */
export function isLoopback(address: string): boolean {
  const url = URL.parse(address);
  return url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** Another place than the usual one. */
function sourceOf({ kind, given }: PackageAbout): string | undefined {
  const base = textOf(given['registryBaseUrl'] ?? given['registry_base_url']);
  return base === undefined || !USUAL.has(kind) || USUAL.get(kind)?.test(base) ? undefined : base;
}

/** Without the package itself among the words of its runner, where manifests repeat it; what follows it there is the package’s. */
function withoutPackage({ kind, identifier }: PackageAbout, words: PackageWords): Pick<PackageWords, 'own' | 'args'> {
  const { own, args } = words;
  const at = own.findIndex((word) => word.startsWith(identifier) && /^(?:@|==|$)/.test(word.slice(identifier.length)));
  if (at < 0 || !['npm', 'pypi', 'nuget'].includes(kind)) return words;
  const before = own.slice(0, at);
  const after = own.slice(at + 1);
  // Options of `dnx` may stand behind the package.
  return kind === 'nuget' ? { own: [...before, ...after], args } : { own: before, args: [...after, ...args] };
}

/** The options of `docker run` alone: manifests in the wild repeat what is there already. */
function withoutRun(words: readonly string[]): readonly string[] {
  const options = words[0] === 'run' ? words.slice(1) : words;
  return options.filter((word) => !/^(?:-i|-it|-t|--interactive|--tty|--rm)$/.test(word));
}

function imageOf({ identifier, version, given }: PackageAbout): string {
  const base = textOf(given['registryBaseUrl'] ?? given['registry_base_url']);
  const host = base === undefined ? undefined : URL.parse(base)?.host;
  const isOther = host !== undefined && !/(?:^|\.)docker\.(?:io|com)$/.test(host);
  const name = isOther && !/^[^/]+[.:][^/]*\//.test(identifier) ? `${host}/${identifier}` : identifier;
  if (version === undefined || /[:@][^/]+$/.test(name)) return name;
  return version.startsWith('sha256:') ? `${name}@${version}` : `${name}:${version}`;
}
