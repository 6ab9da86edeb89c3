import type { FormField } from '../../forms/formField.ts';
import { isBoolean, isListOf, isMaybe, isNumber, isShape, isText, type Check } from './shapes.ts';

/** Whether a value is JSON. */
export const isJson: Check = (value) =>
  value === null ||
  isText(value) ||
  isBoolean(value) ||
  isNumber(value) ||
  isListOf(isJson)(value) ||
  isJsonObject(value);

const isJsonObject: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isJson);

type FieldOf<Kind extends FormField['kind']> = Extract<FormField, { readonly kind: Kind }>;

const any = { kind: isText, label: isText, detail: isText, isNullable: isBoolean, initial: isMaybe(isJson) };

const FIELDS: { readonly [Kind in FormField['kind']]: Check } = {
  object: isShape<FieldOf<'object'>>({
    ...any,
    members: isListOf(
      isShape<FieldOf<'object'>['members'][number]>({
        key: isText,
        isRequired: isBoolean,
        field: (value) => isFormField(value),
      }),
    ),
  }),
  list: isShape<FieldOf<'list'>>({ ...any, item: (value) => isFormField(value) }),
  choice: isShape<FieldOf<'choice'>>({
    ...any,
    options: isListOf(isShape<FieldOf<'choice'>['options'][number]>({ label: isText, value: isJson })),
  }),
  ways: isShape<FieldOf<'ways'>>({ ...any, ways: (value) => isListOf(isFormField)(value) }),
  text: isShape<FieldOf<'text'>>({ ...any, format: isText, proposals: isMaybe(isListOf(isText)) }),
  number: isShape<FieldOf<'number'>>({
    ...any,
    isInteger: isBoolean,
    least: isMaybe(isNumber),
    most: isMaybe(isNumber),
  }),
  flag: isShape<FieldOf<'flag'>>(any),
  json: isShape<FieldOf<'json'>>({ ...any, blank: isJson }),
};

/** Whether a value is a field of a form. */
export const isFormField: Check = (value) => {
  const kind = typeof value === 'object' && value !== null ? (value as { kind?: unknown }).kind : undefined;
  return typeof kind === 'string' && Object.hasOwn(FIELDS, kind) && FIELDS[kind as FormField['kind']](value);
};
