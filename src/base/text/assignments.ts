/** A longer text isn't one of settings, in UTF-16 units. */
const LONGEST = 64 * 1024;
/** Of one text, so many count. */
const MAX_FOUND = 100;

/** `name=value`, `name: value`, `--name value`, with or without quotes and braces: each run of a name is read once. */
const ASSIGNMENT =
  /(?<![\w.-])(?:--?([\w-]+)[ \t]+(?!-)|(\w[\w.-]*)[ \t]*([=:][ \t]*))(?:"([^"]{0,500})"|'([^']{0,500})'|\{([^}]{0,200})\}|([^\s;,&"'{}]+))/g;

/** A value with the name that it is set under. */
export interface Assignment {
  readonly name: string;
  readonly value: string;
  /** Written as `name: value`, without quotes, as a sentence has it, too. */
  readonly mayBeProse: boolean;
}

/**
 * What a text sets, as connection strings, lists of options, headers and files of settings do.
 * @param names those that count
 */
export function assignments(text: string, names: RegExp): Assignment[] {
  if (text.length > LONGEST || !/[=:\s]/.test(text)) return [];
  const found: Assignment[] = [];
  for (const [, option, name = option ?? '', sign = '', ...values] of text.matchAll(ASSIGNMENT)) {
    const value = values.find((each) => each !== undefined) ?? '';
    const mayBeProse = /^:[ \t]/.test(sign) && values.at(-1) !== undefined;
    if (names.test(name)) found.push({ name, value, mayBeProse });
    if (found.length === MAX_FOUND) break;
  }
  return found;
}
