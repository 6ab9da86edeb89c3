/**
 * The lines of a text that comes in pieces, without `\n` and a `\r` before it. Nothing else ends a line: `node:readline` breaks at
 * U+2028 and U+2029, too, which JSON may have in a string.
 */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  for await (const piece of pieces) {
    const parts = piece.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) {
      yield withoutReturn(open.length === 0 ? part : open.join('') + part);
      open = [];
    }
    if (last !== '') open.push(last);
  }
  if (open.length > 0) yield withoutReturn(open.join(''));
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
