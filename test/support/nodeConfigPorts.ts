import { existsSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import { toDisposable, type Disposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/event.ts';
import type { ConfigPorts } from '../../src/config/configLoaderPorts.ts';
import type { ConfigSource } from '../../src/config/configTypes.ts';
import { readSourceFile } from '../../src/config/sources/readSourceFile.ts';

/** Config sources on a real disk, watched with `fs.watch`. Texts of sources without a file are given to `setText`. */
export class NodeConfigPorts implements ConfigPorts {
  #sources: readonly ConfigSource[];
  readonly #texts = new Map<string, string>();
  readonly #sourcesChanged = new Emitter<void>();
  readonly #textChanged = new Emitter<string>();
  /** Ids in the order in which they were read. */
  readonly reads: string[] = [];

  constructor(sources: readonly ConfigSource[]) {
    this.#sources = sources;
  }

  setSources(sources: readonly ConfigSource[]): void {
    this.#sources = sources;
    this.#sourcesChanged.fire();
  }

  /** `undefined`: the source is absent. */
  setText(id: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(id);
    else this.#texts.set(id, text);
    this.#textChanged.fire(id);
  }

  sources(): readonly ConfigSource[] {
    return this.#sources;
  }

  async read(source: ConfigSource): Promise<string | undefined> {
    this.reads.push(source.id);
    if (source.file === undefined) return this.#texts.get(source.id);
    return readSourceFile(source, process.platform);
  }

  watch(source: ConfigSource, onChange: () => void): Disposable {
    if (source.file !== undefined) return watchFile(source.file, onChange);
    return this.#textChanged.event((id) => {
      if (id === source.id) onChange();
    });
  }

  watchSources(onChange: () => void): Disposable {
    return this.#sourcesChanged.event(onChange);
  }
}

/** Watches the folder of the file, or the nearest one that exists until it does. */
function watchFile(file: string, onChange: () => void): Disposable {
  let watcher: FSWatcher | undefined;
  let watched: string | undefined;
  const arm = (): void => {
    const folder = nearestFolder(path.dirname(file));
    if (folder === watched) return;
    watcher?.close();
    const isFirst = watched === undefined;
    watched = folder;
    watcher = watch(folder, (_event, name) => {
      arm();
      if (watched === folder && (name === null || name === path.basename(file))) onChange();
    });
    watcher.on('error', () => undefined);
    // The file may have come with its folder, before this watcher.
    if (!isFirst) onChange();
  };
  arm();
  return toDisposable(() => watcher?.close());
}

function nearestFolder(folder: string): string {
  return existsSync(folder) ? folder : nearestFolder(path.dirname(folder));
}
