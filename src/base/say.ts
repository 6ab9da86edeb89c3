/** A text of the core in its parts: what a translation is looked up by (`{0}` for each value), and the values in it. */
export interface Said {
  readonly template: string;
  readonly values: readonly string[];
  /** Its first letter is changed, also in a translation. */
  readonly recase?: (first: string) => string;
}

/** So many texts are remembered, the latest. */
const MAX_SAID = 1_000;

/** Only a memory of what the function below has made of its arguments: without it, a text shows in English. */
const said = new Map<string, Said>();

/**
 * A text of the core that users read, as the tag of a template. It is English, as models and logs get it, and stays a plain text. Where
 * a user reads it, `bridge/localized.ts` gives it in their language; what is said in its values is translated, too.
 */
export function say(parts: TemplateStringsArray, ...given: readonly unknown[]): string {
  const values = given.map(String);
  const text = parts.reduce((before, part, at) => before + (values[at - 1] ?? '') + part);
  return remembered(text, { template: parts.reduce((before, part, at) => `${before}{${at - 1}}${part}`), values });
}

/** A clause with another first letter: as a sentence, or within one. */
export function recased(text: string, recase: (first: string) => string): string {
  const changed = withFirst(text, recase);
  const parts = said.get(text);
  return parts ? remembered(changed, { ...parts, recase }) : changed;
}

/** The text in English, or a translation of it, with its first letter as it has to be. */
export function withFirst(text: string, recase: (first: string) => string): string {
  return recase(text.charAt(0)) + text.slice(1);
}

function remembered(text: string, parts: Said): string {
  said.delete(text);
  said.set(text, parts);
  const [oldest] = said.size > MAX_SAID ? said.keys() : [];
  if (oldest !== undefined) said.delete(oldest);
  return text;
}

/** What a text was made of; `undefined` for a text of others, and one that was said too long ago. */
export function saidParts(text: string): Said | undefined {
  return said.get(text);
}
