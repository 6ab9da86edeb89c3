/**
 * What could hide in a text or reorder it, as the inside of a character class: control characters but tab, newline and
 * return, bidirectional marks, zero-width characters, fillers that are drawn as nothing, halves of characters (which
 * some model providers refuse a whole request for), tags and the selectors of variants above 16.
 */
const UNSEEN =
  String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f` +
  String.raw`\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\u{1d173}-\u{1d17a}\u{e0000}-\u{e01ef}`;
/** One selector of a variant belongs to the character before it; any further ones carry something else. */
const SELECTORS = String.raw`(?<=[\ufe00-\ufe0f])[\ufe00-\ufe0f]`;

const INVISIBLE = new RegExp(`[${UNSEEN}\\r]|${SELECTORS}`, 'gu');
const SUSPECT = new RegExp(`[${UNSEEN}]|[\\ufe00-\\ufe0f]{2}`, 'u');

/** Writes invisible and bidirectional characters as `\u{…}`. */
export function showInvisible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Whether there is anything in a text that could hide; a return before a newline isn't. */
export function hidesSomething(text: string): boolean {
  return SUSPECT.test(text);
}

/** A text without what could hide in it. */
export function withoutUnseen(text: string): string {
  return SUSPECT.test(text) ? text.replace(INVISIBLE, '') : text;
}
