import type { FormField, Json } from './formField.ts';

/** Where a value stands in another: keys of objects, places in lists. */
export type Path = readonly (string | number)[];

/** What a form begins with: defaults, and the objects that are needed. `undefined`: nothing. Pure, as all here. */
export function initialValue(field: FormField): Json | undefined {
  if (field.initial !== undefined) return field.initial;
  if (field.kind === 'choice' && field.options.length === 1) return field.options[0]!.value;
  if (field.kind !== 'object') return undefined;
  const members = field.members.flatMap(({ key, isRequired, field: each }): [string, Json][] => {
    const value = isRequired || each.initial !== undefined ? neededValue(each, isRequired) : undefined;
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(members);
}

function neededValue(field: FormField, isRequired: boolean): Json | undefined {
  const value = initialValue(field);
  if (value !== undefined || !isRequired) return value;
  switch (field.kind) {
    case 'list':
      return [];
    case 'flag':
      return false;
    case 'json':
      return field.blank ?? undefined;
    default:
      return undefined;
  }
}

/** What a new item of a list, or another way, begins with: so that there is something to fill in. */
export function blankValue(field: FormField): Json {
  const value = neededValue(field, true);
  if (value !== undefined) return value;
  switch (field.kind) {
    case 'text':
      return '';
    case 'number':
      return field.least ?? 0;
    case 'choice':
      return field.options[0]?.value ?? null;
    case 'ways':
      return field.ways[0] ? blankValue(field.ways[0]) : null;
    default:
      return null;
  }
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((outer, key) => memberOf(outer, key), value);
}

/** The value with another at the path; `undefined` takes it out. What lies between and isn't there yet is made. */
export function withValue(value: Json | undefined, path: Path, next: Json | undefined): Json | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  const inner = withValue(memberOf(value, key), rest, next);
  if (typeof key === 'number') {
    const list = Array.isArray(value) ? (value as readonly Json[]) : [];
    return inner === undefined
      ? list.filter((_each, at) => at !== key)
      : [...list.slice(0, key), inner, ...list.slice(key + 1)];
  }
  const members = isObject(value) ? Object.entries(value) : [];
  if (inner === undefined) return Object.fromEntries(members.filter(([name]) => name !== key));
  const isThere = members.some(([name]) => name === key);
  return Object.fromEntries(
    isThere ? members.map(([name, each]) => [name, name === key ? inner : each]) : [...members, [key, inner]],
  );
}

/** Which of the ways a value goes: the first that fits it best; 0 where none does. */
export function wayOf(ways: readonly FormField[], value: Json | undefined): number {
  const fits = ways.map((way) => fitOf(way, value));
  return Math.max(0, fits.indexOf(Math.max(...fits)));
}

/** How well a value fits: below 0 not at all, else one for each member that the field knows. */
function fitOf(field: FormField, value: Json | undefined): number {
  if (value === undefined) return 0;
  if (value === null) return field.isNullable || field.kind === 'json' ? 1 : -1;
  switch (field.kind) {
    case 'object':
      return isObject(value) ? objectFit(field, value) : -1;
    case 'list':
      return Array.isArray(value) ? Math.min(1, ...value.map((each: Json) => fitOf(field.item, each))) : -1;
    case 'choice':
      return field.options.some((option) => isSame(option.value, value)) ? 2 : -1;
    case 'ways':
      return Math.max(-1, ...field.ways.map((way) => fitOf(way, value)));
    case 'text':
      return typeof value === 'string' ? 1 : -1;
    case 'number':
      return typeof value === 'number' && (!field.isInteger || Number.isInteger(value)) ? 1 : -1;
    case 'flag':
      return typeof value === 'boolean' ? 1 : -1;
    case 'json':
      return 0;
  }
}

function objectFit(
  { members }: Extract<FormField, { kind: 'object' }>,
  value: { readonly [key: string]: Json },
): number {
  const known = members.map(({ key, isRequired, field }) => {
    if (!Object.hasOwn(value, key)) return isRequired ? -0.5 : 0;
    return fitOf(field, value[key]) < 0 ? -100 : 1;
  });
  return known.reduce<number>((sum, each) => sum + each, 0.5);
}

/** Whether two values are the same JSON, whatever the order of members. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each: Json, at) => isSame(each, other[at] as Json));
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
  );
}

/** What a person writes, as JSON; `undefined` where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberOf(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof key === 'number') return Array.isArray(value) ? (value as readonly Json[])[key] : undefined;
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
