// Loaded on the first call: Ajv is large, and activation doesn't need it.
import { type ErrorObject, Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import { closestTo } from '../../catalog/names/closestNames.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../base/json.ts';
import { OutOfTime, timeLimited } from '../../base/timeLimit.ts';

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

const MAX_ERRORS = 8;
const MAX_CANDIDATES = 500;

/** Turns Ajv's errors into sentences that a model can act on: where, what was expected, what came, what is allowed. */
export function explainErrors(errors: readonly ErrorObject[]): readonly string[] {
  const sentences = [...new Set(errors.filter((error) => !isNoise(error, errors)).map(explain))];
  if (sentences.length <= MAX_ERRORS) return sentences;
  return [...sentences.slice(0, MAX_ERRORS), `and ${sentences.length - MAX_ERRORS} more errors`];
}

/** `anyOf`/`oneOf`/`if` only repeat what their branches say, where those say something. */
function isNoise(error: ErrorObject, all: readonly ErrorObject[]): boolean {
  return (
    ['anyOf', 'oneOf', 'if'].includes(error.keyword) &&
    all.some((other) => other !== error && other.schemaPath.startsWith(error.schemaPath))
  );
}

function explain(error: ErrorObject): string {
  const where = pathOf(error.instancePath);
  const got = `got ${kindOf(error.data)}`;
  switch (error.keyword) {
    case 'required': {
      const property = String(error.params['missingProperty']);
      const unknown = Object.keys(error.data as object).filter((name) => !isKnown(name, error));
      const nearest = nearestOf(property, unknown);
      return `${where} is missing the required property "${property}"${nearest ? ` ("${nearest}" is not a property)` : ''}`;
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const property = String(error.params['additionalProperty'] ?? error.params['unevaluatedProperty']);
      const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {});
      const nearest = nearestOf(property, known);
      const hint = nearest ? `; did you mean "${nearest}"?` : known.length ? `; known: ${list(known)}` : '';
      return `${where} has no property "${property}"${hint}`;
    }
    case 'type':
      return `${where} must be ${[error.params['type']].flat().join(' or ')}, ${got}`;
    case 'enum': {
      const allowed = (error.params['allowedValues'] as readonly unknown[]) ?? [];
      const nearest = typeof error.data === 'string' ? nearestOf(error.data, allowed.map(String)) : undefined;
      return `${where} must be one of ${list(allowed)}${nearest ? `; nearest: ${JSON.stringify(nearest)}` : ''}`;
    }
    case 'const':
      return `${where} must be ${JSON.stringify(error.params['allowedValue'])}`;
    default:
      return `${where} ${error.message ?? 'is not valid'}, ${got}`;
  }
}

function isKnown(name: string, { parentSchema }: ErrorObject): boolean {
  return Object.hasOwn((parentSchema?.['properties'] as object | undefined) ?? {}, name);
}

/** A JSON pointer as a path that reads like code. */
function pathOf(pointer: string): string {
  if (pointer === '') return 'the arguments object';
  const steps = pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return `"${steps.join('.')}"`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (typeof value === 'number' || typeof value === 'boolean') return `${typeof value} ${value}`;
  return typeof value === 'object' ? 'an object' : typeof value;
}

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, 12).map((value) => JSON.stringify(value));
  return shown.join(', ') + (values.length > shown.length ? ', …' : '');
}

/** The candidate that looks most like the word, if any looks enough like it. */
function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  return closestTo(
    word,
    candidates.slice(0, MAX_CANDIDATES).map((value) => ({ value, alias: value })),
    1,
  )[0];
}
