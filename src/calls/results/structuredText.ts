import { parseExactSteps } from '../../base/json/exactJson.ts';
import { isExactNumber, numberOf } from '../../base/json/exactNumber.ts';
import { isRecord } from '../../base/json/json.ts';
import { jsonTextSteps } from '../../base/json/jsonPieces.ts';
import { MAX_MEMBERS } from '../../base/json/readingLimits.ts';
import type { Steps } from '../../base/timeSlices.ts';

type Texts = readonly { readonly text: string }[];

/**
 * The only text where it is the JSON of a value, without blanks and with its numbers as they are written there;
 * `undefined`: it is something else. In steps.
 */
export function* jsonOf(texts: Texts, value: unknown): Steps<string | undefined> {
  const [only] = texts;
  if (!only || texts.length > 1 || !/^\s*[[{"\d-]/.test(only.text)) return undefined;
  if (only.text === (yield* jsonTextSteps(value))) return only.text;
  try {
    const parsed = yield* parseExactSteps(only.text, { maxMembers: MAX_MEMBERS });
    return (yield* areSame(parsed, value)) ? yield* jsonTextSteps(parsed) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether two values of JSON are the same but for digits that a program has lost. Any depth is fine. */
function* areSame(one: unknown, other: unknown): Steps<boolean> {
  const waiting: (readonly [unknown, unknown])[] = [[one, other]];
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = pair.map(plain) as [unknown, unknown];
    if (left === right) continue;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
    const [keys, others] = [Object.keys(left), Object.keys(right)];
    if (Array.isArray(left) !== Array.isArray(right) || keys.length !== others.length) return false;
    for (const [index, key] of keys.entries()) {
      if (!Object.hasOwn(right, key)) return false;
      waiting.push([Reflect.get(left, key), Reflect.get(right, key)]);
      if (index % 256 === 0) yield;
    }
  }
  return true;
}

/** A number as a program has it: none that is too large for one. */
function plain(value: unknown): unknown {
  const number = numberOf(value) ?? value;
  return typeof number === 'number' && !Number.isFinite(number) ? null : number;
}

/** So much is compared; what is larger counts as something else. */
const MAX_LEAVES = 500;
const MAX_VALUES = 10_000;
const MAX_COMPARED_CHARS = 20_000_000;

/** Whether the texts have every text and number of a value in them, so that it says nothing else. Pure. */
export function saysAll(texts: Texts, value: unknown): boolean {
  const whole = texts.map(({ text }) => text).join('\n');
  const leaves = leavesOf(value);
  if (leaves === undefined || leaves.length * whole.length > MAX_COMPARED_CHARS) return false;
  return leaves.every((leaf) => whole.includes(leaf) || whole.includes(JSON.stringify(leaf).slice(1, -1)));
}

/** What could be looked for in a text; `undefined`: more than is compared at most. */
function leavesOf(value: unknown): readonly string[] | undefined {
  const leaves: string[] = [];
  const waiting: unknown[] = [value];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (leaves.length > MAX_LEAVES || seen + waiting.length > MAX_VALUES) return undefined;
    const next = waiting.pop();
    if (typeof next === 'string' && next.trim() !== '') leaves.push(next.trim());
    else if (typeof next === 'number') leaves.push(String(next));
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (isRecord(next)) for (const item of Object.values(next)) waiting.push(item);
    else if (typeof next === 'object' && next !== null && isExactNumber(next)) leaves.push(next.rawJSON);
  }
  return leaves.length > MAX_LEAVES ? undefined : leaves;
}
