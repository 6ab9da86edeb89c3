import { fitsStarred, matchesGlob } from '../../servers/glob.ts';

/**
 * Whether `text` fits `pattern`, segment by segment as paths do: `*` and `?` stay within one segment, a segment `**` stands
 * for any number of them. Takes time linear in the product of the lengths at worst, whatever the text is.
 */
export function matchesPathGlob(text: string, pattern: string): boolean {
  return fitsStarred(text.split('/'), pattern.split('/'), '**', matchesGlob);
}

/** Whether a text could lead out of the folder that it seems to be in: `..` as a segment, plain or percent-encoded. */
export function climbs(text: string): boolean {
  return /(^|[/\\])(\.|%2e)(\.|%2e)($|[/\\])/i.test(text.replaceAll(/%2f/gi, '/').replaceAll(/%5c/gi, '\\'));
}
