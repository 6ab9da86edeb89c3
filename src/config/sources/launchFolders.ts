import { stat } from 'node:fs/promises';
import type { Disposable } from '../../base/disposable.ts';
import { say } from '../../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import { expandSpec, type VariableContext } from '../variables/expandVariables.ts';
import { wslFolderFix } from '../variables/wsl.ts';
import type { ConfigPorts } from '../configLoaderPorts.ts';
import type { ConfigProblem, ServerEntry, SourceResult } from '../configTypes.ts';
import { envSource, isNetworkPath } from './envFile.ts';
import { NamedFileWatchers } from './namedFileWatchers.ts';

/** Adds a problem to the results for each entry whose working directory isn't there, before anybody starts it. */
export class LaunchFolders implements Disposable {
  readonly #variables: (entry: ServerEntry) => VariableContext;
  readonly #watchers: NamedFileWatchers;
  /** What came of a result last. */
  readonly #made = new WeakMap<
    SourceResult,
    { readonly problems: readonly ConfigProblem[]; readonly result: SourceResult }
  >();

  /** @param onChange one of the folders may be there now */
  constructor(
    ports: Pick<ConfigPorts, 'watch'>,
    variables: (entry: ServerEntry) => VariableContext,
    onChange: () => void,
  ) {
    this.#variables = variables;
    this.#watchers = new NamedFileWatchers(ports, onChange);
  }

  async addTo(results: readonly SourceResult[]): Promise<readonly SourceResult[]> {
    const missing = new Set<string>();
    const next = await Promise.all(results.map((result) => this.#checked(result, missing)));
    this.#watchers.keepOnly(missing);
    return next;
  }

  async #checked(result: SourceResult, missing: Set<string>): Promise<SourceResult> {
    if (!result.entries.some(namesFolder)) return result;
    const found = await Promise.all(result.entries.map((entry) => this.#problemOf(entry, missing)));
    const problems = found.filter((problem) => problem !== undefined);
    const made = this.#made.get(result);
    if (made && isDeepStrictEqual(made.problems, problems)) return made.result;
    const next = problems.length === 0 ? result : { ...result, problems: [...result.problems, ...problems] };
    this.#made.set(result, { problems, result: next });
    return next;
  }

  async #problemOf(entry: ServerEntry, missing: Set<string>): Promise<ConfigProblem | undefined> {
    const folder = folderOf(entry, this.#variables(entry));
    if (folder === undefined) return undefined;
    const kind = await kindOf(folder);
    if (kind === 'folder') return undefined;
    const source = envSource(folder, []);
    missing.add(source.id);
    this.#watchers.watch(source);
    return {
      code: 'cwd-not-found',
      severity: 'error',
      message:
        kind === 'file'
          ? say`The working directory of ${entry.name}, ${folder}, is not a folder.`
          : say`The working directory of ${entry.name}, ${folder}, does not exist.`,
      fix: fixOf(entry, folder, this.#variables(entry)) ?? say`Correct \`cwd\`, or create the folder.`,
      range: entry.range,
      serverName: entry.name,
    };
  }

  dispose(): void {
    this.#watchers.dispose();
  }
}

/** Whether an entry that somebody may start names a working directory. */
export function namesFolder({ transport, disabled }: ServerEntry): boolean {
  return transport.type === 'stdio' && transport.cwd !== undefined && !disabled;
}

/** `undefined` where it depends on what is asked later, or is on another computer. */
function folderOf(entry: ServerEntry, context: VariableContext): string | undefined {
  if (!namesFolder(entry) || entry.transport.type !== 'stdio' || entry.transport.cwd === undefined) return undefined;
  const { cwd } = entry.transport;
  const expansion = expandSpec({ type: 'stdio', command: '', args: [], env: {}, cwd }, context);
  const folder = expansion.ok && expansion.spec.type === 'stdio' ? expansion.spec.cwd : undefined;
  return folder === undefined || isNetworkPath(folder) ? undefined : folder;
}

function fixOf({ transport }: ServerEntry, folder: string, { platform }: VariableContext): string | undefined {
  return transport.type === 'stdio' ? wslFolderFix(transport.command, folder, platform) : undefined;
}

async function kindOf(path: string): Promise<'folder' | 'file' | undefined> {
  return stat(path).then(
    (stats) => (stats.isDirectory() ? 'folder' : 'file'),
    () => undefined,
  );
}
