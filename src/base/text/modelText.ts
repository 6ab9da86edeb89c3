import { hidesSomething, withoutUnseen } from './showInvisible.ts';
import { isRecord } from '../json/json.ts';
import { atOnce, type Steps } from '../timeSlices.ts';
import { textPieces } from './textPieces.ts';

/** The scripts in which joiners change what is drawn. */
const JOINING = [
  ...(['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya'] as const),
  ...(['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan'] as const),
]
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');
const EMOJI = String.raw`\p{Extended_Pictographic}`;
/** One joiner between letters of such a script, or between emoji. Any other carries something else. */
const JOINERS = new RegExp(
  String.raw`(?<=[${JOINING}])([\u200c\u200d])(?=[${JOINING}])|(?<=[${EMOJI}\p{Emoji_Modifier}\ufe0f])(\u200d)(?=${EMOJI})`,
  'u',
);

/** The text with everything but joiners where they belong put through `clean`. */
export function exceptJoiners(text: string, clean: (part: string) => string): string {
  return text
    .split(JOINERS)
    .map((part, index) => (index % 3 === 0 ? clean(part) : part))
    .join('');
}

/** A text of a server or a file as a model gets it: without what nobody would see there. */
export function readable(text: string): string {
  return hidesSomething(text) ? exceptJoiners(text, withoutUnseen) : text;
}

/**
 * A value with all its texts made `readable`, names of members, too: those of a schema are read by the model as well. Of two
 * members that then have the same name the first one stays. What hides nothing, as most does, isn't copied.
 * @param kept members that are left as they are: what is sent back, and bytes
 */
export function readableWithin<T>(value: T, kept: ReadonlySet<string> = NOTHING): T {
  return isReadable(value, kept) ? value : atOnce(readableWithinSteps(value, kept));
}

/** Whether `readableWithin` would change nothing. Any depth is fine. */
function isReadable(value: unknown, kept: ReadonlySet<string>): boolean {
  const waiting = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' && hidesSomething(next)) return false;
    if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (isRecord(next))
      for (const key of Object.keys(next)) {
        if (hidesSomething(key)) return false;
        if (!kept.has(key)) waiting.push(next[key]);
      }
  }
  return true;
}

/** As `readableWithin`, in steps. */
export function readableWithinSteps<T>(value: T, kept?: ReadonlySet<string>): Steps<T>;
export function* readableWithinSteps(value: unknown, kept: ReadonlySet<string> = NOTHING): Steps<unknown> {
  yield;
  if (typeof value === 'string') return yield* readableSteps(value);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* readableWithinSteps(item, kept));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isRecord(value)) return value;
  const members = new Map<string, unknown>();
  let isSame = true;
  for (const [key, item] of Object.entries(value)) {
    const name = readable(key);
    const isTaken = members.has(name);
    const clean = isTaken || kept.has(key) ? item : yield* readableWithinSteps(item, kept);
    if (!isTaken) members.set(name, clean);
    isSame &&= name === key && clean === item;
  }
  return isSame ? value : Object.fromEntries(members);
}

function* readableSteps(text: string): Steps<string> {
  const pieces: string[] = [];
  for (const piece of textPieces(text)) {
    pieces.push(readable(piece));
    yield;
  }
  return pieces.length === 1 ? (pieces[0] ?? '') : pieces.join('');
}

const NOTHING: ReadonlySet<string> = new Set();
