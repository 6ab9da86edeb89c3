import { jsonWeight } from '../../base/json/jsonWeight.ts';
import type { ContentBlock, ToolCallResult } from '../connectionTypes.ts';

/** What a model gets of an error ends long before; see `jsonWeight`. */
const MAX_WEIGHT = 64 * 1024;

/** The result of a call that failed, as far as anybody reads it: its first texts, and what else is short. */
export function errorWithEnd(result: ToolCallResult): ToolCallResult {
  if (jsonWeight(result, MAX_WEIGHT) <= MAX_WEIGHT) return result;
  const content: ContentBlock[] = [];
  let room = MAX_WEIGHT;
  for (const block of result.content) {
    if (room <= 0) break;
    const { text } = block;
    const kept = typeof text === 'string' ? { ...block, text: text.slice(0, room) } : block;
    const weight = jsonWeight(kept, 2 * MAX_WEIGHT);
    if (weight > 2 * MAX_WEIGHT) continue;
    content.push(kept);
    room -= weight;
  }
  const { structuredContent } = result;
  const isShort = structuredContent !== undefined && jsonWeight(structuredContent, MAX_WEIGHT) <= MAX_WEIGHT;
  return { content, isError: true, ...(isShort ? { structuredContent } : {}) };
}
