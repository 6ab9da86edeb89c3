/** The templates of the texts that code says (src/base/say.ts), with `{0}` for each value; not those without a word of their own. */
export function saidIn(code: string): string[];
