import { findNodeAtLocation, getLocation, parseTree, type Location } from 'jsonc-parser';
import { isRecord, type JsonObject } from '../../base/json/json.ts';

/** A suggestion at a place of a JSON text. */
export interface Suggestion {
  readonly label: string;
  readonly detail: string;
  readonly documentation: string;
  /** For a name, includes the beginning of its value. */
  readonly insert: string;
  readonly isName: boolean;
  /** The range that it replaces. */
  readonly offset: number;
  readonly length: number;
}

/** A place in a text. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Suggestions by a tool's schema at a place of its arguments: names that are missing, or values. */
export function suggestionsAt(schema: JsonObject, text: string, offset: number): readonly Suggestion[] {
  const location = getLocation(text, offset);
  const { previousNode, isAtPropertyKey, path } = location;
  const replaced = previousNode && previousNode.offset <= offset ? previousNode : { offset, length: 0 };
  const place = { offset: replaced.offset, length: replaced.length };
  return isAtPropertyKey
    ? names(schema, schemaAt(schema, path.slice(0, -1)), text, location, place)
    : values(schemaAt(schema, path), place);
}

/** The place that a sentence of the validator (`"title" must be string, got …`) is about; the start if unknown. */
export function placeOf(text: string, sentence: string): Place {
  const root = parseTree(text);
  const steps = /^"([^"]+)"/.exec(sentence)?.[1]?.split('.') ?? [];
  const property = /has no property "([^"]+)"/.exec(sentence)?.[1];
  const path = [...steps, ...(property === undefined ? [] : [property])];
  const node =
    root &&
    findNodeAtLocation(
      root,
      path.map((step) => (/^\d+$/.test(step) ? Number(step) : step)),
    );
  const marked = property === undefined ? node : (node?.parent?.children?.[0] ?? node);
  return marked && path.length > 0 ? { offset: marked.offset, length: marked.length } : { offset: 0, length: 1 };
}

function names(
  root: JsonObject,
  schema: JsonObject,
  text: string,
  { path }: Location,
  place: Place,
): readonly Suggestion[] {
  const tree = parseTree(text);
  const object = tree && findNodeAtLocation(tree, path.slice(0, -1));
  const current = path.at(-1);
  const taken = (object?.children ?? []).map((property) => property.children?.[0]?.value as unknown);
  const hasValue = /^\s*:/.test(text.slice(place.offset + place.length));
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(isRecord(schema['properties']) ? schema['properties'] : {})
    .filter(([name]) => name === current || !taken.includes(name))
    .map(([name, of]) => {
      const own = resolved(root, of);
      const key = JSON.stringify(name);
      return {
        label: name,
        detail: [typeText(own), required.includes(name) ? '*' : ''].join(''),
        documentation: textOf(own['description']),
        insert: hasValue ? key : `${key}: ${beginning(own)}`,
        isName: true,
        ...place,
      };
    });
}

function values(schema: JsonObject, place: Place): readonly Suggestion[] {
  const { type, default: byDefault } = schema;
  const given = [
    ...(Array.isArray(schema['enum']) ? (schema['enum'] as readonly unknown[]) : []),
    ...('const' in schema ? [schema['const']] : []),
    ...(type === 'boolean' ? [true, false] : []),
    ...(byDefault === undefined ? [] : [byDefault]),
    ...(Array.isArray(schema['examples']) ? (schema['examples'] as readonly unknown[]) : []),
  ].map((value) => JSON.stringify(value));
  return [...new Set(given)].map((insert) => ({
    label: insert,
    detail: typeText(schema),
    documentation: textOf(schema['description']),
    insert,
    isName: false,
    ...place,
  }));
}

/** The schema for a path in the arguments; empty if there is none. */
function schemaAt(root: JsonObject, path: readonly (string | number)[]): JsonObject {
  let schema = resolved(root, root);
  for (const step of path) {
    const { properties, items } = schema;
    const next = typeof step === 'number' ? items : isRecord(properties) ? properties[step] : undefined;
    schema = resolved(root, next);
  }
  return schema;
}

/** Follows references in the schema. */
function resolved(root: JsonObject, schema: unknown): JsonObject {
  let now = schema;
  for (let hops = 0; isRecord(now) && hops < 8; hops++) {
    const ref = now['$ref'];
    if (typeof ref !== 'string' || !ref.startsWith('#/')) return now as JsonObject;
    now = ref
      .slice(2)
      .split('/')
      .reduce<unknown>((value, step) => (isRecord(value) ? value[step] : undefined), root);
  }
  return {};
}

function typeText({ type }: JsonObject): string {
  return [type]
    .flat()
    .filter((each) => typeof each === 'string')
    .join(' | ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The beginning of a value of the type. */
function beginning(schema: JsonObject): string {
  if (schema['default'] !== undefined) return JSON.stringify(schema['default']);
  const options = schema['enum'];
  if (Array.isArray(options) && options.length > 0) return JSON.stringify(options[0]);
  const blank: Readonly<Record<string, string>> = {
    string: '""',
    object: '{}',
    array: '[]',
    boolean: 'false',
    null: 'null',
  };
  return blank[typeText(schema)] ?? '';
}
