import type { Json } from '../../forms/formField.ts';

/** A field of one line would lose the lines of a text that has several. */
export function fitsLine(value: Json | undefined): boolean {
  return typeof value !== 'string' || !/[\r\n]/.test(value);
}
