import type { JsonObject } from '../../base/json/json.ts';
import type { Field, FieldValue } from './formFields.ts';

/** What came of asking for one field. */
export type FieldAnswer =
  | { readonly kind: 'value'; readonly value: FieldValue | undefined }
  | { readonly kind: 'back' }
  | { readonly kind: 'decline' }
  | { readonly kind: 'cancel' };

/** The other fields that have a value. */
export type FilledIn = ReadonlyMap<string, FieldValue>;

/**
 * Asks for the fields one after another; *back* leads to the one before, and before the first to the beginning.
 * @returns what was filled in, or how it ended
 */
export async function fillForm<F extends Pick<Field, 'name' | 'initial'>>(
  fields: readonly F[],
  ask: (field: F, index: number, known: FieldValue | undefined, others: FilledIn) => Promise<FieldAnswer>,
): Promise<JsonObject | 'back' | 'decline' | 'cancel'> {
  const values = new Map<string, FieldValue | undefined>();
  let index = 0;
  for (;;) {
    const field = fields[index];
    if (!field) break;
    const answer = await ask(
      field,
      index,
      values.has(field.name) ? values.get(field.name) : field.initial,
      filledIn(values, field),
    );
    if (answer.kind === 'cancel' || answer.kind === 'decline') return answer.kind;
    if (answer.kind === 'back') {
      if (index === 0) return 'back';
      index -= 1;
      continue;
    }
    values.set(field.name, answer.value);
    index += 1;
  }
  return Object.fromEntries(filledIn(values));
}

function filledIn(values: ReadonlyMap<string, FieldValue | undefined>, but?: { readonly name: string }): FilledIn {
  return new Map(
    [...values].filter((entry): entry is [string, FieldValue] => entry[1] !== undefined && entry[0] !== but?.name),
  );
}
