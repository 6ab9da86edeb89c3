import { parseExact } from '../../base/json/exactJson.ts';
import { isExactNumber } from '../../base/json/exactNumber.ts';
import { isRecord, stableStringify } from '../../base/json/json.ts';

type Texts = readonly { readonly text: string }[];

/**
 * The only text where it is the JSON of a value, without blanks and with its numbers as they are written there;
 * `undefined`: it is something else.
 */
export function jsonOf(texts: Texts, value: unknown): string | undefined {
  const [only] = texts;
  if (!only || texts.length > 1 || !/^\s*[[{"\d-]/.test(only.text)) return undefined;
  if (only.text === JSON.stringify(value)) return only.text;
  try {
    const parsed = parseExact(only.text);
    return rounded(parsed) === rounded(value) ? JSON.stringify(parsed) : undefined;
  } catch {
    return undefined;
  }
}

/** Equal for values that are the same but for digits that a program has lost. */
function rounded(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null';
  return stableStringify(JSON.parse(text));
}

/** So much is compared; what is larger counts as something else. */
const MAX_LEAVES = 500;
const MAX_COMPARED_CHARS = 20_000_000;

/** Whether the texts have every text and number of a value in them, so that it says nothing else. Pure. */
export function saysAll(texts: Texts, value: unknown): boolean {
  const whole = texts.map(({ text }) => text).join('\n');
  const leaves = leavesOf(value);
  if (leaves.length > MAX_LEAVES || leaves.length * whole.length > MAX_COMPARED_CHARS) return false;
  return leaves.every((leaf) => whole.includes(leaf) || whole.includes(JSON.stringify(leaf).slice(1, -1)));
}

/** What could be looked for in a text, one more than is compared at most. */
function leavesOf(value: unknown): readonly string[] {
  const leaves: string[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && leaves.length <= MAX_LEAVES) {
    const next = waiting.pop();
    if (typeof next === 'string' && next.trim() !== '') leaves.push(next.trim());
    else if (typeof next === 'number') leaves.push(String(next));
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (isRecord(next)) for (const item of Object.values(next)) waiting.push(item);
    else if (typeof next === 'object' && next !== null && isExactNumber(next)) leaves.push(next.rawJSON);
  }
  return leaves;
}
