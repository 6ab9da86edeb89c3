import { say } from '../../base/say.ts';
import path from 'node:path';
import { isRecord } from '../../base/json/json.ts';
import {
  inputOf,
  slugOf,
  type BuiltServer,
  type SetupAnswers,
  type SetupQuestion,
} from '../registry/setupQuestions.ts';
import { textOf, type Members } from '../registry/valueFiller.ts';

/** What a bundle says of itself. All of its texts are a stranger's. */
export interface BundleManifest {
  readonly name: string;
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly author: string;
  readonly questions: readonly SetupQuestion[];
  /** A file of the bundle that is run. */
  readonly entryPoint?: string;
  /** Why it can't be used here, a sentence. */
  readonly refusal?: string;
  /**
   * @param folder that it is unpacked in
   * @param answers without them, what has to be given becomes an input
   */
  build(folder: string, answers?: SetupAnswers): BuiltServer;
}

const MAX_TEXT = 500;
const MAX_QUESTIONS = 50;

/**
 * Reads a bundle's `manifest.json` (MCPB manifest 0.1 to 0.4; DXT).
 * @returns the manifest, or why it is none
 */
export function readBundleManifest(value: unknown, platform: NodeJS.Platform): BundleManifest | string {
  if (!isRecord(value)) return say`Its manifest.json must be an object.`;
  const name = textOf(value['name']);
  const { server } = value;
  if (name === undefined || !isRecord(server)) return say`Its manifest.json has no \`name\` or no \`server\`.`;
  const launch = launchOf(server, platform);
  if (typeof launch === 'string') return launch;
  const questions = questionsOf(value['user_config'], slugOf(name));
  const refusal = refusalOf(value['compatibility'], platform);
  return {
    name: slugOf(name),
    title: short(value['display_name']) ?? name.slice(0, MAX_TEXT),
    version: short(value['version']) ?? '',
    description: short(value['description']) ?? '',
    author: isRecord(value['author']) ? (short(value['author']['name']) ?? '') : '',
    questions: questions.map(({ question }) => question),
    ...(refusal === undefined ? {} : { refusal }),
    ...entryPointOf(server, launch),
    build: (folder, answers) => built(launch, questions, folder, { answers, platform }),
  };
}

interface Launch {
  readonly type: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The `entry_point`, where what runs names it: bundles for `npx` and the like have one that isn't there. */
function entryPointOf(server: Members, { command, args }: Launch): { readonly entryPoint?: string } {
  const entry = textOf(server['entry_point'])?.replace(/^\.\//, '');
  const isRun = entry !== undefined && [command, ...args].some((word) => word.endsWith(entry));
  return isRun ? { entryPoint: entry } : {};
}

/** `mcp_config` as it is on a platform; without one, what the type of the server means. */
function launchOf(server: Members, platform: NodeJS.Platform): Launch | string {
  const type = textOf(server['type']) ?? '';
  const entry = textOf(server['entry_point']);
  const config = isRecord(server['mcp_config']) ? server['mcp_config'] : undefined;
  const overrides = isRecord(config?.['platform_overrides']) ? config['platform_overrides'][platform] : undefined;
  const own = isRecord(overrides) ? overrides : {};
  const command = textOf(own['command']) ?? textOf(config?.['command']);
  const env = { ...textsIn(config?.['env']), ...textsIn(own['env']) };
  if (command !== undefined) return { type, command, args: listIn(own['args']) ?? listIn(config?.['args']) ?? [], env };
  if (entry === undefined) return say`Its manifest.json says neither what to run nor an \`entry_point\`.`;
  const file = `\${__dirname}/${entry}`;
  switch (type) {
    case 'node':
      return { type, command: 'node', args: [file], env };
    case 'python':
      return { type, command: 'python', args: [file], env };
    case 'uv':
      return { type, command: 'uv', args: ['run', '--directory', '${__dirname}', entry], env };
    case 'binary':
      return { type, command: entry, args: [], env };
    default:
      return say`Its manifest.json doesn’t say what to run.`;
  }
}

interface Configured {
  readonly key: string;
  readonly question: SetupQuestion;
}

function questionsOf(config: unknown, prefix: string): readonly Configured[] {
  if (!isRecord(config)) return [];
  const ids = new Set<string>();
  // What is secret of one key isn't of another that reads alike.
  const freeId = (key: string): string => {
    const wanted = `${prefix}-${slugOf(key)}`;
    let id = wanted;
    for (let count = 2; ids.has(id); count += 1) id = `${wanted}-${count}`;
    ids.add(id);
    return id;
  };
  return Object.entries(config)
    .slice(0, MAX_QUESTIONS)
    .flatMap(([key, about]): Configured[] => {
      if (!isRecord(about)) return [];
      const type = textOf(about['type']);
      const kinds = { number: 'number', boolean: 'boolean', file: 'file', directory: 'folder' } as const;
      const kind = type !== undefined && Object.hasOwn(kinds, type) ? kinds[type as keyof typeof kinds] : 'text';
      const given = about['default'];
      const defaults = (Array.isArray(given) ? (given as unknown[]) : [given]).flatMap((each) => textOf(each) ?? []);
      const description = short(about['description']);
      const limit = (name: 'min' | 'max'): object => (typeof about[name] === 'number' ? { [name]: about[name] } : {});
      const question: SetupQuestion = {
        id: freeId(key),
        label: short(about['title']) ?? key,
        ...(description === undefined ? {} : { description }),
        kind,
        isRequired: about['required'] === true,
        isSecret: about['sensitive'] === true,
        isRepeated: about['multiple'] === true,
        defaults: defaults.map((each) => common(each)),
        ...(kind === 'number' ? { ...limit('min'), ...limit('max') } : {}),
      };
      return [{ key, question }];
    });
}

function refusalOf(compatibility: unknown, platform: NodeJS.Platform): string | undefined {
  const platforms = isRecord(compatibility) ? compatibility['platforms'] : undefined;
  if (!Array.isArray(platforms) || platforms.length === 0 || platforms.includes(platform)) return undefined;
  return say`It is for ${platforms
    .map((each) => textOf(each) ?? '')
    .join(', ')
    .slice(0, 100)} and not for this system.`;
}

/** Variables of the manifest that are others here. Those that are left are the same, or of the environment. */
function common(text: string): string {
  return text
    .replaceAll('${HOME}', '${userHome}')
    .replaceAll(
      /\$\{(DESKTOP|DOCUMENTS|DOWNLOADS)\}/g,
      (_whole, name: string) => `\${userHome}/${name[0]}${name.slice(1).toLowerCase()}`,
    );
}

function built(
  { type, command, args, env }: Launch,
  questions: readonly Configured[],
  folder: string,
  { answers, platform }: { readonly answers: SetupAnswers | undefined; readonly platform: NodeJS.Platform },
): BuiltServer {
  const secrets = new Map<string, string>();
  const values = new Map<string, readonly string[]>();
  const inputs = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { key, question } of questions) {
    const { id, isSecret, isRequired, defaults } = question;
    const given = answers ? answers.get(id)?.filter((each) => each !== '') : defaults.length > 0 ? defaults : undefined;
    const isAsked = answers ? isSecret && given !== undefined && given.length > 0 : isSecret || (isRequired && !given);
    if (isAsked) inputs.set(key, inputOf(question));
    if (isSecret && given?.[0] !== undefined && answers) secrets.set(id, given[0]);
    values.set(key, isAsked ? [`\${input:${id}}`] : (given ?? []));
  }
  const used = new Set<string>();
  const fill = (text: string): string =>
    common(text)
      .replaceAll('${__dirname}', () => folder)
      .replaceAll(/\$\{user_config\.([^}]+)\}/g, (_whole, key: string) => {
        used.add(key);
        return (values.get(key) ?? []).join(',');
      });
  const whole = (text: string): string | undefined => /^\$\{user_config\.([^}]+)\}$/.exec(text)?.[1];
  const isEmpty = (text: string | undefined): boolean => {
    const key = text === undefined ? undefined : whole(text);
    return key !== undefined && (values.get(key) ?? []).length === 0;
  };
  const words = args.flatMap((word, index) => {
    // What is left empty goes with the option in front of it.
    if (isEmpty(word) || (word.startsWith('-') && isEmpty(args[index + 1]))) return [];
    const key = whole(word);
    if (key !== undefined) used.add(key);
    return key === undefined ? [fill(word)] : (values.get(key) ?? []);
  });
  const environment = Object.entries(env).flatMap(([name, text]) =>
    isEmpty(text) ? [] : [[name, fill(text)] as const],
  );
  const value = {
    command: program(fill(command), type, folder, platform),
    args: words,
    env: Object.fromEntries(environment),
    cwd: folder,
  };
  return { value, inputs: [...inputs].flatMap(([key, input]) => (used.has(key) ? [input] : [])), secrets };
}

/** A program of the bundle by its whole path; Python by the name that it has on a system. */
function program(command: string, type: string, folder: string, platform: NodeJS.Platform): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  if (type === 'python' && command === 'python' && platform !== 'win32') return 'python3';
  const isInside = type === 'binary' || /[\\/]/.test(command);
  if (!isInside || paths.isAbsolute(command) || command.includes('${')) return command;
  const file = paths.join(folder, command);
  return platform === 'win32' && type === 'binary' && paths.extname(file) === '' ? `${file}.exe` : file;
}

function short(value: unknown): string | undefined {
  return textOf(value)?.slice(0, MAX_TEXT);
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(isRecord(value) ? value : {});
  return Object.fromEntries(
    entries.flatMap(([name, each]) => (textOf(each) === undefined ? [] : [[name, textOf(each) ?? '']])),
  );
}

function listIn(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? (value as unknown[]).flatMap((each) => textOf(each) ?? []) : undefined;
}
