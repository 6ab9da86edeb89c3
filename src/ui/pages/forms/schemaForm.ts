import { isRecord } from '../../../base/json/json.ts';
import { oneLine, showInvisible } from '../../../base/text/showInvisible.ts';
import { referenceOf, resolveReference } from '../../../base/json/schemaRefs.ts';
import type { FormField, Json } from './formField.ts';

type Schema = Readonly<Record<string, unknown>>;

/** Deeper, and for more than this, a form is harder to fill in than JSON. */
const MAX_DEPTH = 8;
const MAX_FIELDS = 500;
const MAX_OPTIONS = 1_000;
const MAX_LABEL = 200;
const MAX_DETAIL = 2_000;
/** JSON Schema has no more types. */
const MAX_TYPES = 7;
/**
 * So many members and parts are looked at: a part that several refer to is taken in for each of them, so what there is to look
 * at can double with each level.
 */
const MAX_WORK = 100_000;
/** Characters of a text that count as much as a member. */
const TEXT_PER_WORK = 16;

interface Reading {
  readonly root: unknown;
  readonly depth: number;
  /** References that the schema at hand lies inside of. */
  readonly inside: readonly string[];
  readonly count: { fields: number; work: number };
}

/** The form for what a schema describes (JSON Schema 2020-12 and draft 7); what no form fits is a field for JSON. Pure. */
export function schemaForm(schema: unknown): FormField {
  return fieldOf(schema, '', { root: schema, depth: 0, inside: [], count: { fields: 0, work: 0 } });
}

/** Counts what is about to be looked at. @returns whether it is more than is looked at for a form */
function isTooMuch({ count }: Reading, work: number): boolean {
  count.work += work;
  return count.work > MAX_WORK;
}

function fieldOf(given: unknown, name: string, before: Reading): FormField {
  const { schema, reading } = resolved(given, { ...before, depth: before.depth + 1 });
  reading.count.fields += 1;
  const base = baseOf(schema, name);
  const json = { ...jsonField(schema), ...base };
  if (reading.depth > MAX_DEPTH || reading.count.fields > MAX_FIELDS) return json;
  const values = valuesOf(schema, reading);
  const ways = values ? undefined : waysOf(schema, reading);
  const types = typesOf(schema);
  const own = types.filter((type) => type !== 'null');
  // What is left out of a schema that is too much for a form would be missing in its field.
  if (isTooMuch(reading, 0)) return json;
  if (values) {
    const options = values.filter(({ value }) => value !== null || !base.isNullable);
    return { kind: 'choice', ...base, isNullable: base.isNullable || options.length < values.length, options };
  }
  if (ways) return waysField(ways, base, schema, name, reading) ?? json;
  if (own.length > 1) {
    const fields = own.map((type) => fieldOf({ ...schema, type, default: undefined, title: type }, type, reading));
    return { kind: 'ways', ...base, ways: fields };
  }
  return { ...plainField(schema, own[0], reading), ...base };
}

/** `undefined`: there is too much in them for a form. */
function waysField(
  ways: readonly unknown[],
  base: Base,
  schema: Schema,
  name: string,
  reading: Reading,
): FormField | undefined {
  const isNull = (way: unknown): boolean => {
    const types = isRecord(way) ? typesOf(way) : [];
    return types.length === 1 && types[0] === 'null';
  };
  const real = ways.filter((way) => !isNull(way));
  const isNullable = base.isNullable || real.length < ways.length;
  const {
    oneOf: _oneOf,
    anyOf: _anyOf,
    default: _default,
    title: _title,
    description: _description,
    ...common
  } = schema;
  const fields: FormField[] = [];
  for (const way of real) {
    const merged = merge([common, resolved(way, reading).schema], reading);
    if (isTooMuch(reading, sizeOf(merged))) return undefined;
    fields.push(fieldOf(merged, wayName(merged, fields.length), reading));
  }
  const [only] = fields;
  if (fields.length !== 1 || !only) return { kind: 'ways', ...base, isNullable, ways: fields };
  const { label, detail, initial } = base;
  return {
    ...only,
    label: typeof schema['title'] === 'string' || name !== '' ? label : only.label,
    detail: detail || only.detail,
    isNullable: isNullable || only.isNullable,
    ...(initial === undefined ? {} : { initial }),
  };
}

/** What tells a way from the others: its title, its fixed members, its type. */
function wayName(way: Schema, index: number): string {
  const properties = isRecord(way['properties']) ? Object.entries(way['properties']) : [];
  const fixed = properties.flatMap(([key, value]) =>
    isRecord(value) && 'const' in value ? [`${key}: ${textOf(value['const'])}`] : [],
  );
  if (fixed.length > 0) return fixed.join(', ');
  const required = Array.isArray(way['required']) ? way['required'].filter((each) => typeof each === 'string') : [];
  if (required.length > 0) return required.join(', ');
  return typesOf(way)[0] ?? `${index + 1}`;
}

function plainField(schema: Schema, type: string | undefined, reading: Reading): FormField {
  const bare = { label: '', detail: '', isNullable: false };
  switch (type) {
    case 'string':
      return { kind: 'text', ...bare, format: typeof schema['format'] === 'string' ? schema['format'] : '' };
    case 'number':
    case 'integer': {
      const { minimum, maximum } = schema;
      const limits = {
        ...(typeof minimum === 'number' ? { least: minimum } : {}),
        ...(typeof maximum === 'number' ? { most: maximum } : {}),
      };
      return { kind: 'number', ...bare, isInteger: type === 'integer', ...limits };
    }
    case 'boolean':
      return { kind: 'flag', ...bare };
    case 'array':
      return isRecord(schema['items']) && !Array.isArray(schema['prefixItems'])
        ? { kind: 'list', ...bare, item: fieldOf(schema['items'], '', reading) }
        : jsonField(schema);
    case 'object':
      return objectField(schema, reading);
    default:
      return jsonField(schema);
  }
}

function objectField(schema: Schema, reading: Reading): FormField {
  const bare = { label: '', detail: '', isNullable: false };
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
  const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
  if (properties.length > MAX_FIELDS) return jsonField(schema);
  // Without any of its own, what it has can only be written. The arguments of a tool without parameters are an empty object.
  if (properties.length === 0 && (reading.depth > 1 || isRecord(schema['additionalProperties'])))
    return jsonField(schema);
  const members = properties.map(([key, value]) => ({
    key,
    isRequired: required.has(key),
    field: fieldOf(value, key, reading),
  }));
  return { kind: 'object', ...bare, members };
}

function jsonField(schema: Schema): FormField {
  const blanks: Readonly<Record<string, Json>> = {
    object: {},
    array: [],
    string: '',
    number: 0,
    integer: 0,
    boolean: false,
  };
  const type = typesOf(schema).find((each) => Object.hasOwn(blanks, each));
  return { kind: 'json', label: '', detail: '', isNullable: false, blank: type === undefined ? null : blanks[type]! };
}

interface Base {
  readonly label: string;
  readonly detail: string;
  readonly isNullable: boolean;
  readonly initial?: Json;
}

function baseOf(schema: Schema, name: string): Base {
  const { title, description, default: initial } = schema;
  const label = typeof title === 'string' && title !== '' ? title : name;
  return {
    label: oneLine(label.slice(0, MAX_LABEL)),
    detail: typeof description === 'string' ? showInvisible(description.slice(0, MAX_DETAIL)) : '',
    isNullable: typesOf(schema).includes('null') || schema['nullable'] === true,
    ...(initial === undefined ? {} : { initial: initial as Json }),
  };
}

/** The values of an `enum`, a `const`, or of ways that are nothing but one each. */
function valuesOf(schema: Schema, reading: Reading): { readonly label: string; readonly value: Json }[] | undefined {
  const titled = (value: unknown, title: unknown): { readonly label: string; readonly value: Json } => {
    const text = isTooMuch(reading, 1) ? '' : textOf(value);
    isTooMuch(reading, text.length / TEXT_PER_WORK);
    const label = typeof title === 'string' && title !== '' ? title : text;
    return { label: oneLine(label.slice(0, MAX_LABEL)), value: value as Json };
  };
  if ('const' in schema) return [titled(schema['const'], undefined)];
  const { enum: values, enumNames: names } = schema;
  if (Array.isArray(values) && values.length <= MAX_OPTIONS)
    return values.map((value: unknown, index) => titled(value, Array.isArray(names) ? names[index] : undefined));
  const ways = waysOf(schema, reading)?.map((way) => resolved(way, reading).schema);
  if (!ways || ways.length === 0 || !ways.every((way) => 'const' in way)) return undefined;
  return ways.map((way) => titled(way['const'], way['title'] ?? way['description']));
}

/** Ways that say more than which members are needed: that much is left to the validation. */
function waysOf(schema: Schema, reading: Reading): readonly unknown[] | undefined {
  const ways = [schema['oneOf'], schema['anyOf']].find((each) => Array.isArray(each) && each.length > 0);
  if (!Array.isArray(ways) || ways.length > MAX_FIELDS) return undefined;
  const saysMore = (way: unknown): boolean =>
    Object.keys(resolved(way, reading).schema).some(
      (key) => !['required', 'not', 'title', 'description'].includes(key),
    );
  return ways.some(saysMore) ? ways : undefined;
}

/** A schema with what it refers to and all its parts (`allOf`) in it. */
function resolved(given: unknown, reading: Reading): { readonly schema: Schema; readonly reading: Reading } {
  let schema: Schema = isRecord(given) ? given : {};
  const inside = [...reading.inside];
  for (let found = referenceOf(schema); found; found = referenceOf(schema)) {
    const { reference } = found;
    if (isTooMuch(reading, sizeOf(schema) + inside.length + reference.length / TEXT_PER_WORK)) break;
    const goesRound = inside.filter((each) => each === reference).length > 1;
    const target = goesRound ? undefined : resolveReference(reading.root, reference);
    inside.push(reference);
    if (!isRecord(target)) return { schema: found.beside, reading: { ...reading, inside } };
    schema = { ...target, ...found.beside };
  }
  const parts = schema['allOf'];
  const isWhole = !Array.isArray(parts) || reading.depth > MAX_DEPTH;
  if (isTooMuch(reading, sizeOf(schema)) || isWhole || isTooMuch(reading, parts.length))
    return { schema, reading: { ...reading, inside } };
  const { allOf: _allOf, ...rest } = schema;
  const deeper = { ...reading, inside, depth: reading.depth + 1 };
  const merged = merge([rest, ...parts.map((part: unknown) => resolved(part, deeper).schema)], reading);
  return { schema: merged, reading: { ...reading, inside } };
}

/** What all of the schemas say: later ones win, members and what is required of all. */
function merge(schemas: readonly Schema[], reading: Reading): Schema {
  return schemas.reduce<Schema>((all, each) => {
    if (isTooMuch(reading, sizeOf(all) + sizeOf(each))) return all;
    const properties = isRecord(all['properties']) && isRecord(each['properties']);
    const required = Array.isArray(all['required']) && Array.isArray(each['required']);
    return {
      ...all,
      ...each,
      ...(properties ? { properties: { ...(all['properties'] as object), ...(each['properties'] as object) } } : {}),
      ...(required ? { required: [...(all['required'] as unknown[]), ...(each['required'] as unknown[])] } : {}),
    };
  }, {});
}

/** What it takes to go through a schema, but not what lies deeper: its keywords, its members and which of them are required. */
function sizeOf(schema: Schema): number {
  const { properties, required } = schema;
  const members = isRecord(properties) ? Object.keys(properties).length : 0;
  return 1 + Object.keys(schema).length + members + (Array.isArray(required) ? required.length : 0);
}

/** The types of a schema, those that it only implies included. */
function typesOf(schema: Schema): readonly string[] {
  const { type } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type) && type.length > MAX_TYPES) return [];
  if (Array.isArray(type)) return type.filter((each) => typeof each === 'string');
  if (isRecord(schema['properties'])) return ['object'];
  return schema['items'] === undefined ? [] : ['array'];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
