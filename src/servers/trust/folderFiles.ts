// Loaded with a question before something of a folder runs.
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { isInside } from '../../base/files/isInside.ts';
import { READ_BY_RUNNERS } from './runnerFiles.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { envFileSource, isNetworkPath, parseEnvFile } from '../../config/sources/envFile.ts';
import { readSourceFile } from '../../config/sources/readSourceFile.ts';
import { expandSpec } from '../../config/variables/expandVariables.ts';
import { fieldsOf } from '../../config/variables/specFields.ts';
import { folderOf, variableContext, type ResolveContext } from '../resolveEntry.ts';
import { isOfFolder } from './serverStatus.ts';

/** What a runner of scripts and builds reads in the folder that it starts in. */
const READ_IN_FOLDER = [
  ...READ_BY_RUNNERS,
  ...([
    'Makefile',
    'makefile',
    'GNUmakefile',
    'justfile',
    'Justfile',
    'Taskfile.yml',
    'compose.yaml',
    'compose.yml',
  ] as const),
  ...([
    'Cargo.toml',
    'go.mod',
    'build.gradle',
    'pom.xml',
    'Gemfile',
    'Rakefile',
    'composer.json',
    'Dockerfile',
  ] as const),
];
const RUNNERS =
  /^(?:npm|npx|yarn|pnpm|pnpx|bun|bunx|deno|node|uv|uvx|pipx|poetry|pdm|hatch|pip|python[\d.]*|make|gmake|just|task|cargo|go|gradle|mvn|dotnet|docker|docker-compose|podman|mise|asdf|direnv|bundle|rake|composer)$/i;
/** What an interpreter or a runner adds to the name that it is given. */
const ENDINGS = ['', '.js', '.cjs', '.mjs', '.ts', '.py', '.sh', '.cmd', '/index.js', '/package.json', '/__main__.py'];
/** What parts words inside of a text, such as a command line or `--require=./x.js`. */
const BETWEEN_WORDS = /[\s"'`=,;|&()<>]+/;
const MAX_WORDS = 2_000;
/** So many files are looked for at a time. */
const AT_ONCE = 256;

/** Where a process starts, and which folders are open. */
export interface FolderPlace {
  /** The folder that relative paths are taken from; absent where it is none of the open ones. */
  readonly cwd?: string;
  readonly folders: readonly string[];
}

/**
 * The files of the open folders that commands name, relative to their folder: whoever can write there can change what they
 * do after they were approved. Also finds what runners read in the folder that they start in, and modules (`python -m`).
 * A folder that is named is found, too: programs and modules in it can be run.
 * @param texts commands, arguments and other texts, with variables replaced
 * @param lists values of the environment: here the opened folder itself counts, as in `PATH=.`
 */
export async function folderFiles(
  texts: readonly string[],
  { cwd, folders }: FolderPlace,
  lists: readonly string[] = [],
): Promise<readonly string[]> {
  const words = [...new Set([...texts, ...lists].flatMap(wordsOf))].slice(0, MAX_WORDS);
  const isRunner = words.some((word) => RUNNERS.test(path.basename(word).replace(/\.(?:exe|cmd)$/i, '')));
  const named = isRunner
    ? words.flatMap((word) => [word, ...ofModule(word)].flatMap((name) => ENDINGS.map((ending) => name + ending)))
    : words;
  const files = [...named, ...(isRunner && cwd !== undefined ? READ_IN_FOLDER : [])].flatMap((name) =>
    path.isAbsolute(name) ? name : cwd === undefined ? [] : path.join(cwd, name),
  );
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  // Where a program is looked for, the opened folder itself counts.
  const searched = [...lists.flatMap((list) => list.split(path.delimiter)), ...words.flatMap(folderOfPattern)];
  const listed = new Set(searched.map((each) => path.join(path.resolve(cwd ?? '/', each), '.')));
  const all = [...new Set(files)];
  const found: (string | undefined)[] = [];
  // Others run in between: a definition can name thousands.
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    found.push(
      ...(await Promise.all(some.map((file) => relativeTo(file, folders, real, listed.has(path.resolve(file)))))),
    );
  }
  return [...new Set(found.flatMap((file) => file ?? []))].sort();
}

/** @returns `undefined` for what is no file and no folder of a folder; a folder ends with `/` */
async function relativeTo(
  file: string,
  folders: readonly string[],
  real: readonly string[],
  isListed: boolean,
): Promise<string | undefined> {
  if (isNetworkPath(file)) return undefined;
  const stats = await stat(file).catch(() => undefined);
  if (!stats?.isFile() && !stats?.isDirectory()) return undefined;
  const shown = (relative: string): string | undefined => {
    if (!stats.isDirectory()) return relative;
    if (relative === '') return isListed ? './' : undefined;
    return `${relative}/`;
  };
  const target = await realpath(file);
  for (const [index, folder] of folders.entries()) {
    if (isInside(file, folder)) return shown(path.relative(folder, file));
    const realFolder = real[index] ?? folder;
    if (isInside(target, realFolder)) return shown(path.relative(realFolder, target));
  }
  return undefined;
}

/** A text, its words, and what is in quotes in it, with what a shell or a program makes of them. */
function wordsOf(text: string): string[] {
  const quoted = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? '');
  const ofShell = (text.match(/(?:\\.|"[^"]*"|'[^']*'|[^\s;&|<>()"'])+/g) ?? []).map((word) =>
    word.replaceAll(/\\(.)|["']/g, '$1'),
  );
  return [text, ...quoted, ...text.split(BETWEEN_WORDS), ...ofShell].flatMap(readingsOf).filter((word) => word !== '');
}

/** The paths that a word may stand for: its own, those of a list, and what is behind an option, a variable or a pattern. */
function readingsOf(word: string): string[] {
  const [, afterOption = ''] = /^-[A-Za-z](.+)$/.exec(word) ?? [];
  const [, afterVariable = ''] = /^\$\{?\w+\}?[\\/](.+)$/.exec(word) ?? [];
  return [
    word,
    ...word.split(':'),
    afterOption,
    afterVariable,
    word.replace(/^~(?=[\\/])/, homedir()),
    ...(word.startsWith('file:') && URL.canParse(word) ? [decodeURI(new URL(word).pathname)] : []),
    ...folderOfPattern(word),
  ];
}

/** `./x` of `./x/*.sh`. */
function folderOfPattern(word: string): string[] {
  const [, folder] = /^([^*?[\]]*[\\/])[^\\/*?[\]]*[*?[]/.exec(word) ?? [];
  return folder === undefined ? [] : [folder];
}

/** `a.b`, as after `python -m`. */
function ofModule(word: string): string[] {
  return /^[A-Za-z_]\w*(?:\.\w+)*$/.test(word) ? [word.replaceAll('.', '/')] : [];
}

/** The files of the open folders that a server is started with; see `folderFiles`. */
export async function filesOfServer(entry: ServerEntry, context: ResolveContext): Promise<readonly string[]> {
  const unasked = (): string => '';
  const expansion = expandSpec(entry.transport, {
    ...variableContext(entry, context),
    input: unasked,
    command: unasked,
  });
  const spec = expansion.ok ? expansion.spec : entry.transport;
  const texts = fieldsOf(spec).flatMap(([field, text]) => (/^(?:cwd$|url$|env\.|oauth\.)/.test(field) ? [] : [text]));
  const lists = spec.type === 'stdio' ? [...Object.values(spec.env), ...(await fromEnvFile(entry, context))] : [];
  const own =
    spec.type === 'stdio' ? (spec.cwd ?? (isOfFolder(entry) ? folderOf(entry, context)?.path : undefined)) : undefined;
  const folders = context.workspaceFolders.map(({ path: folder }) => folder);
  return folderFiles(texts, { folders, ...(own === undefined ? {} : { cwd: own }) }, lists);
}

/** The values of its `envFile`, which are shown as hashes only. */
async function fromEnvFile(entry: ServerEntry, context: ResolveContext): Promise<readonly string[]> {
  const source = envFileSource(entry, variableContext(entry, context));
  try {
    return Object.values(parseEnvFile((source && (await readSourceFile(source, context.platform))) ?? ''));
  } catch {
    // The server doesn't start with it.
    return [];
  }
}

/** The files of the project's folder that a hook is run with; see `folderFiles`. */
export function filesOfHook(command: string, folder: string): Promise<readonly string[]> {
  const text = command.replaceAll(/"?\$\{?CLAUDE_PROJECT_DIR\}?"?/g, () => folder);
  return folderFiles([text], { cwd: folder, folders: [folder] });
}
