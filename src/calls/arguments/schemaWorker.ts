// Loaded on the first call: Ajv is large, and activation doesn't need it. A file of its own, since a thread loads it without
// the editor.
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { type ErrorObject, Ajv, type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../base/json.ts';

const OPTIONS = { strict: false, allErrors: true, validateSchema: false, verbose: true } as const;

/** More errors of one call than this tell nobody more. */
const MAX_ERRORS = 100;

/** What is wrong with arguments; at most {@link MAX_ERRORS}. */
export type Check = (args: JsonObject) => readonly ErrorObject[];

/** Makes checks of JSON schemas (drafts 4 to 2020-12). */
export class SchemaCompiler {
  readonly #current = new Ajv2020(OPTIONS);
  readonly #older = new Ajv(OPTIONS);

  constructor() {
    // The packages are CommonJS: under Node the plugin is the module, in a bundle its default.
    const plugin = (typeof addFormats === 'function' ? addFormats : (addFormats as { default: unknown }).default) as (
      ajv: Ajv | Ajv2020,
    ) => void;
    plugin(this.#current);
    plugin(this.#older);
  }

  /** A schema that can't be compiled accepts everything: then the server judges. */
  compile(schema: JsonObject): Check {
    const { $schema: dialect, $id: _, id: __, ...body } = schema as AnySchemaObject;
    const ajv = typeof dialect === 'string' && /draft-0?[467]/.test(dialect) ? this.#older : this.#current;
    try {
      const validate = ajv.compile(body);
      return (args) => (validate(args) ? [] : ((validate.errors ?? []) as readonly ErrorObject[]).slice(0, MAX_ERRORS));
    } catch {
      return () => [];
    } finally {
      // Else it would keep every schema that a server ever listed.
      ajv.removeSchema(body);
    }
  }
}

/** What the thread is told. The schema comes with its first check only. */
export interface SchemaTask {
  readonly schemaId: number;
  readonly schema?: JsonObject;
  readonly args: JsonObject;
}

/** Tells this module that it runs in the thread. */
export const ROLE = 'mcp-switchboard schema worker';
/** What a thread may hold, in MB: a schema can make a check keep more and more. */
const MAX_MEMORY_MB = 128;

/** Starts this module in a thread of its own. Its first message says that it is ready; each other one answers a task. */
export function startSchemaWorker(): Worker {
  return new Worker(new URL(import.meta.url), {
    workerData: ROLE,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
}

if (workerData === ROLE && parentPort) {
  const port = parentPort;
  const compiler = new SchemaCompiler();
  const checks = new Map<number, Check>();
  port.on('message', ({ schemaId, schema, args }: SchemaTask) => {
    if (schema) checks.set(schemaId, compiler.compile(schema));
    port.postMessage(checks.get(schemaId)?.(args) ?? []);
  });
  port.postMessage('ready');
}
