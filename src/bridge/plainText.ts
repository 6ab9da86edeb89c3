import { showInvisible } from '../calls/argumentText.ts';

/** A server's text for one line of a list or a title: without line breaks, invisible characters and `$(icon)` syntax. */
export function plainText(text: string): string {
  return showInvisible(text.replaceAll(/[\r\n]+/g, ' ')).replaceAll('$(', '$\u200a(');
}
