import { dropOldest } from './data/dropOldest.ts';

/** A text of the core in its parts: what a translation is looked up by (`{0}` for each value), and the values in it. */
export interface Said {
  readonly template: string;
  readonly values: readonly (string | Verbatim)[];
  /** Its first letter is changed, also in a translation. */
  readonly recase?: (first: string) => string;
}

/** A value that no translation touches, even where it reads as a text of ours: what others wrote, and a user decides about. */
export interface Verbatim {
  readonly verbatim: string;
}

/** So many texts are remembered, the latest. */
const MAX_SAID = 1_000;
/** Longer texts aren't, in UTF-16 units: they quote others. */
const LONGEST_SAID = 2_000;

/** V8 copies shorter texts, in UTF-16 units. */
const SHORTEST_SLICE = 13;

/** Only a memory of what the function below has made of its arguments: without it, a text shows in English. */
const said = new Map<string, Said>();
/** The texts that have no values: as many as the code has. */
const plain = new Map<string, Said>();

/**
 * A text of the core that users read, as the tag of a template. It is English, as models and logs get it, and stays a plain text. Where
 * a user reads it, `bridge/text/localized.ts` gives it in their language; what is said in its values is translated, too.
 */
export function say(parts: TemplateStringsArray, ...given: readonly unknown[]): string {
  if (given.length === 0) return plainly(String(parts[0]));
  const values = given.map((value) => (isVerbatim(value) ? value : String(value)));
  const text = String.raw({ raw: parts }, ...values.map((value) => (isVerbatim(value) ? value.verbatim : value)));
  // One that is its own value would be translated without end.
  if (values.includes(text)) return text;
  return remembered(text, { template: parts.reduce((before, part, at) => `${before}{${at - 1}}${part}`), values });
}

function isVerbatim(value: unknown): value is Verbatim {
  return (value as Verbatim | undefined)?.verbatim !== undefined;
}

function plainly(text: string): string {
  if (!plain.has(text)) plain.set(text, { template: text, values: [] });
  return text;
}

/** A clause with another first letter: as a sentence, or within one. */
export function recased(text: string, recase: (first: string) => string): string {
  const changed = withFirst(text, recase);
  const parts = saidParts(text);
  return parts ? remembered(changed, { ...parts, recase }) : changed;
}

/** The text in English, or a translation of it, with its first letter as it has to be. */
export function withFirst(text: string, recase: (first: string) => string): string {
  return recase(text.charAt(0)) + text.slice(1);
}

function remembered(text: string, parts: Said): string {
  if (text.length > LONGEST_SAID) return text;
  // Copies that hold nothing but themselves: a slice in V8 keeps the whole text in memory that it was cut from. Short ones are none.
  const isOwn = parts.values.every((value) => typeof value === 'string' && value.length < SHORTEST_SLICE);
  const [key, values] = isOwn ? [text, parts.values] : structuredClone([text, parts.values] as const);
  said.delete(key);
  said.set(key, { ...parts, values });
  dropOldest(said, MAX_SAID);
  return text;
}

/** What a text was made of; `undefined` for a text of others, a long one, and one that was said too long ago. */
export function saidParts(text: string): Said | undefined {
  return plain.get(text) ?? said.get(text);
}
