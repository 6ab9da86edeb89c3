import type { Verbatim } from '../../../base/say.ts';
import { oneLine } from '../../../base/text/showInvisible.ts';

/** A text of a definition as part of a line: as it is, and in quotes where one couldn't see where it ends. */
export function quoted(text: string): string {
  return text === '' || /[\s"'\p{Zs}\u2800]/u.test(text) ? oneLine(JSON.stringify(text)) : oneLine(text);
}

/** The same within a text that is said: no translation touches it. */
export function written(text: string): Verbatim {
  return { verbatim: quoted(text) };
}

/** Several, with what stands between them. */
export function writtenAll(texts: readonly string[], between = ', '): Verbatim {
  return { verbatim: texts.map(quoted).join(between) };
}
