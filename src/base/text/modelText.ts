import { hidesSomething, withoutUnseen } from './invisible.ts';
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
 * members that then have the same name the first one stays.
 * @param kept members that are left as they are: what is sent back, and bytes
 */
export function readableWithin<T>(value: T, kept?: ReadonlySet<string>): T {
  return atOnce(readableWithinSteps(value, kept));
}

/** As `readableWithin`, in steps. */
export function readableWithinSteps<T>(value: T, kept?: ReadonlySet<string>): Steps<T>;
export function* readableWithinSteps(value: unknown, kept: ReadonlySet<string> = NOTHING): Steps<unknown> {
  yield;
  if (typeof value === 'string') return yield* readableSteps(value);
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* readableWithinSteps(item, kept));
    return items;
  }
  if (!isRecord(value)) return value;
  const members = new Map<string, unknown>();
  for (const [key, item] of Object.entries(value)) {
    const name = readable(key);
    if (!members.has(name)) members.set(name, kept.has(key) ? item : yield* readableWithinSteps(item, kept));
  }
  return Object.fromEntries(members);
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
