import { SwitchboardError } from '../../base/errors.ts';
import { cleanText } from './cleanText.ts';

/** The longest text of an error that reaches the model, in UTF-16 units. */
export const MAX_ERROR_LENGTH = 11_000;

/** A text cut to what an error may have. */
export function cutError(text: string): string {
  return text.length <= MAX_ERROR_LENGTH ? text : `${text.slice(0, MAX_ERROR_LENGTH - 20)}… (cut)`;
}

/**
 * An error as a model may read it: servers write parts of many (protocol errors, last lines of stderr), so nothing hides
 * in it and it has an end.
 */
export function forModel(error: unknown): unknown {
  if (!(error instanceof SwitchboardError)) return error;
  const { code, message, remedy, cause } = error;
  const text = cutError(cleanText(message).text);
  if (text === message) return error;
  return new SwitchboardError(code, text, { ...(remedy === undefined ? {} : { remedy }), cause: cause ?? error });
}
