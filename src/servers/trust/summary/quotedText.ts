import { oneLine } from '../../../base/text/invisible.ts';

/** A text of a definition as part of a line: as it is, and in quotes where one couldn't see where it ends. */
export function quoted(text: string): string {
  return text === '' || /[\s"'\p{Zs}\u2800]/u.test(text) ? oneLine(JSON.stringify(text)) : oneLine(text);
}
