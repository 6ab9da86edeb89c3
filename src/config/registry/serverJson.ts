import { say } from '../../base/say.ts';
import { isRecord } from '../../base/json/json.ts';
import { packageRun, refusalOfPackage } from './packageRun.ts';
import type { BuiltServer, SetupAnswers, SetupQuestion } from './setupQuestions.ts';
import { listOf, textOf, ValueFiller, type Members } from './valueFiller.ts';

/** One way to run or reach a server of a `server.json`: a package or an address. */
export interface ServerOption {
  /** `remote`, or where the package is, e.g. `npm`. */
  readonly kind: string;
  /** The package with its version, or the address as it is written. */
  readonly label: string;
  readonly questions: readonly SetupQuestion[];
  /** A bundle (MCPB) that has to be fetched first: what it runs stands in it. */
  readonly bundle?: { readonly url: string; readonly sha256: string };
  /** Why it can't be used here, a sentence. */
  readonly refusal?: string;
  /** @param answers without them, what has to be given becomes an input */
  build(answers?: SetupAnswers): BuiltServer;
}

/** Values of a `server.json` that are read at most; more is nobody's server. */
const MAX_OPTIONS = 30;

/**
 * The packages and addresses of a `server.json` (schema 2025-12-11, and its older spelling), the addresses first.
 * @param name of the server here: the inputs' ids begin with it
 */
export function serverOptions(server: Members, name: string): readonly ServerOption[] {
  return [
    ...listOf(server['remotes']).flatMap((each) => remoteOption(each, name) ?? []),
    ...listOf(server['packages']).flatMap((each) => packageOption(each, name) ?? []),
  ].slice(0, MAX_OPTIONS);
}

/** The last part of a registry's name, which is what a server is called here. */
export function shortName(server: Members): string {
  return textOf(server['name'])?.split('/').at(-1) ?? '';
}

function remoteOption(remote: Members, name: string): ServerOption | undefined {
  const url = textOf(remote['url']);
  if (url === undefined) return undefined;
  const build = (filler: ValueFiller): Members => {
    const filled = filler.filled(url, remote);
    return {
      type: remote['type'] ?? remote['transport_type'],
      url: filled,
      headers: pairsOf(remote['headers'], filler),
    };
  };
  return option('remote', url, name, variablesIn([remote, ...listOf(remote['headers'])]), build);
}

function packageOption(given: Members, name: string): ServerOption | undefined {
  const identifier = textOf(given['identifier'] ?? given['name']);
  if (identifier === undefined) return undefined;
  const kind = textOf(given['registryType'] ?? given['registry_type'] ?? given['registry_name']) ?? '';
  const version = textOf(given['version']);
  const label = version === undefined || identifier.endsWith(version) ? identifier : `${identifier} ${version}`;
  const about = { kind, identifier, ...(version === undefined ? {} : { version }), given };
  const lists = [
    'environmentVariables',
    'environment_variables',
    'runtimeArguments',
    'runtime_arguments',
    'packageArguments',
    'package_arguments',
  ];
  const build = (filler: ValueFiller): Members => {
    const env = pairsOf(given['environmentVariables'] ?? given['environment_variables'], filler);
    const own = wordsOf(given['runtimeArguments'] ?? given['runtime_arguments'], filler);
    const args = wordsOf(given['packageArguments'] ?? given['package_arguments'], filler);
    return packageRun(about, { env, own, args });
  };
  const refusal = refusalOfPackage(about);
  const sha256 = textOf(given['fileSha256'] ?? given['file_sha256']);
  return {
    ...option(kind, label, name, variablesIn(lists.flatMap((key) => listOf(given[key]))), build),
    ...(refusal === undefined ? {} : { refusal }),
    ...(kind === 'mcpb' && sha256 !== undefined ? { bundle: { url: identifier, sha256: sha256.toLowerCase() } } : {}),
  };
}

function option(
  kind: string,
  label: string,
  name: string,
  shared: Members,
  make: (filler: ValueFiller) => Members,
): ServerOption {
  const build = (
    answers?: SetupAnswers,
  ): BuiltServer & { readonly questions: readonly SetupQuestion[]; readonly isTooLong: boolean } => {
    const filler = new ValueFiller(name, answers, shared);
    const value = make(filler);
    return {
      value,
      inputs: filler.inputs,
      secrets: filler.secrets,
      questions: filler.questions,
      isTooLong: filler.isTooLong,
    };
  };
  const { questions, isTooLong } = build();
  return { kind, label, questions, build, ...(isTooLong ? { refusal: say`One of its values is too long.` } : {}) };
}

/** A value may name a variable that another one declares. */
function variablesIn(values: readonly Members[]): Members {
  return Object.assign({}, ...values.map(({ variables }) => (isRecord(variables) ? variables : {}))) as Members;
}

/** Names with their values; what is left out has none. */
function pairsOf(list: unknown, filler: ValueFiller): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listOf(list).flatMap((each) => {
      const name = textOf(each['name']);
      const [value] = name === undefined ? [] : filler.valuesOf(each, name);
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Words of a command line. One with a name and nothing to ask for is a switch, and so is one that is true or false. */
function wordsOf(list: unknown, filler: ValueFiller): readonly string[] {
  return listOf(list).flatMap((each) => {
    const name = textOf(each['name']);
    const isPositional = name === undefined || each['type'] === 'positional';
    if (!isPositional && isSwitch(each)) return [name];
    const hint = textOf(each['valueHint'] ?? each['value_hint']);
    const values = filler.valuesOf(each, (isPositional ? (hint ?? name) : name)?.replace(/^-+/, '') ?? 'argument');
    if (isPositional) return values;
    if (each['format'] === 'boolean') return values[0] === 'true' ? [name] : [];
    return values.flatMap((value) => (value === '' ? [name] : [name, value]));
  });
}

const ASKED = [
  'value',
  'default',
  'description',
  'valueHint',
  'value_hint',
  'placeholder',
  'choices',
  'format',
] as const;

function isSwitch(each: Members): boolean {
  return ASKED.every((key) => each[key] === undefined) && each['isSecret'] !== true;
}
