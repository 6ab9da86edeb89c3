import { cleanText } from '../../../calls/results/cleanText.ts';
import type { Host } from '../../../host/host.ts';

/** A server's text as a model gets it: without what could hide in it, and within the limit for results. */
export async function modelText({ broker }: Pick<Host, 'broker'>, raw: string): Promise<string> {
  const { text, note } = cleanText(raw);
  const parts = await broker.limited([{ kind: 'text', text: note === undefined ? text : `${text}\n${note}` }]);
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}
