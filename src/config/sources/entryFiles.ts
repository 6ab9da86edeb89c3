// Loaded with the first entry that names a file or a folder.
import type { Disposable } from '../../base/disposable.ts';
import type { VariableContext } from '../variables/expandVariables.ts';
import type { ConfigPorts } from '../configLoaderPorts.ts';
import type { ServerEntry, SourceResult } from '../configTypes.ts';
import { EnvFiles } from './envFiles.ts';
import { LaunchFolders } from './launchFolders.ts';

/** What entries name on disk: their `envFile`, and the folders that they start in. */
export class EntryFiles implements Disposable {
  readonly #envFiles: EnvFiles;
  readonly #folders: LaunchFolders;

  /** @param onChange something of it may be another */
  constructor(
    ports: Pick<ConfigPorts, 'read' | 'watch'>,
    variables: (entry: ServerEntry) => VariableContext,
    onChange: () => void,
  ) {
    this.#envFiles = new EnvFiles(ports, variables, onChange);
    this.#folders = new LaunchFolders(ports, variables, onChange);
  }

  async addTo(results: readonly SourceResult[]): Promise<readonly SourceResult[]> {
    return this.#envFiles.addTo(await this.#folders.addTo(results));
  }

  dispose(): void {
    this.#envFiles.dispose();
    this.#folders.dispose();
  }
}
