// A bundle of its own, loaded on the first call: Ajv is large, and activation doesn't need it.
import { Ajv, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../base/json.ts';
import { OutOfTime, timeLimited } from '../../base/timeLimit.ts';
import { explainErrors } from './validationErrors.ts';

const OPTIONS = { strict: false, allErrors: true, validateSchema: false, verbose: true } as const;

/** A server's own patterns may take this long, in milliseconds: they can be made to backtrack for ever. */
const PATTERN_LIMIT_MS = 50;

type Check = (args: JsonObject) => readonly ErrorObject[];

/** Checks arguments against a tool's own input schema (drafts 4 to 2020-12). */
export class ArgumentValidator {
  readonly #current = new Ajv2020(OPTIONS);
  readonly #older = new Ajv(OPTIONS);
  readonly #compiled = new WeakMap<JsonObject, Check | undefined>();

  constructor() {
    // The packages are CommonJS: under Node the plugin is the module, in a bundle its default.
    const plugin = (typeof addFormats === 'function' ? addFormats : (addFormats as { default: unknown }).default) as (
      ajv: Ajv | Ajv2020,
    ) => void;
    plugin(this.#current);
    plugin(this.#older);
  }

  /**
   * @returns one sentence per mistake, each saying where, what was expected and what came; empty where the arguments are
   * valid, or where the schema itself can't be compiled or its patterns take too long (then the server judges)
   */
  validate(schema: JsonObject, args: JsonObject): readonly string[] {
    const check = this.#compile(schema);
    return explainErrors(check?.(args) ?? []);
  }

  #compile(schema: JsonObject): Check | undefined {
    if (this.#compiled.has(schema)) return this.#compiled.get(schema);
    let check: Check | undefined;
    const { $schema: dialect, $id: _, id: __, ...body } = schema as AnySchemaObject;
    const ajv = typeof dialect === 'string' && /draft-0?[467]/.test(dialect) ? this.#older : this.#current;
    try {
      check = this.#limited(schema, ajv.compile(body));
    } catch {
      check = undefined;
    }
    this.#compiled.set(schema, check);
    return check;
  }
  /** Costs something, so only where there are patterns. One that took too long isn't tried again. */
  #limited(schema: JsonObject, validate: ValidateFunction): Check {
    const check: Check = (args) => (validate(args) ? [] : ((validate.errors ?? []) as readonly ErrorObject[]));
    if (!/"pattern(?:Properties)?":/.test(JSON.stringify(schema))) return check;
    return (args) => {
      let errors: readonly ErrorObject[] = [];
      try {
        timeLimited(PATTERN_LIMIT_MS)(() => (errors = check(args)));
      } catch (error) {
        if (!(error instanceof OutOfTime)) throw error;
        this.#compiled.set(schema, undefined);
      }
      return errors;
    };
  }
}
