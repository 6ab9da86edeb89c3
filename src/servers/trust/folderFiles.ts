// Loaded with a question before something of a folder runs.
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../../base/isInside.ts';
import { READ_BY_RUNNERS } from './runnerFiles.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { isNetworkPath } from '../../config/sources/envFile.ts';
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
const MAX_WORDS = 500;

/** Where a process starts, and which folders are open. */
export interface FolderPlace {
  /** The folder that relative paths are taken from; absent where it is none of the open ones. */
  readonly cwd?: string;
  readonly folders: readonly string[];
}

/**
 * The files of the open folders that commands name, relative to their folder: whoever can write there can change what they
 * do after they were approved. Also finds what runners read in the folder that they start in, and modules (`python -m`).
 * @param texts commands, arguments and other texts, with variables replaced
 */
export async function folderFiles(texts: readonly string[], { cwd, folders }: FolderPlace): Promise<readonly string[]> {
  const words = [...new Set(texts.flatMap(wordsOf))].slice(0, MAX_WORDS);
  const isRunner = words.some((word) => RUNNERS.test(path.basename(word).replace(/\.(?:exe|cmd)$/i, '')));
  const named = isRunner
    ? words.flatMap((word) => [word, ...ofModule(word)].flatMap((name) => ENDINGS.map((ending) => name + ending)))
    : words;
  const files = [...named, ...(isRunner && cwd !== undefined ? READ_IN_FOLDER : [])].flatMap((name) =>
    path.isAbsolute(name) ? name : cwd === undefined ? [] : path.join(cwd, name),
  );
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  const found = await Promise.all([...new Set(files)].map(async (file) => relativeTo(file, folders, real)));
  return [...new Set(found.flatMap((file) => file ?? []))].sort();
}

/** @returns `undefined` for what is no file of a folder; a folder counts where it is one that runners read */
async function relativeTo(
  file: string,
  folders: readonly string[],
  real: readonly string[],
): Promise<string | undefined> {
  if (isNetworkPath(file)) return undefined;
  const stats = await stat(file).catch(() => undefined);
  if (
    !stats?.isFile() &&
    !(stats?.isDirectory() && (READ_IN_FOLDER as readonly string[]).includes(path.basename(file)))
  )
    return undefined;
  const target = await realpath(file);
  for (const [index, folder] of folders.entries()) {
    if (isInside(file, folder)) return path.relative(folder, file);
    const realFolder = real[index] ?? folder;
    if (isInside(target, realFolder)) return path.relative(realFolder, target);
  }
  return undefined;
}

/** A text, its words, and what is in quotes in it. */
function wordsOf(text: string): string[] {
  const quoted = [...text.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? '');
  return [text, ...quoted, ...text.split(BETWEEN_WORDS)].filter((word) => word !== '');
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
  const texts = fieldsOf(spec).flatMap(([field, text]) => (field === 'cwd' || field === 'url' ? [] : [text]));
  const own =
    spec.type === 'stdio' ? (spec.cwd ?? (isOfFolder(entry) ? folderOf(entry, context)?.path : undefined)) : undefined;
  const folders = context.workspaceFolders.map(({ path: folder }) => folder);
  return folderFiles(texts, { folders, ...(own === undefined ? {} : { cwd: own }) });
}

/** The files of the project's folder that a hook is run with; see `folderFiles`. */
export function filesOfHook(command: string, folder: string): Promise<readonly string[]> {
  const text = command.replaceAll(/"?\$\{?CLAUDE_PROJECT_DIR\}?"?/g, () => folder);
  return folderFiles([text], { cwd: folder, folders: [folder] });
}
