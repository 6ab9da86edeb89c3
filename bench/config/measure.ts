// One round of the benchmark `config`, in a process of its own. Bundled as the extension is, so that what is measured is
// what people run.
import { writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { toDisposable } from '../../src/base/disposable.ts';
import type { Clock } from '../../src/base/clock.ts';
import { Emitter } from '../../src/base/event.ts';
import { sha256 } from '../../src/base/json/json.ts';
import { silentLogger } from '../../src/base/log.ts';
import { MemoryStore } from '../../src/base/keyValueStore.ts';
import { ConfigLoader } from '../../src/config/configLoader.ts';
import { readSourceFile } from '../../src/config/sources/readSourceFile.ts';
import { ServerRegistry } from '../../src/servers/serverRegistry.ts';
import { threadCpuMs } from '../scale/processorTime.ts';
import { FEW_FILES, MANY_FILES, sourcesIn, textOf, type Shape } from './files.ts';

const CHANGES = 20;

/** What one round gives: milliseconds. */
export interface Round {
  readonly coldMs: number;
  readonly coldCpuMs: number;
  readonly changeCpuMs: number;
}

/** A clock on which time passes when it is told to. */
class ManualClock implements Clock {
  #due: (() => void)[] = [];

  now(): number {
    return Date.now();
  }

  schedule(_delayMs: number, callback: () => void): { dispose(): void } {
    this.#due.push(callback);
    return toDisposable(() => (this.#due = this.#due.filter((item) => item !== callback)));
  }

  pass(): void {
    for (const callback of this.#due.splice(0)) callback();
  }
}

async function measure(folder: string, shape: Shape): Promise<Round> {
  const { files, serversPerFile } = shape;
  const sources = sourcesIn(folder, shape);
  const clock = new ManualClock();
  const watchers = new Map<string, () => void>();
  const never = toDisposable(() => undefined);
  // In an editor's extension host these parts of Node have long been in use.
  const own = sources.find(({ scope }) => scope === 'user');
  if (own) await readSourceFile({ ...own, file: process.argv[1] ?? '' }, process.platform);
  sha256(URL.parse('https://example.com/?a=b')?.searchParams.toString() ?? '');
  isDeepStrictEqual({ a: [1] }, { a: [2] });
  const begun = performance.now();
  const cpuBegun = threadCpuMs();
  const config = new ConfigLoader(
    {
      sources: () => sources,
      read: (source) => readSourceFile(source, process.platform),
      watch: (source, onChange) => {
        watchers.set(source.id, onChange);
        return never;
      },
      watchSources: () => never,
    },
    clock,
    silentLogger,
  );
  const servers = new ServerRegistry({
    config,
    store: new MemoryStore(),
    editor: { workspaceTrusted: () => true, editorHosts: () => false, onDidChange: new Emitter<void>().event },
    clock,
  });
  await config.start();
  const coldMs = performance.now() - begun;
  const coldCpuMs = threadCpuMs() - cpuBegun;
  if (servers.definitions.length !== files * serversPerFile) throw new Error(`${servers.definitions.length} servers`);
  const costs: number[] = [];
  // With one server each, there is nothing else in the file that stays.
  for (let change = 0; change < (serversPerFile > 1 ? CHANGES : 0); change++) {
    const source = sources[change % files];
    if (source?.file === undefined) throw new Error('no file');
    writeFileSync(source.file, textOf(shape, change % files, 1 + (change % (serversPerFile - 1))));
    watchers.get(source.id)?.();
    const published = new Promise<number>((resolve) => {
      const subscription = servers.onDidChange(({ added, changed, removed }) => {
        subscription.dispose();
        resolve(added.length + changed.length + removed.length);
      });
    });
    const before = threadCpuMs();
    clock.pass();
    const count = await published;
    const cost = threadCpuMs() - before;
    if (count !== 1) throw new Error(`${count} servers differ`);
    costs.push(cost);
    writeFileSync(source.file, textOf(shape, change % files));
    watchers.get(source.id)?.();
    const undone = new Promise<void>((resolve) => {
      const subscription = servers.onDidChange(() => {
        subscription.dispose();
        resolve();
      });
    });
    clock.pass();
    await undone;
  }
  costs.sort((one, other) => one - other);
  return { coldMs, coldCpuMs, changeCpuMs: costs[CHANGES / 2] ?? Number.NaN };
}

const [folder = '', shape] = process.argv.slice(2);
console.log(JSON.stringify(await measure(folder, shape === 'many' ? MANY_FILES : FEW_FILES)));
