/**
 * The lines of a text that comes in pieces, without `\n` and a `\r` before it. Nothing else ends a line: `node:readline` breaks at
 * U+2028 and U+2029, too, which JSON may have in a string.
 * @param longest in characters: of a longer line, nothing is kept, and `undefined` stands for it
 */
export function linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string>;
export function linesOf(pieces: AsyncIterable<string>, longest: number): AsyncGenerator<string | undefined>;
export async function* linesOf(pieces: AsyncIterable<string>, longest = Infinity): AsyncGenerator<string | undefined> {
  let open: string[] = [];
  let length = 0;
  const lineOf = (last: string): string | undefined => {
    const line = length + last.length > longest ? undefined : withoutReturn(open.join('') + last);
    [open, length] = [[], 0];
    return line;
  };
  for await (const piece of pieces) {
    const parts = piece.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) yield lineOf(part);
    length += last.length;
    if (length > longest) open = [];
    else if (last !== '') open.push(last);
  }
  if (length > 0) yield lineOf('');
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
