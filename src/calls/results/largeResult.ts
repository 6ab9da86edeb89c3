import type { ResultPart } from './resultParts.ts';

/**
 * The most that is shown of a result that went to a file, in bytes of UTF-8. The editor's own agent puts what is over
 * 8 KiB into a file of its own and shows the model nothing of it, so that all of this together stays below.
 */
const HEAD_BYTES = 4_500;
const TAIL_BYTES = 2_200;

/** Stores a text and gives the URI that it can be read by; `undefined`: it can't be stored here. */
export type StoreResult = (text: string) => Promise<string | undefined>;

/** Whether a result fits the limit beyond doubt: a text never has more tokens than characters. Most
 * do, and need no count. */
export function fitsCertainly(parts: readonly ResultPart[], maxTokens: number): boolean {
  let length = -1;
  for (const part of parts) if (part.kind === 'text') length += part.text.length + 1;
  return length <= maxTokens;
}

/**
 * A result that fits the limit as it is. Of a larger one the whole text is stored, and the model gets its head and tail,
 * its size, and how to read the rest.
 */
export async function limited(
  parts: readonly ResultPart[],
  maxTokens: number,
  store: StoreResult,
): Promise<readonly ResultPart[]> {
  if (fitsCertainly(parts, maxTokens)) return parts;
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const whole = texts.join('\n');
  const tokens = roughTokens(whole);
  if (tokens <= maxTokens) return parts;
  const uri = await store(whole);
  const share = Math.max(200, maxTokens * 2);
  const head = cutHead(whole, Math.min(fitting(whole.slice(0, HEAD_BYTES), HEAD_BYTES), share));
  const tail = cutTail(whole, Math.min(fitting(whole.slice(-TAIL_BYTES), TAIL_BYTES), Math.floor(share / 2)));
  const middle = whole.length - head.length - tail.length;
  const more =
    uri === undefined
      ? 'The rest could not be stored. Request less data at once.'
      : `Read the rest with mcp_read_resource: {"uri": "${uri}", "offset": ${head.length}, "length": 6000} and so on up to ` +
        `offset ${whole.length - tail.length}.`;
  const text =
    `${head}\n\n[… ${middle} of ${whole.length} characters omitted (about ${tokens} tokens in total, the limit is ` +
    `${maxTokens}). ${more}]\n\n${tail}`;
  return [{ kind: 'text', text }, ...parts.filter((part) => part.kind === 'data')];
}

/** About how many UTF-16 units of a text take so many bytes. */
function fitting(text: string, bytes: number): number {
  const all = Buffer.byteLength(text);
  return all <= bytes ? text.length : Math.floor((text.length * bytes) / all);
}

/** Never half of a surrogate pair. */
function cutHead(text: string, length: number): string {
  const end = isLow(text.charCodeAt(length)) ? length - 1 : length;
  return text.slice(0, end);
}

function cutTail(text: string, length: number): string {
  const start = text.length - length;
  return text.slice(isLow(text.charCodeAt(start)) ? start + 1 : start);
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * About how many tokens a model makes of a text. Four characters to a token in Latin scripts, one in others; good to a
 * few tenths, which is what a limit needs.
 */
export function roughTokens(text: string): number {
  const { length } = text;
  if (length <= SAMPLES * SAMPLE_CHARS) return Math.ceil((length + 3 * otherIn(text, 0, length)) / 4);
  let other = 0;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const from = Math.floor((sample * (length - SAMPLE_CHARS)) / (SAMPLES - 1));
    other += otherIn(text, from, from + SAMPLE_CHARS);
  }
  return Math.ceil((length / 4) * (1 + (3 * other) / (SAMPLES * SAMPLE_CHARS)));
}

/** Of a long text, so many parts of it are looked at, of so many characters each. */
const SAMPLES = 64;
const SAMPLE_CHARS = 1024;

/** How many characters of a range aren't Latin. */
function otherIn(text: string, from: number, to: number): number {
  let other = 0;
  for (let index = from; index < to; index++) if (text.charCodeAt(index) > 0x2ff) other++;
  return other;
}
