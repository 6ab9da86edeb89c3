import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { ErrorObject } from 'ajv';
import { Sequencer } from '../../base/async.ts';
import type { JsonObject } from '../../base/json.ts';
import type { SchemaTask } from './schemaWorker.ts';

/** How long one check may take, in milliseconds, the compilation included. */
const CHECK_LIMIT_MS = 2_000;
/** How long the thread may take to start, in milliseconds: a busy machine is not the schema's fault. */
const START_LIMIT_MS = 10_000;
/** An idle thread ends after this, in milliseconds. */
const IDLE_MS = 30_000;
/** A thread that knows more schemas than this is replaced. */
const MAX_SCHEMAS = 100;

interface Thread {
  readonly worker: Worker;
  readonly known: Map<JsonObject, number>;
}

/** Checks arguments in a thread that is ended when it takes too long: one check at a time, and none holds this thread. */
export class SchemaThread {
  readonly #turns = new Sequencer();
  #thread: Thread | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** @returns what is wrong with the arguments; `undefined` where that took too long, or too much memory */
  check(schema: JsonObject, args: JsonObject): Promise<readonly ErrorObject[] | undefined> {
    return this.#turns.run(() => this.#check(schema, args));
  }

  async #check(schema: JsonObject, args: JsonObject): Promise<readonly ErrorObject[] | undefined> {
    clearTimeout(this.#idle);
    try {
      this.#thread ??= await this.#start();
      const { worker, known } = this.#thread;
      worker.ref();
      const schemaId = known.get(schema) ?? known.size;
      const task: SchemaTask = known.has(schema) ? { schemaId, args } : { schemaId, schema, args };
      known.set(schema, schemaId);
      worker.postMessage(task, []);
      const errors = (await nextMessage(worker, CHECK_LIMIT_MS)) as readonly ErrorObject[];
      worker.unref();
      if (known.size >= MAX_SCHEMAS) this.#end();
      return errors;
    } catch {
      this.#end();
      return undefined;
    } finally {
      this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  async #start(): Promise<Thread> {
    const { startSchemaWorker } = await import('./schemaWorker.ts');
    const worker = startSchemaWorker();
    // Of one that ran out of memory after its time was over, nobody wants to know.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      if (this.#thread?.worker === worker) this.#thread = undefined;
    });
    try {
      await nextMessage(worker, START_LIMIT_MS);
      return { worker, known: new Map() };
    } catch (error) {
      void worker.terminate();
      throw error;
    }
  }

  #end(): void {
    void this.#thread?.worker.terminate();
    this.#thread = undefined;
  }
}

/** Rejects where none comes in time, or the thread fails. */
async function nextMessage(worker: Worker, limitMs: number): Promise<unknown> {
  const [message] = (await once(worker, 'message', { signal: AbortSignal.timeout(limitMs) })) as [unknown];
  return message;
}
