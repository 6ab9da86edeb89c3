// Loaded on the first call: Ajv is large, and activation doesn't need it. A file of its own, since a process loads it
// without the editor.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { type ErrorObject, Ajv, type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../base/json/json.ts';

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

/** What the process is told. The schema comes with its first check only. */
export interface SchemaTask {
  readonly schemaId: number;
  readonly schema?: JsonObject;
  readonly args: JsonObject;
}

/** Tells this module that it is the process. */
const ROLE = 'mcp-switchboard-schema-worker';
/** What the process may hold, in MB: a schema can make a check keep more and more. */
const MAX_MEMORY_MB = 128;
/** After this, in milliseconds, the process ends by itself: whoever would have ended it earlier is gone. */
const ABANDONED_MS = 5_000;

/**
 * Starts a module in a process of its own that checks schemas. Its first message says that it is ready; each other one
 * answers a {@link SchemaTask}. A thread would not do: one that is out of memory can end the whole extension host.
 * @param file the module, which is this one
 */
export function startSchemaWorker(file = fileURLToPath(import.meta.url)): ChildProcess {
  const { SystemRoot } = process.env;
  return fork(file, [ROLE], {
    env: { ELECTRON_RUN_AS_NODE: '1', ...(SystemRoot === undefined ? {} : { SystemRoot }) },
    execArgv: [`--max-old-space-size=${MAX_MEMORY_MB}`],
    // Arguments that several errors repeat are sent once.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

if (process.argv[2] === ROLE) {
  const compiler = new SchemaCompiler();
  const checks = new Map<number, Check>();
  const answer = ({ schemaId, schema, args }: SchemaTask): readonly ErrorObject[] => {
    if (schema) checks.set(schemaId, compiler.compile(schema));
    return checks.get(schemaId)?.(args) ?? [];
  };
  const inTime = new Script('answer(task)');
  process.on('message', (task: SchemaTask) => {
    process.send?.(inTime.runInContext(createContext({ answer, task }), { timeout: ABANDONED_MS }));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}
