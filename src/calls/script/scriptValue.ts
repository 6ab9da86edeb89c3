import { parseExact } from '../../base/json/exactJson.ts';
import { isExactNumber } from '../../base/json/exactNumber.ts';
import type { ResultPart } from '../results/resultParts.ts';

/**
 * A result as a script gets it, as JSON: its structured content, where the texts beside don’t say all of it; else the value that its
 * text is the JSON of, where that is an object or a list; else the text. Whole numbers that a script’s numbers can’t hold are
 * texts of their digits: an id would be another one.
 */
export function scriptValue(parts: readonly ResultPart[]): string {
  const texts = parts.map((part) =>
    part.kind === 'text' ? part.text : `(${part.mimeType}, ${part.data.length} bytes)`,
  );
  const text = texts.join('\n');
  const structured = parts.findIndex(({ origin }) => origin !== undefined && 'structured' in origin);
  return jsonIn(texts[structured] ?? '') ?? jsonIn(text) ?? JSON.stringify(text);
}

/** `undefined`: the text isn't the JSON of an object or a list. */
function jsonIn(text: string): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.stringify(parseExact(text), withDigits);
  } catch {
    // A text that begins like one.
    return undefined;
  }
}

function withDigits(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !isExactNumber(value)) return value;
  const { rawJSON: digits } = value;
  const number = Number(digits);
  return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? digits : number;
}
