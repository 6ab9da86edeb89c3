import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { conditionallyRequired, typesOf } from './schemaKeywords.ts';
import { flattenWays } from './schemaMerge.ts';
import { normalizeNode, type NodeContext, type SchemaProblem } from './schemaNode.ts';
import { resolveReference } from '../../base/json/schemaRefs.ts';

/** An input schema in the form that every model provider accepts. */
export interface NormalizedSchema {
  readonly schema: JsonObject;
  /** What the schema no longer says, as sentences for the tool's description; may be empty. */
  readonly note: string;
  readonly problems: readonly SchemaProblem[];
  /** False where no arguments can ever fit: such a tool is left out. */
  readonly isUsable: boolean;
}

/** What a schema may take of a model's context, in characters: about 16,000 tokens. */
const MAX_CHARACTERS = 64_000;
const MAX_ROOT_REFERENCES = 8;

/**
 * Makes an input schema of any draft one that every model provider accepts (design: *Catalog*): the root is an object
 * and has no combinators, every object has `properties`, every array an object `items`, `required` names what exists,
 * references are resolved, a recursive one ends at its first repetition, and only keywords that drafts 7 and 2020-12
 * share are left. The result may allow more than the original, never less of what a model would send: calls are
 * validated by the original. It is at most a few times {@link MAX_CHARACTERS} long, however large the original is.
 * @param keepsNull types that may be `null` stay so; for what a server answers
 */
export function normalizeSchema(original: unknown, keepsNull = false): NormalizedSchema {
  const problems = new Map<string, SchemaProblem>();
  let spent = 0;
  const context: NodeContext = {
    root: original,
    inside: [],
    depth: 0,
    keepsNull,
    report: (problem) => problems.set(problem.message, problem),
    looked: new WeakMap(),
    spend: (characters) => (spent += characters) <= MAX_CHARACTERS,
  };
  const root = followReferences(original);
  const types = isRecord(root) ? typesOf(root['type']) : [];
  const isUsable = types.length === 0 || types.includes('object');
  if (!isUsable) {
    const message = `The input schema has type ${types.join(' or ')}; arguments must be an object.`;
    context.report({ code: 'not-an-object', message });
  }
  const { schema, sentences } =
    isUsable && isRecord(root) ? normalizeRoot(root, context) : { schema: {}, sentences: [] };
  const dropped = [...problems.values()].filter(({ code }) => code === 'unusable-parameter');
  return {
    schema: requiringOnlyExisting({ properties: {}, ...schema, type: 'object' }),
    note: [...sentences, ...dropped.map(({ message }) => message)].join(' '),
    problems: [...problems.values()],
    isUsable,
  };
}

function requiringOnlyExisting(schema: JsonObject): JsonObject {
  const { required, ...rest } = schema;
  if (!Array.isArray(required)) return rest;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const existing = required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name));
  return existing.length > 0 ? { ...rest, required: existing } : rest;
}

/** A root that is nothing but a reference is what it refers to. */
function followReferences(original: unknown): unknown {
  let root = original;
  for (let count = 0; count < MAX_ROOT_REFERENCES && isRecord(root) && typeof root['$ref'] === 'string'; count += 1) {
    const target = resolveReference(original, root['$ref']);
    if (!isRecord(target) || target === root) break;
    const { $ref: _ref, ...beside } = root;
    root = { ...target, ...beside };
  }
  return root;
}

function normalizeRoot(
  root: Record<string, unknown>,
  context: NodeContext,
): { schema: JsonObject; sentences: string[] } {
  const { anyOf, oneOf, ...rest } = root;
  const sentences: string[] = [];
  let schema = normalizeNode({ ...rest, type: 'object' }, context);
  // A combinator inside one of the root's `allOf` parts is at the root, too.
  const inner = Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly JsonObject[]) : [];
  const { anyOf: _anyOf, enum: _enum, items: _items, ...flat } = schema;
  schema = flat;
  const groups: [readonly JsonObject[], boolean][] = [
    [inner, false],
    [waysOf(anyOf, context), false],
    [waysOf(oneOf, context), true],
  ];
  for (const [ways, exactlyOne] of groups) {
    if (ways.length === 0) continue;
    const flattened = flattenWays(schema, ways.map(asFlatObject), exactlyOne);
    schema = flattened.schema;
    if (flattened.sentence) sentences.push(flattened.sentence);
  }
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const conditional = conditionallyRequired(root).filter((name) => Object.hasOwn(properties, name));
  if (conditional.length > 0)
    sentences.push(`Depending on the other parameters, these can also be required: ${conditional.join(', ')}.`);
  return { schema, sentences };
}

function waysOf(list: unknown, context: NodeContext): JsonObject[] {
  return Array.isArray(list) ? list.map((way: unknown) => normalizeWay(way, context)) : [];
}

function normalizeWay(way: unknown, context: NodeContext): JsonObject {
  // A way that only says what is required, as in {"required": ["a"]}, keeps it: the properties are the root's.
  const schema = normalizeNode(way, context);
  const names: unknown = isRecord(way) ? way['required'] : undefined;
  const rootProperties =
    isRecord(context.root) && isRecord(context.root['properties']) ? context.root['properties'] : {};
  if (!Array.isArray(names) || schema['required'] !== undefined) return schema;
  const required = names.filter(
    (name): name is string => typeof name === 'string' && Object.hasOwn(rootProperties, name),
  );
  return { ...schema, required };
}

/** Only what can be said of an object; nested alternatives are flattened in turn. */
function asFlatObject(schema: JsonObject): JsonObject {
  const { properties, required, anyOf } = schema;
  const own: JsonObject = {
    ...(isRecord(properties) ? { properties } : {}),
    ...(Array.isArray(required) ? { required } : {}),
  };
  if (!Array.isArray(anyOf)) return own;
  return flattenWays(own, (anyOf as readonly JsonObject[]).map(asFlatObject), false).schema;
}
