import { showInvisible } from '../base/invisible.ts';

/** A server's text for one line of a list or a title: without line breaks, invisible characters and `$(icon)` syntax. */
export function plainText(text: string): string {
  return showInvisible(text.replaceAll(/[\r\n]+/g, ' ')).replaceAll('$(', '$\u200a(');
}

/**
 * A text of somebody else where the editor renders Markdown, and screen readers read its source: no link, picture or code,
 * and as little escaped as can be. An address shows where it leads.
 */
export function linkless(text: string): string {
  return plainText(text).replaceAll(/[\\`[\]<&]/g, String.raw`\$&`);
}
