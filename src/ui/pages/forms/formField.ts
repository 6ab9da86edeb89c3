/** A JSON value, as a page has it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

interface AnyField {
  readonly label: string;
  /** What the schema says of it; empty where it says nothing. */
  readonly detail: string;
  readonly isNullable: boolean;
  /** What a form begins with; absent: nothing. */
  readonly initial?: Json;
}

/** What a form asks for, made of a JSON schema. */
export type FormField =
  ObjectField | ListField | ChoiceField | WaysField | TextField | NumberField | FlagField | JsonField;

export interface ObjectField extends AnyField {
  readonly kind: 'object';
  readonly members: readonly { readonly key: string; readonly isRequired: boolean; readonly field: FormField }[];
}

export interface ListField extends AnyField {
  readonly kind: 'list';
  readonly item: FormField;
}

/** One of several values, each with its title. */
export interface ChoiceField extends AnyField {
  readonly kind: 'choice';
  readonly options: readonly { readonly label: string; readonly value: Json }[];
}

/** One of several forms (`oneOf`, `anyOf`, several types). */
export interface WaysField extends AnyField {
  readonly kind: 'ways';
  readonly ways: readonly FormField[];
}

export interface TextField extends AnyField {
  readonly kind: 'text';
  /** As in JSON Schema, e.g. `date-time`; empty: any text. */
  readonly format: string;
  /** Texts of one line to choose from; any other can be written. */
  readonly proposals?: readonly string[];
}

export interface NumberField extends AnyField {
  readonly kind: 'number';
  readonly isInteger: boolean;
  readonly least?: number;
  readonly most?: number;
}

export interface FlagField extends AnyField {
  readonly kind: 'flag';
}

/** Whatever else a schema allows: written as JSON. */
export interface JsonField extends AnyField {
  readonly kind: 'json';
  /** A value of the type that the schema wants, to begin with. */
  readonly blank: Json;
}
