import { say } from '../base/say.ts';
import { isDeepStrictEqual } from 'node:util';
import { Debouncer, Sequencer } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import type { EntryFiles } from './sources/entryFiles.ts';
import type { VariableContext } from './variables/expandVariables.ts';
import type { ConfigPorts } from './configLoaderPorts.ts';
import type { ConfigSnapshot, ConfigSource, ServerEntry, SourceResult } from './configTypes.ts';

const DEBOUNCE_MS = 200;
/** A file that is empty or gone for less is taken as being written: many programs empty or move it before they write. */
const REWRITTEN_MS = 1_000;

/** What the loader holds of one source. */
interface Tracked {
  readonly watcher: Disposable;
  source: ConfigSource;
  result: SourceResult;
  /** What `result` was made from: the text, `absent`, or an `unread` source. */
  readFrom: { readonly text: string } | 'absent' | 'unread';
}

/**
 * Keeps a snapshot of what all sources say (design: *Config*, *Live*). It watches them, rereads only what changed, keeps
 * the last good entries of a file that is broken at the moment, and publishes only what differs from before.
 */
export class ConfigLoader implements Disposable {
  readonly #ports: ConfigPorts;
  readonly #log: Logger;
  readonly #tracked = new Map<string, Tracked>();
  readonly #dirty = new Set<string>();
  readonly #sequencer = new Sequencer();
  readonly #debouncer: Debouncer;
  readonly #clock: Clock;
  /** Files that are empty or gone and had something in them, until they are looked at again. */
  readonly #emptied = new Map<string, { readonly again: Disposable; readonly isDue: boolean }>();
  readonly #changed = new Emitter<ConfigSnapshot>();
  readonly #variables: ((entry: ServerEntry) => VariableContext) | undefined;
  #sourcesWatcher: Disposable | undefined;
  #files: EntryFiles | undefined;
  #started: Promise<ConfigSnapshot> | undefined;
  #snapshot: ConfigSnapshot = { results: [] };
  #disposed = false;

  /** @param variables what the variables of an entry are; without it, no `envFile` is read and no working directory looked at */
  constructor(ports: ConfigPorts, clock: Clock, log: Logger, variables?: (entry: ServerEntry) => VariableContext) {
    this.#ports = ports;
    this.#variables = variables;
    this.#log = log;
    this.#clock = clock;
    this.#debouncer = new Debouncer(DEBOUNCE_MS, clock, () => void this.#refresh());
  }

  /** What is known now; empty before `start()`. */
  get snapshot(): ConfigSnapshot {
    return this.#snapshot;
  }

  readonly onDidChange: Event<ConfigSnapshot> = this.#changed.event;

  /** Reads every source once and watches it from then on. Further calls give the first one's promise. */
  start(): Promise<ConfigSnapshot> {
    this.#started ??= this.#begin();
    return this.#started;
  }

  /** Reads every source again, now. */
  reload(): Promise<ConfigSnapshot> {
    for (const id of this.#tracked.keys()) this.#dirty.add(id);
    return this.#started ? this.#refresh() : this.start();
  }

  dispose(): void {
    this.#disposed = true;
    this.#debouncer.dispose();
    this.#sourcesWatcher?.dispose();
    this.#files?.dispose();
    for (const { watcher } of this.#tracked.values()) watcher.dispose();
    for (const { again } of this.#emptied.values()) again.dispose();
    this.#tracked.clear();
    this.#changed.dispose();
  }

  #begin(): Promise<ConfigSnapshot> {
    if (!this.#disposed) this.#sourcesWatcher = this.#ports.watchSources(() => this.#debouncer.trigger());
    return this.#refresh();
  }

  #refresh(): Promise<ConfigSnapshot> {
    return this.#sequencer.run(async () => {
      if (this.#disposed) return this.#snapshot;
      const sources = await this.#ports.sources();
      if (this.#disposed) return this.#snapshot;
      this.#untrackAllBut(new Set(sources.map((source) => source.id)));
      await Promise.all(sources.map((source) => this.#update(source)));
      const read = sources.flatMap((source) => this.#tracked.get(source.id)?.result ?? []);
      const results = await this.#withFiles(read);
      if (this.#disposed) this.#files?.dispose();
      else this.#publish(results);
      return this.#snapshot;
    });
  }

  #untrackAllBut(ids: ReadonlySet<string>): void {
    for (const [id, { watcher }] of this.#tracked) {
      if (ids.has(id)) continue;
      watcher.dispose();
      this.#tracked.delete(id);
      this.#dirty.delete(id);
      this.#forgetEmptied(id);
    }
  }

  async #update(source: ConfigSource): Promise<void> {
    const known = this.#tracked.get(source.id);
    const tracked = known ?? this.#track(source);
    const moved = !isDeepStrictEqual(tracked.source, source);
    // Taken off the list before reading: a change while it is being read puts it on again.
    const dirty = this.#dirty.delete(source.id);
    if (known && !moved && !dirty) return;
    tracked.source = source;
    const next = await this.#read(source, moved ? undefined : tracked, tracked.result);
    if (this.#isBeingWritten(source, tracked.readFrom, (next ?? tracked).readFrom) || !next) return;
    if (!isDeepStrictEqual(next.result, tracked.result)) tracked.result = next.result;
    tracked.readFrom = next.readFrom;
  }

  /** Whether a file had something in it and hasn't, for so short a time that it is looked at again. */
  #isBeingWritten({ id, file }: ConfigSource, before: Tracked['readFrom'], now: Tracked['readFrom']): boolean {
    const isLost = file !== undefined && hasText(before) && now !== 'unread' && !hasText(now);
    const known = this.#emptied.get(id);
    if (isLost && !known && !this.#disposed) {
      const again = this.#clock.schedule(REWRITTEN_MS, () => {
        this.#emptied.set(id, { again, isDue: true });
        this.#dirty.add(id);
        void this.#refresh();
      });
      this.#emptied.set(id, { again, isDue: false });
      return true;
    }
    if (isLost && known?.isDue === false) return true;
    this.#forgetEmptied(id);
    return false;
  }

  #forgetEmptied(id: string): void {
    this.#emptied.get(id)?.again.dispose();
    this.#emptied.delete(id);
  }

  /** @returns `undefined` where the text is the one that `known` was made from */
  async #read(
    source: ConfigSource,
    known: Tracked | undefined,
    last: SourceResult,
  ): Promise<Pick<Tracked, 'result' | 'readFrom'> | undefined> {
    try {
      const text = await this.#ports.read(source);
      if (text === undefined)
        return known?.readFrom === 'absent' ? undefined : { result: absent(source), readFrom: 'absent' };
      if (typeof known?.readFrom === 'object' && known.readFrom.text === text) return undefined;
      return { result: await read(source, text, last), readFrom: { text } };
    } catch (error) {
      this.#log.log('warning', `Can't read ${source.label}: ${messageOf(error)}`);
      return { result: await unreadable(source, error, last), readFrom: 'unread' };
    }
  }

  #track(source: ConfigSource): Tracked {
    const watcher = this.#ports.watch(source, () => {
      this.#dirty.add(source.id);
      this.#debouncer.trigger();
    });
    const tracked: Tracked = { watcher, source, result: absent(source), readFrom: 'unread' };
    this.#tracked.set(source.id, tracked);
    return tracked;
  }

  async #withFiles(results: readonly SourceResult[]): Promise<readonly SourceResult[]> {
    const variables = this.#variables;
    if (!variables || this.#disposed || (!this.#files && !results.some(namesFile))) return results;
    const { EntryFiles: Loaded } = await import('./sources/entryFiles.ts');
    this.#files ??= new Loaded(this.#ports, variables, () => this.#debouncer.trigger());
    return this.#files.addTo(results);
  }

  #publish(results: readonly SourceResult[]): void {
    const before = this.#snapshot.results;
    if (results.length === before.length && results.every((result, index) => result === before[index])) return;
    this.#snapshot = { results };
    this.#changed.fire(this.#snapshot);
  }
}

function hasText(readFrom: Tracked['readFrom']): boolean {
  return typeof readFrom === 'object' && readFrom.text.trim() !== '';
}

function namesFile({ entries }: SourceResult): boolean {
  return entries.some(({ transport }) => 'envFile' in transport || 'cwd' in transport);
}

function absent(source: ConfigSource): SourceResult {
  return { source, status: 'absent', entries: [], problems: [], stale: false };
}

async function read(source: ConfigSource, text: string, last: SourceResult): Promise<SourceResult> {
  // With the first text there is to read.
  const { parseAnySource } = await import('./read/parseSource.ts');
  const { parsed, ...content } = await parseAnySource(source, text);
  if (parsed) return { source, status: 'found', ...content, stale: false };
  const lastGood = last.status === 'found' || last.stale;
  return lastGood
    ? { ...keep(source, last), problems: content.problems }
    : { source, status: 'broken', ...content, stale: false };
}

async function unreadable(source: ConfigSource, error: unknown, last: SourceResult): Promise<SourceResult> {
  const { SourceText } = await import('./syntax/sourceText.ts');
  const problem = new SourceText(source, '').problem({ offset: 0, length: 0 }, 'unreadable', 'error', {
    message: say`${source.label} can't be read: ${messageOf(error)}`,
    fix: say`Check that it is a file that you can read.`,
  });
  return { ...keep(source, last), problems: [problem] };
}

/** The entries of the last time that the source could be read. */
function keep(source: ConfigSource, last: SourceResult): Omit<SourceResult, 'problems'> {
  const stale = last.status === 'found' || last.stale;
  const { problems: _problems, ...kept } = last;
  return { ...kept, source, status: 'broken', stale };
}
