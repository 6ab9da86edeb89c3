import { showInvisible } from '../base/text/invisible.ts';

/**
 * A server's text for one line of a list or a title: without line breaks, invisible characters, `$(icon)` and link syntax, and
 * without the quotes that our texts put names in, which it could end.
 */
export function plainText(text: string): string {
  const line = withoutLinks(showInvisible(text.replaceAll(/[\r\n]+/g, ' ')));
  return line.replaceAll('$(', '$\u200a(').replaceAll(/[“”„‟]/g, '"');
}

/** A text for a notification or the message of an input, where the editor makes links of `[text](target)`, also such that run a command. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', ']\u200a(');
}

/**
 * A server's text where the editor renders Markdown and screen readers read its source: no link, image or code, and as
 * few escapes as possible. An address shows where it leads.
 */
export function linkless(text: string): string {
  return plainText(text).replaceAll(/[\\`[\]<&]/g, String.raw`\$&`);
}

/** A server's text as Markdown that shows exactly that text, on one line: no link, no format, nothing invisible. */
export function escaped(text: string): string {
  return showInvisible(text.replaceAll(/\s+/g, ' ')).replaceAll(/[\\`*_{}[\]()#+\-.!|<>~&:@]/g, String.raw`\$&`);
}

/** Inline code that nothing in the text can end. */
export function inlineCode(text: string): string {
  const clean = plainText(text);
  const fence = '`'.repeat(longestRun(clean) + 1);
  return `${fence} ${clean} ${fence}`;
}

/** A block of code that nothing in the text can end: its fence is longer than any in there. */
export function fenced(language: string, text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** How many backticks in a row the text has at most. */
function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
