import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { conditionalParts, impliedType, plainKeywords, typesOf, type SchemaType } from './schemaKeywords.ts';
import { mergeAll, propertiesOfAny } from './schemaMerge.ts';
import { DATA, referenceOf, resolveReference } from '../../base/json/schemaRefs.ts';

/** Something about a schema that could not be kept. */
export interface SchemaProblem {
  readonly code: 'unresolved-reference' | 'too-large' | 'unusable-parameter' | 'not-an-object';
  /** One sentence. */
  readonly message: string;
}

/** A schema under normalisation. */
export interface NodeContext {
  readonly root: unknown;
  /** References that the node at hand lies inside of. */
  readonly inside: readonly string[];
  readonly depth: number;
  /** A type that may be `null` stays so, and a tuple may go on: what a server answers is held against it. */
  readonly keepsNull: boolean;
  readonly report: (problem: SchemaProblem) => void;
  /** Counts what a node takes in the result, in characters; false when it has become too much. */
  readonly spend: (characters: number) => boolean;
  /** What is known of nodes that were looked at: references lead to some of them again and again. */
  readonly looked: WeakMap<object, LookedAt>;
}

interface LookedAt {
  readonly plain: Readonly<Record<string, JsonValue>>;
  /** What one look at it costs. */
  readonly size: number;
}

const MAX_DEPTH = 24;
/** What a look at a node may cost without being counted, in members and characters. */
const FREE_SIZE = 4_096;
const MAX_SIZE = 64_000;
/** What a node takes at least, with its punctuation, in characters. */
const NODE_CHARACTERS = 16;
/** The property names that every model provider takes. */
const PROPERTY_NAME = /^[A-Za-z0-9_.-]{1,64}$/;

/** One schema, and everything in it, in the form that `normalizeSchema` promises. */
export function normalizeNode(schema: unknown, context: NodeContext): JsonObject {
  if (!isRecord(schema)) return {};
  if (context.depth > MAX_DEPTH || !context.spend(NODE_CHARACTERS + lookAt(schema, context).size))
    return leftOut(context);
  const referring = referenceOf(schema);
  if (referring) return normalizeReference(referring.beside, referring.reference, context);
  if (Array.isArray(schema['allOf'])) {
    const { allOf, ...rest } = schema;
    const parts = allOf.map((part: unknown) => normalizeNode(part, deeper(context)));
    return mergeAll([normalizeNode(rest, deeper(context)), ...parts]);
  }
  return withConditions(normalizePlain(schema, context), schema, context);
}

function lookAt(schema: Record<string, unknown>, { looked }: NodeContext): LookedAt {
  let known = looked.get(schema);
  if (!known) {
    const sizes = Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'description' || keyword === 'title') return 0;
      const isLookedInside = typeof value === 'object' && value !== null && !DATA.has(keyword);
      return Math.min(MAX_SIZE, isLookedInside ? Object.keys(value).length : jsonWeight(value, MAX_SIZE));
    });
    const size = sizes.reduce((sum, each) => sum + each, 0);
    known = { plain: plainKeywords(schema), size: size > FREE_SIZE ? size : 0 };
    looked.set(schema, known);
  }
  return known;
}

function leftOut(context: NodeContext): JsonObject {
  context.report({ code: 'too-large', message: 'The schema is too large or too deep. Details are omitted.' });
  return {};
}

function normalizeReference(beside: Record<string, unknown>, reference: string, context: NodeContext): JsonObject {
  const target = resolveReference(context.root, reference);
  if (context.inside.includes(reference)) {
    const type = isRecord(target) ? (typesOf(target['type'])[0] ?? impliedType(target)) : undefined;
    return withContents({ ...plainKeywords(beside), ...(type ? { type } : {}) }, {}, context);
  }
  if (target === undefined) {
    context.report({
      code: 'unresolved-reference',
      message: `The reference ${reference.slice(0, 200)} can’t be resolved.`,
    });
    return normalizeNode(beside, deeper(context));
  }
  const resolved = normalizeNode(target, { ...deeper(context), inside: [...context.inside, reference] });
  return Object.keys(beside).length === 0 ? resolved : mergeAll([resolved, normalizeNode(beside, deeper(context))]);
}

function normalizePlain(schema: Record<string, unknown>, context: NodeContext): JsonObject {
  const kept = { ...lookAt(schema, context).plain };
  if (!context.spend(JSON.stringify(kept).length)) return leftOut(context);
  const alternatives = [schema['anyOf'], schema['oneOf']].flatMap((list) =>
    Array.isArray(list) ? (list as unknown[]) : [],
  );
  if (alternatives.length > 0) {
    const branches = alternatives.map((branch) => normalizeNode(branch, deeper(context)));
    kept['anyOf'] = distinct(branches);
  }
  const types = typesOf(schema['type'], schema['nullable'] === true);
  const solid = context.keepsNull ? types : types.filter((type) => type !== 'null');
  const type = solid.length === 0 ? (types[0] ?? impliedType(schema)) : solid.length === 1 ? solid[0] : undefined;
  if (type !== undefined) return withContents(withFittingEnum({ ...kept, type }), schema, context);
  if (solid.length > 1 && kept['anyOf'] === undefined) {
    const branches = solid.map((one) => withContents({ type: one }, schema, context));
    return { ...kept, anyOf: branches };
  }
  return kept;
}

const FITS: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  array: (value) => Array.isArray(value),
  object: (value) => isRecord(value) && !Array.isArray(value),
};

/** Values of another type can't be given; with nothing but such ones, providers refuse the whole request. */
function withFittingEnum(node: Record<string, JsonValue>): Record<string, JsonValue> {
  const fits = typeof node['type'] === 'string' ? FITS[node['type']] : undefined;
  if (!fits || !Array.isArray(node['enum'])) return node;
  const { enum: values, ...rest } = node;
  const fitting = (values as readonly JsonValue[]).filter(fits);
  return fitting.length > 0 ? { ...rest, enum: fitting } : rest;
}

/** What an object has for some values of its properties only, it may have for any. */
function withConditions(plain: JsonObject, schema: Record<string, unknown>, context: NodeContext): JsonObject {
  const parts = conditionalParts(schema);
  if (parts.length === 0 || schema['additionalProperties'] === false) return plain;
  const more = propertiesOfAny(parts.map((part) => normalizeNode(part, deeper(context))));
  const own = isRecord(plain['properties']) ? plain['properties'] : {};
  const added = Object.entries(more).filter(([name]) => !Object.hasOwn(own, name));
  if (added.length === 0 || (plain['type'] ?? 'object') !== 'object') return plain;
  return { ...plain, type: 'object', properties: { ...own, ...Object.fromEntries(added) } };
}

/** Adds to an object what its properties are, to an array what its items are. */
function withContents(
  kept: Record<string, JsonValue>,
  schema: Record<string, unknown>,
  context: NodeContext,
): JsonObject {
  switch (kept['type'] as SchemaType | undefined) {
    case 'object':
      return { ...kept, ...objectContents(schema, context) };
    case 'array':
      return { ...kept, items: itemsOf(schema, context) };
    default:
      return kept;
  }
}

function objectContents(schema: Record<string, unknown>, context: NodeContext): JsonObject {
  const properties: Record<string, JsonValue> = {};
  let isWhole = true;
  for (const [name, property] of Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})) {
    if (property === false) continue;
    if (!PROPERTY_NAME.test(name) || name === '__proto__') {
      const message = `The parameter ${JSON.stringify(name.slice(0, 80))} has a name that models don’t accept.`;
      context.report({ code: 'unusable-parameter', message });
      isWhole = false;
    } else if (context.spend(name.length)) properties[name] = normalizeNode(property, deeper(context));
    else {
      leftOut(context);
      isWhole = false;
      break;
    }
  }
  const listed: unknown[] = Array.isArray(schema['required']) ? schema['required'] : [];
  const required = [...new Set(listed)].filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
  const more = othersOf(schema, isWhole, context);
  return {
    properties,
    ...(required.length > 0 ? { required: required as string[] } : {}),
    ...(more === undefined ? {} : { additionalProperties: more }),
  };
}

/** What properties may be that are not named: those of patterns, and whatever else there may be. */
function othersOf(
  { patternProperties, additionalProperties: more }: Record<string, unknown>,
  isWhole: boolean,
  context: NodeContext,
): JsonObject | boolean | undefined {
  const patterns = isRecord(patternProperties) ? Object.values(patternProperties) : [];
  if (more === false && patterns.length === 0) return isWhole ? false : undefined;
  if (more === true || (more !== false && !isRecord(more))) return more === true ? true : undefined;
  const schemas = [...patterns, ...(more === false ? [] : [more])];
  return isWhole ? oneOf(schemas.map((schema) => normalizeNode(schema, deeper(context)))) : undefined;
}

/** One schema for all items; of a tuple, any of its places' and of what may follow them. */
function itemsOf(schema: Record<string, unknown>, context: NodeContext): JsonObject {
  const { prefixItems, items, additionalItems } = schema;
  const isNewTuple = Array.isArray(prefixItems);
  const tuple: unknown = isNewTuple ? prefixItems : items;
  if (!Array.isArray(tuple)) return normalizeNode(tuple, deeper(context));
  const rest = isNewTuple ? items : additionalItems;
  // A model sends what the places say; a server may answer with more after them, where nothing says otherwise.
  if (context.keepsNull && rest !== false && !isRecord(rest)) return {};
  const places: unknown[] = isRecord(rest) ? [...(tuple as unknown[]), rest] : tuple;
  return oneOf(places.map((place) => normalizeNode(place, deeper(context))));
}

function oneOf(schemas: readonly JsonObject[]): JsonObject {
  const different = distinct(schemas);
  return different.length > 1 ? { anyOf: different } : (different[0] ?? {});
}

function distinct(schemas: readonly JsonObject[]): JsonObject[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}

function deeper(context: NodeContext): NodeContext {
  return { ...context, depth: context.depth + 1 };
}
