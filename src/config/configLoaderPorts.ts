import type { Disposable } from '../base/disposable.ts';
import type { ConfigSource } from './configTypes.ts';

/** The text of a source without a file, or `undefined` where there is none. */
export type ReadText = (source: ConfigSource) => Promise<string | undefined>;

/** What the loader needs of its surroundings. */
export interface ConfigPorts {
  /** The sources that exist now. Within a scope the earlier one wins; see `configSources.ts`. */
  sources(): readonly ConfigSource[] | Promise<readonly ConfigSource[]>;
  /** Reads a source; `undefined` where it doesn't exist. Throws where it exists and can't be read. */
  read: ReadText;
  /** Calls `onChange` when the source at hand appears, changes or goes. */
  watch(source: ConfigSource, onChange: () => void): Disposable;
  /** Calls `onChange` when `sources()` would answer differently. */
  watchSources(onChange: () => void): Disposable;
}
