import type { JsonSchemaValidator } from '@modelcontextprotocol/client';

/**
 * Stands in for `@modelcontextprotocol/client/_shims` in the bundle, so that the SDK's own JSON Schema engine stays out
 * of it: tool arguments and results are checked by `calls/`, once.
 */

/** Node reports no cross-origin failures. */
export const CORS_IS_POSSIBLE = false;

/** A validator that accepts everything. */
export class DefaultJsonSchemaValidator {
  getValidator<T>(): JsonSchemaValidator<T> {
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  }
}
