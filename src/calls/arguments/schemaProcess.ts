import type { ChildProcess } from 'node:child_process';
import type { ErrorObject } from 'ajv';
import { Sequencer } from '../../base/async.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { nextMessage } from '../childMessage.ts';
import type { SchemaTask } from './schemaWorker.ts';

/** How long one check may take, in milliseconds, the compilation included. */
const CHECK_LIMIT_MS = 2_000;
/** How long the process may take to start, in milliseconds: a busy machine is not the schema's fault. */
const START_LIMIT_MS = 10_000;
/** An idle process ends after this, in milliseconds. */
const IDLE_MS = 30_000;
/** A process that knows more schemas than this is replaced. */
const MAX_SCHEMAS = 100;

interface Worker {
  readonly child: ChildProcess;
  readonly known: Map<JsonObject, number>;
}

/**
 * Checks arguments in a process that is ended when it takes too long or too much memory: one check at a time, and none
 * holds this process, or ends it.
 */
export class SchemaProcess {
  readonly #turns = new Sequencer();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isDisposed = false;

  /** @returns what is wrong with the arguments; `undefined` where that took too long, or too much memory */
  check(schema: JsonObject, args: JsonObject): Promise<readonly ErrorObject[] | undefined> {
    return this.#turns.run(() => this.#check(schema, args));
  }

  async #check(schema: JsonObject, args: JsonObject): Promise<readonly ErrorObject[] | undefined> {
    clearTimeout(this.#idle);
    if (this.#isDisposed) return undefined;
    try {
      this.#worker ??= await this.#start();
      const { child, known } = this.#worker;
      const schemaId = known.get(schema) ?? known.size;
      const task: SchemaTask = known.has(schema) ? { schemaId, args } : { schemaId, schema, args };
      known.set(schema, schemaId);
      child.send(task);
      const errors = (await nextMessage(child, CHECK_LIMIT_MS)) as readonly ErrorObject[];
      if (known.size >= MAX_SCHEMAS) this.#end();
      return errors;
    } catch {
      this.#end();
      return undefined;
    } finally {
      if (this.#worker) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref();
    }
  }

  async #start(): Promise<Worker> {
    const { startSchemaWorker } = await import('./schemaWorker.ts');
    const child = startSchemaWorker();
    // What it can't be told because it has ended shows where its answer is awaited.
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (this.#worker?.child === child) this.#worker = undefined;
    });
    try {
      await nextMessage(child, START_LIMIT_MS);
      if (this.#isDisposed) throw new Error('The process is no longer needed.');
      return { child, known: new Map() };
    } catch (error) {
      child.kill('SIGKILL');
      throw error;
    }
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#isDisposed = true;
    this.#end();
  }

  #end(): void {
    this.#worker?.child.kill('SIGKILL');
    this.#worker = undefined;
  }
}
