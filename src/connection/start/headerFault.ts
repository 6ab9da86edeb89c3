import { say } from '../../base/say.ts';
/** A header that HTTP can't carry. */
export interface HeaderFault {
  /** A sentence that names the header, never its value. */
  readonly what: string;
  readonly remedy: string;
}

/** A field name is a token (RFC 9110, section 5.6.2). */
const NOT_IN_NAME = /[^!#$%&'*+\-.^_`|~0-9A-Za-z]/;
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/u;
const MAX_NAME_CHARS = 60;

/**
 * The first header whose name or value HTTP can't carry (RFC 9110, section 5.5; the Fetch standard takes what fits in
 * Latin-1). Pure. Of a bad name only what comes before the bad character is shown: the rest may be a value.
 */
export function headerFault(headers: Readonly<Record<string, string>>): HeaderFault | undefined {
  for (const [name, value] of Object.entries(headers)) {
    const badAt = name.search(NOT_IN_NAME);
    if (name === '' || badAt >= 0) {
      const shown = name.slice(0, Math.min(badAt, MAX_NAME_CHARS));
      const which = badAt > 0 ? say`The header name that begins with "${shown}"` : say`The name of a header`;
      const why =
        name === '' ? say`is empty` : say`contains ${nameOf(name.charAt(badAt))}, which HTTP doesn't allow there`;
      return { what: `${which} ${why}.`, remedy: say`Correct the name under "headers".` };
    }
    // Spaces and line ends around a value aren't sent.
    const bad = NOT_IN_VALUE.exec(value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, ''))?.[0];
    if (bad === undefined) continue;
    const shown = name.slice(0, MAX_NAME_CHARS);
    return {
      what: say`The value of the header "${shown}" contains ${nameOf(bad)}, which HTTP can't send.`,
      remedy: say`Correct the value, or the variable that it comes from.`,
    };
  }
  return undefined;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n' || character === '\r') return say`a line break`;
  if (character === ' ') return 'a space';
  if (character === ':') return 'a colon';
  if (code < 0x20 || code === 0x7f) return say`a control character`;
  return code > 0xff ? say`a character outside of Latin-1, such as a typographic quote` : say`a character`;
}
