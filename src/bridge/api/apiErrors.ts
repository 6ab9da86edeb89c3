import type { ApiError } from '../../api.d.ts';
import { SwitchboardError, messageOf } from '../../base/errors.ts';

/** What other extensions get of anything thrown: a plain error with a code. */
export function apiError(error: unknown): ApiError {
  const code = error instanceof SwitchboardError ? error.code : 'internal';
  const problems =
    typeof error === 'object' && error !== null ? (Reflect.get(error, 'problems') as unknown) : undefined;
  return Object.assign(new Error(messageOf(error), { cause: error }), {
    code,
    ...(Array.isArray(problems) ? { problems: problems as ApiError['problems'] } : {}),
  }) as ApiError;
}

/**
 * An argument that has to be a function, as `textOf` has texts.
 * @throws SwitchboardError `invalid-arguments`
 */
export function functionOf<T extends (...args: never[]) => unknown>(value: T, name: string): T {
  if (typeof value === 'function') return value;
  throw new SwitchboardError('invalid-arguments', `\`${name}\` has to be a function.`, { remedy: 'See docs/api.md.' });
}

/**
 * An argument that has to be a text: nothing makes sure that another extension gives one.
 * @throws SwitchboardError `invalid-arguments`
 */
export function textOf(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new SwitchboardError('invalid-arguments', `\`${name}\` has to be a text.`, { remedy: 'See docs/api.md.' });
}
