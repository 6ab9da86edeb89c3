import { plainLine, plainText } from './safeText.ts';

/**
 * A server's text where the editor renders Markdown and screen readers read its source: no link, image or code, and as
 * few escapes as possible. An address shows where it leads.
 */
export function linkless(text: string): string {
  return plainText(text).replaceAll(/[\\`[\]<&]/g, String.raw`\$&`);
}

/** The same of a text of several lines. */
export function linklessLines(text: string): string {
  return text.split(/\r?\n/).map(linkless).join('\n');
}

/** Inline code that nothing in the text can end. */
export function inlineCode(text: string): string {
  const clean = plainLine(text);
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
