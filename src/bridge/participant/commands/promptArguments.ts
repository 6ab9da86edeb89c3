/** What the user typed after `/prompt`. */
export interface TypedPrompt {
  /** The prompt's name, or `server/name`. Empty where nothing was typed. */
  readonly name: string;
  readonly named: Readonly<Record<string, string>>;
  /** Words without a name, for the arguments in their order. */
  readonly words: readonly string[];
}

const WORD = /(?:([^\s="]+)=)?(?:"((?:[^"\\]|\\.)*)"|(\S+))|(\S+)/g;

/** Reads `NAME key=value key="two words" word`. Quotes hold words together; a backslash takes the next character. Pure. */
export function readTypedPrompt(text: string): TypedPrompt {
  const named: Record<string, string> = {};
  const words: string[] = [];
  for (const [whole, key, quoted, bare] of text.matchAll(WORD)) {
    const value = quoted === undefined ? (bare ?? whole) : quoted.replaceAll(/\\(.)/g, '$1');
    if (key !== undefined && words.length > 0) named[key] = value;
    else words.push(key === undefined ? value : whole);
  }
  const [name = '', ...rest] = words;
  return { name, named, words: rest };
}

/** Whether each argument is there: words go to those without a value in their order, the last one takes what is left. */
export function argumentValues(
  { named, words }: TypedPrompt,
  declared: readonly { readonly name: string }[],
): Record<string, string> {
  const known = declared.filter(({ name }) => Object.hasOwn(named, name));
  const values = Object.fromEntries(known.map(({ name }) => [name, named[name] ?? '']));
  const open = declared.filter(({ name }) => !Object.hasOwn(named, name));
  for (const [index, { name }] of open.entries()) {
    const value = index === open.length - 1 ? words.slice(index).join(' ') : words[index];
    if (value) values[name] = value;
  }
  return values;
}
