import { matchesGlob } from '../servers/glob.ts';

/**
 * Whether `text` fits `pattern`, segment by segment as paths do: `*` and `?` stay within one segment, a segment `**` stands
 * for any number of them. Takes time linear in the product of the lengths at worst, whatever the text is.
 */
export function matchesPathGlob(text: string, pattern: string): boolean {
  const segments = text.split('/');
  const wanted = pattern.split('/');
  let at = 0;
  let star = -1;
  let retry = 0;
  let index = 0;
  while (index < segments.length) {
    const part = wanted[at];
    if (part === '**') {
      star = at;
      retry = index;
      at += 1;
    } else if (part !== undefined && matchesGlob(segments[index] ?? '', part)) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      index = retry;
    } else return false;
  }
  while (wanted[at] === '**') at += 1;
  return at === wanted.length;
}

/** Whether a text could lead out of the folder that it seems to be in: `..` as a segment, plain or percent-encoded. */
export function climbs(text: string): boolean {
  return /(^|[/\\])(\.|%2e)(\.|%2e)($|[/\\])/i.test(text.replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\'));
}
