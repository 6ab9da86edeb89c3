// Loaded on the first call.
import type { ErrorObject } from 'ajv';
import { withPlainNumbers } from '../../base/json/exactNumber.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { closestTo } from '../../catalog/names/closestNames.ts';
import type { Check } from './schemaWorker.ts';
import { costOfSchema, isCheap, type SchemaCost } from './schemaCost.ts';
import { SchemaProcess } from './schemaProcess.ts';

interface KnownSchema {
  /** With its numbers as a program has them. */
  readonly schema: JsonObject;
  readonly cost: SchemaCost;
  /** Compiled with the first check that is cheap. */
  check?: Check;
  /** A check took too long: the schema isn't tried again. */
  isLeftToServer?: true;
}

/**
 * Checks arguments against a tool's own input schema. A schema is the server's and can be made to take for ever: what
 * isn't certainly cheap is checked in another process.
 */
export class ArgumentValidator {
  readonly #compiler = import('./schemaWorker.ts').then((loaded) => new loaded.SchemaCompiler());
  readonly #process = new SchemaProcess();
  readonly #known = new WeakMap<JsonObject, KnownSchema>();

  /**
   * @returns one sentence per mistake, each saying where, what was expected and what came; empty where the arguments are
   * valid, or where the schema itself can't be compiled or takes too long (then the server judges); at once, where the
   * schema is compiled and the check is cheap
   */
  validate(schema: JsonObject, args: JsonObject): readonly string[] | Promise<readonly string[]> {
    const known = this.#known.get(schema) ?? knownSchema(withPlainNumbers(schema));
    this.#known.set(schema, known);
    if (known.isLeftToServer) return [];
    const checked = withPlainNumbers(args);
    if (!isCheap(known.cost, checked)) return this.#judged(known, checked);
    return known.check ? explainErrors(known.check(checked)) : this.#compiled(known, checked);
  }

  async #compiled(known: KnownSchema, args: JsonObject): Promise<readonly string[]> {
    known.check ??= (await this.#compiler).compile(known.schema);
    return explainErrors(known.check(args));
  }

  /** In another process. */
  async #judged(known: KnownSchema, args: JsonObject): Promise<readonly string[]> {
    const errors = await this.#process.check(known.schema, args);
    if (errors === undefined) known.isLeftToServer = true;
    return explainErrors(errors ?? []);
  }

  dispose(): void {
    this.#process.dispose();
  }
}

function knownSchema(schema: JsonObject): KnownSchema {
  return { schema, cost: costOfSchema(schema) };
}

const MAX_ERRORS = 8;
const MAX_CANDIDATES = 500;
/** In characters. */
const MAX_COMPARED = 100;

/** Turns Ajv's errors into sentences that a model can act on: where, what was expected, what came, what is allowed. */
export function explainErrors(errors: readonly ErrorObject[]): readonly string[] {
  if (errors.length === 0) return [];
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

/** The candidate that looks most like the word, if any looks enough like it; long ones aren't compared. */
function nearestOf(word: string, candidates: readonly string[]): string | undefined {
  const isShort = (text: string): boolean => text.length <= MAX_COMPARED;
  if (!isShort(word)) return undefined;
  const near = candidates.slice(0, MAX_CANDIDATES).filter(isShort);
  return closestTo(
    word,
    near.map((value) => ({ value, alias: value })),
    1,
  )[0];
}
