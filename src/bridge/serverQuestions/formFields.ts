import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';

/** A value that a form can hold (specification: elicitation, *Requested Schema*). */
export type FieldValue = string | number | boolean | readonly string[];

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

interface FieldBase {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
  readonly initial?: FieldValue;
}

/** One field of a form, by how it is asked for. */
export type Field = FieldBase &
  (
    | { readonly kind: 'text'; readonly schema: JsonObject }
    | { readonly kind: 'number'; readonly schema: JsonObject }
    | { readonly kind: 'boolean' }
    | { readonly kind: 'choice'; readonly options: readonly FieldOption[] }
    | {
        readonly kind: 'choices';
        readonly options: readonly FieldOption[];
        readonly least: number;
        readonly most: number;
      }
  );

/** Why a text is not a value: what to write, by rule. */
export type FieldMistake =
  | { readonly rule: 'required' | 'number' | 'integer' }
  | { readonly rule: 'minimum' | 'maximum' | 'minLength' | 'maxLength'; readonly limit: number }
  | { readonly rule: 'format'; readonly format: string };

/** The fields of a form in the server's order; what has a type that forms don't have is left out. */
export function fieldsOf(requestedSchema: unknown): readonly Field[] {
  if (!isRecord(requestedSchema) || !isRecord(requestedSchema['properties'])) return [];
  const { required, properties } = requestedSchema;
  const names = Array.isArray(required) ? (required as unknown[]) : [];
  return Object.entries(properties)
    .map(([name, schema]) => (isRecord(schema) ? fieldOf(name, schema as JsonObject, names.includes(name)) : undefined))
    .filter((field) => field !== undefined);
}

function fieldOf(name: string, schema: JsonObject, required: boolean): Field | undefined {
  const base = {
    name,
    title: textOf(schema['title']) ?? name,
    required,
    ...(textOf(schema['description']) === undefined ? {} : { description: textOf(schema['description']) ?? '' }),
    ...(isFieldValue(schema['default']) ? { initial: schema['default'] } : {}),
  };
  const options = optionsOf(schema);
  switch (schema['type']) {
    case 'string':
      return options ? { ...base, kind: 'choice', options } : { ...base, kind: 'text', schema };
    case 'number':
    case 'integer':
      return { ...base, kind: 'number', schema };
    case 'boolean':
      return { ...base, kind: 'boolean' };
    case 'array': {
      const { items } = schema;
      const several = isRecord(items) ? optionsOf(items) : undefined;
      if (!several) return undefined;
      const most = numberOf(schema['maxItems']) ?? several.length;
      return { ...base, kind: 'choices', options: several, least: numberOf(schema['minItems']) ?? 0, most };
    }
    default:
      return undefined;
  }
}

/** `enum` with `enumNames`, or `oneOf`/`anyOf` of `const` and `title`. */
function optionsOf(schema: Readonly<Record<string, unknown>>): readonly FieldOption[] | undefined {
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled)) {
    const options: readonly unknown[] = titled;
    return options.filter(isRecord).map((each) => ({
      value: textOf(each['const']) ?? '',
      label: textOf(each['title']) ?? textOf(each['const']) ?? '',
    }));
  }
  if (!Array.isArray(schema['enum'])) return undefined;
  const names = Array.isArray(schema['enumNames']) ? (schema['enumNames'] as readonly JsonValue[]) : [];
  return (schema['enum'] as readonly JsonValue[]).flatMap((value, index) =>
    typeof value === 'string' ? [{ value, label: textOf(names[index]) ?? value }] : [],
  );
}

const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: isDate,
  // RFC 3339, 5.6, as JSON Schema means it: to the second, with an offset.
  'date-time': (text) => {
    const [, date = ''] = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.exec(text) ?? [];
    return isDate(date) && !Number.isNaN(Date.parse(text));
  },
};

/** A day that there is: `Date` takes a February 30th for March 1st. */
function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** What is wrong with a text for a field that is typed; nothing typed is right where nothing is required. */
export function mistakeIn(field: Extract<Field, { kind: 'text' | 'number' }>, text: string): FieldMistake | undefined {
  if (text === '') return field.required ? { rule: 'required' } : undefined;
  return field.kind === 'number' ? numberMistake(field.schema, text) : textMistake(field.schema, text);
}

function numberMistake(schema: JsonObject, text: string): FieldMistake | undefined {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) return { rule: 'number' };
  if (schema['type'] === 'integer' && !Number.isInteger(value)) return { rule: 'integer' };
  const minimum = numberOf(schema['minimum']);
  if (minimum !== undefined && value < minimum) return { rule: 'minimum', limit: minimum };
  const maximum = numberOf(schema['maximum']);
  return maximum !== undefined && value > maximum ? { rule: 'maximum', limit: maximum } : undefined;
}

function textMistake(schema: JsonObject, text: string): FieldMistake | undefined {
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = Array.from(text);
  const minLength = numberOf(schema['minLength']);
  if (minLength !== undefined && length < minLength) return { rule: 'minLength', limit: minLength };
  const maxLength = numberOf(schema['maxLength']);
  if (maxLength !== undefined && length > maxLength) return { rule: 'maxLength', limit: maxLength };
  const format = textOf(schema['format']);
  const check = format !== undefined && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return format !== undefined && check && !check(text) ? { rule: 'format', format } : undefined;
}

/**
 * What was chosen of several, if the field takes as many; nothing chosen of a field that isn't needed, and that takes no
 * empty list, is no value.
 * @returns `undefined` where it takes more or fewer
 */
export function valueOfChoices(
  { required, least, most }: Extract<Field, { kind: 'choices' }>,
  chosen: readonly string[],
): { readonly value: FieldValue | undefined } | undefined {
  if (chosen.length === 0 && !required && least > 0) return { value: undefined };
  return chosen.length >= least && chosen.length <= most ? { value: chosen } : undefined;
}

/** The value of a text without a mistake; `undefined`: nothing typed. */
export function valueOfText(field: Extract<Field, { kind: 'text' | 'number' }>, text: string): FieldValue | undefined {
  if (text === '') return undefined;
  return field.kind === 'number' ? Number(text) : text;
}

function isFieldValue(value: unknown): value is FieldValue {
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
