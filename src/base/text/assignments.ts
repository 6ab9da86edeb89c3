/** A longer text isn't one of settings, in UTF-16 units. */
const LONGEST = 64 * 1024;
/** Of one text, so many count. */
const MAX_FOUND = 100;

/** `name=value`, `name: value`, `--name value`, with or without quotes and braces: each run of a name is read once. */
const ASSIGNMENT =
  /(?<![\w.-])(?:--?([\w-]+)[ \t]+(?!-)|(\w[\w.-]*)[ \t]*[=:][ \t]*)(?:"([^"]{0,500})"|'([^']{0,500})'|\{([^}]{0,200})\}|([^\s;,&"'{}]+))/g;

/**
 * What a text sets, as connection strings, lists of options, headers and files of settings do.
 * @param names those that count
 * @returns names with their values
 */
export function assignments(text: string, names: RegExp): (readonly [name: string, value: string])[] {
  if (text.length > LONGEST || !/[=:\s]/.test(text)) return [];
  const found: (readonly [string, string])[] = [];
  for (const [, option, name = option ?? '', ...values] of text.matchAll(ASSIGNMENT)) {
    if (names.test(name)) found.push([name, values.find((value) => value !== undefined) ?? '']);
    if (found.length === MAX_FOUND) break;
  }
  return found;
}
