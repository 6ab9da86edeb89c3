/** How long a piece is, in characters: what is done with one takes a millisecond or two. */
const PIECE_CHARS = 32 * 1024;
/** The end of a line is looked for so far back. */
const LINE_CHARS = 4 * 1024;

/** A text in pieces, to do in steps what looks at a few characters at a time; a short one is a single piece. */
export function* textPieces(text: string): Generator<string, void, undefined> {
  if (text.length <= PIECE_CHARS) return yield text;
  for (let from = 0; from < text.length;) {
    const end = endOfPiece(text, from + PIECE_CHARS);
    yield text.slice(from, end);
    from = end;
  }
}

/** Where a piece ends that should end here: behind a line, else within no character and no end of a line. */
function endOfPiece(text: string, near: number): number {
  if (near >= text.length) return text.length;
  const line = text.slice(near - LINE_CHARS, near).lastIndexOf('\n');
  if (line >= 0) return near - LINE_CHARS + line + 1;
  const isWithin = /[\n\udc00-\udfff]/.test(text.charAt(near));
  return isWithin ? near + 1 : near;
}
