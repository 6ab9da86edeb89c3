import type { FieldSchema } from './fieldSchema.ts';
import { inSnippet, type Suggestion } from './suggestion.ts';
import type { TextPlace } from './textPlace.ts';

/**
 * Fields that can be written where a key is being written.
 * @param isFollowed a colon or `=` follows the key: only the name is replaced
 */
export function fieldSuggestions(
  place: TextPlace,
  fields: readonly FieldSchema[],
  syntax: 'jsonc' | 'toml',
  isFollowed: boolean,
): Suggestion[] {
  return fields.map((field) => {
    const key = syntax === 'jsonc' ? JSON.stringify(field.name) : field.name;
    const between = syntax === 'jsonc' ? ': ' : ' = ';
    return {
      kind: 'field',
      label: field.name,
      meaning: field.description,
      text: isFollowed ? inSnippet(key) : `${inSnippet(key)}${between}${valueSnippet(field, syntax)}`,
      isSnippet: true,
      replaced: place.token,
      filter: key,
    };
  });
}

function valueSnippet({ types, values }: FieldSchema, syntax: 'jsonc' | 'toml'): string {
  if (values.length > 0) return `"\${1|${values.map(({ value }) => value).join(',')}|}"`;
  switch (types[0]) {
    case 'string':
      return '"$1"';
    case 'array':
      return '["$1"]';
    case 'boolean':
      return '${1|true,false|}';
    case 'object':
      return syntax === 'jsonc' ? '{$1}' : '{ $1 }';
    default:
      return '$1';
  }
}

/** The values of a field that has few. */
export function valueSuggestions(place: TextPlace, { values, types }: FieldSchema): Suggestion[] {
  const words = types.includes('boolean') && values.length === 0 ? ['true', 'false'] : [];
  return [
    ...values.map(({ value, description }) => stringSuggestion(place, 'value', value, description)),
    ...(place.isQuoted ? [] : words).map((word): Suggestion => ({
      kind: 'value',
      label: word,
      text: word,
      isSnippet: false,
      replaced: place.token,
      filter: word,
    })),
  ];
}

/** A whole string in place of the one at hand, with its quotes. */
export function stringSuggestion(
  place: TextPlace,
  kind: Suggestion['kind'],
  value: string,
  detail?: string,
): Suggestion {
  const text = JSON.stringify(value);
  return {
    kind,
    label: value,
    ...(detail === undefined ? {} : { detail }),
    text,
    isSnippet: false,
    replaced: place.token,
    filter: text,
  };
}
