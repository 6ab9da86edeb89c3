import { showInvisible } from '../../base/text/invisible.ts';
import { withoutLinks } from './safeText.ts';

/** What `plainText` makes of a text, but for a value that stands in no quotes of ours: its own are a part of it. */
export function plainValue(text: string): string {
  return withoutLinks(showInvisible(text.replaceAll(/[\r\n]+/g, ' '))).replaceAll('$(', '$\u200a(');
}
