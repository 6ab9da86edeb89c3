/** Something wrong in `toolOverrides`, custom tools or rules of an entry: where, what, and how to mend it. */
export interface ToolRuleProblem {
  readonly code:
    'invalid-override' | 'unknown-tool' | 'not-tightening' | 'invalid-custom-tool' | 'name-taken' | 'invalid-rule';
  /** JSON pointer inside the value at hand, e.g. `/delete_note/readOnly`. */
  readonly pointer: string;
  /** One sentence. */
  readonly message: string;
  /** One sentence: what to do. */
  readonly fix: string;
}

/** A JSON pointer of these tokens. */
export function pointerOf(...tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
