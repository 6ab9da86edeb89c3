/** How a path begins that Windows knows: a drive, a relative folder, the home folder, a variable. */
const PATH_START = /(?<![\w\\])(?:[A-Za-z]:|\.{1,2}|~|%\w+%|\$\{[\w:]+\})(?=\\)/g;

/**
 * The literal as it was meant, where its escapes are the lone backslashes of a Windows path (`"c:\temp\bin"` is read as a
 * tab and a backspace); `undefined` where nothing says so.
 * @param literal a string of JSON or TOML with its double quotes
 */
export function withPathEscapes(literal: string): string | undefined {
  if (!literal.startsWith('"') || !/\\[bfnrt]/.test(literal)) return undefined;
  const isPath = [...literal.matchAll(PATH_START)].some(({ index, 0: start }) => {
    const rest = /^[^\s"'<>|;]*/.exec(literal.slice(index + start.length))?.[0] ?? '';
    return /\\[bfnrt]/.test(rest.replaceAll('\\\\', '/'));
  });
  // Nobody writes a backspace or a form feed on purpose.
  const isOdd = /\\[bf]/.test(literal.replaceAll('\\\\', '/'));
  return isPath || isOdd ? withDoubledBackslashes(literal) : undefined;
}

/** A literal in which each backslash means one; those before a quote and those that are doubled stay. */
export function withDoubledBackslashes(literal: string): string {
  return literal.replaceAll(/\\[\\"]?/g, (found) => (found === '\\' ? '\\\\' : found));
}
