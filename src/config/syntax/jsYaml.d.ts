/** `js-yaml` ships no types: what is used here. */
declare module 'js-yaml' {
  export interface Schema {
    readonly __schema?: never;
  }
  export interface Options {
    readonly schema?: Schema;
    readonly maxDepth?: number;
  }
  export const FAILSAFE_SCHEMA: Schema;
  export const CORE_SCHEMA: Schema;
  export function loadAll(text: string, iterator: null, options?: Options): unknown[];
  export class YAMLException extends Error {
    readonly reason: string;
    readonly mark?: { readonly line: number };
  }
}
