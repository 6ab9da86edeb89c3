export type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isNumber: Check = (value) => Number.isFinite(value);

export const isOneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

export const isMaybe =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

export const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Each member as its check says. A member of `T` without one doesn't type-check. */
export const isShape =
  <T>(members: { readonly [Key in keyof Required<T>]: Check }): Check =>
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(members).every(([key, check]) => check((value as Record<string, unknown>)[key]));
