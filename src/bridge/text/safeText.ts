import { showInvisible } from '../../base/text/showInvisible.ts';

/**
 * A server's text for one line of a list or a title: without line breaks, invisible characters, `$(icon)` and link syntax, and
 * without the quotes that our texts, in any language, put names in, which it could end.
 */
export function plainText(text: string): string {
  return plainLine(text).replaceAll(/[“-‟«»「」]/g, '"');
}

/** The same, with quotes: for a value that stands in none of ours, its own are a part of it. */
export function plainLine(text: string): string {
  return withoutLinks(showInvisible(text.replaceAll(/[\r\n]+/g, ' '))).replaceAll('$(', '$\u200a(');
}

/** A text for a notification or the message of an input, where the editor makes links of `[text](target)`, also such that run a command. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200a(');
}

/** A server's text as Markdown that shows exactly that text, on one line: no link, no format, nothing invisible. */
export function escaped(text: string): string {
  return showInvisible(text.replaceAll(/\s+/g, ' ')).replaceAll(/[\\`*_{}[\]()#+\-.!|<>~&:@]/g, String.raw`\$&`);
}
