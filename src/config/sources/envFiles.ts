import type { Disposable } from '../../base/disposable.ts';
import { stableStringify } from '../../base/json/json.ts';
import type { VariableContext } from '../variables/expandVariables.ts';
import type { ConfigPorts } from '../configLoaderPorts.ts';
import { OWN_SCOPES, type ServerEntry, type SourceResult } from '../configTypes.ts';
import { digestsOf, envFileSource, parseEnvFile } from './envFile.ts';
import { NamedFileWatchers } from './namedFileWatchers.ts';

/** Whether the contents of its `envFile` are part of what is approved of an entry. */
export function bindsEnvFile({ transport, scope }: ServerEntry): boolean {
  return transport.type === 'stdio' && transport.envFile !== undefined && !OWN_SCOPES.has(scope);
}

/**
 * Adds to entries of others what their `envFile` sets (`envVariables`), so that it is part of what is approved. A file that can't be
 * read adds nothing: the server doesn't start.
 */
export class EnvFiles implements Disposable {
  readonly #ports: Pick<ConfigPorts, 'read' | 'watch'>;
  readonly #variables: (entry: ServerEntry) => VariableContext;
  readonly #watchers: NamedFileWatchers;
  /** What came of a result last, for as long as the files set the same. */
  readonly #made = new WeakMap<SourceResult, { readonly digests: string; readonly result: SourceResult }>();

  /** @param onChange one of the files may be another */
  constructor(
    ports: Pick<ConfigPorts, 'read' | 'watch'>,
    variables: (entry: ServerEntry) => VariableContext,
    onChange: () => void,
  ) {
    this.#ports = ports;
    this.#variables = variables;
    this.#watchers = new NamedFileWatchers(ports, onChange);
  }

  async addTo(results: readonly SourceResult[]): Promise<readonly SourceResult[]> {
    const used = new Set<string>();
    const next = await Promise.all(results.map((result) => this.#withDigests(result, used)));
    this.#watchers.keepOnly(used);
    return next;
  }

  async #withDigests(result: SourceResult, used: Set<string>): Promise<SourceResult> {
    if (!result.entries.some(bindsEnvFile)) return result;
    const found = await Promise.all(
      result.entries.map(async (entry) => (bindsEnvFile(entry) ? this.#digestsOf(entry, used) : undefined)),
    );
    const digests = stableStringify(found.map((each) => each ?? null));
    const made = this.#made.get(result);
    if (made?.digests === digests) return made.result;
    const entries = result.entries.map((entry, index) => {
      const envVariables = found[index];
      return envVariables ? { ...entry, envVariables } : entry;
    });
    const next = { ...result, entries };
    this.#made.set(result, { digests, result: next });
    return next;
  }

  async #digestsOf(entry: ServerEntry, used: Set<string>): Promise<Record<string, string> | undefined> {
    const source = envFileSource(entry, this.#variables(entry));
    if (!source) return undefined;
    used.add(source.id);
    this.#watchers.watch(source);
    try {
      const text = await this.#ports.read(source);
      return text === undefined ? undefined : digestsOf(parseEnvFile(text));
    } catch {
      return undefined;
    }
  }

  dispose(): void {
    this.#watchers.dispose();
  }
}
