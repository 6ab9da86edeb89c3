import { atOnce, type Steps } from '../../base/timeSlices.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { hidesSomething, showInvisible } from '../../base/text/showInvisible.ts';
import { exceptJoiners } from '../../base/text/modelText.ts';
import { textPieces } from '../../base/text/textPieces.ts';

// ECMA-48: control sequences, strings that end in ST or BEL, and the short forms.
const ANSI =
  /\u001b\[[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b]*(?:\u0007|\u001b\\)?|\u001b[ -/]*[0-~]|\u009b[0-?]*[ -/]*[@-~]/g;

/** A text without what could hide in it, and what was done, as a sentence; the sentence is absent where nothing was. */
export interface CleanText {
  readonly text: string;
  readonly note?: string;
}

/** Takes terminal codes out of a text that a server sent, and writes out what is invisible or turns text around. */
export function cleanText(text: string): CleanText {
  return atOnce(cleanTextSteps(text));
}

/** Of what nobody sees, so many in a row are written out: enough to read what is hidden there. */
const LONGEST_RUN = 1_000;

/** As `cleanText`, in steps: a long text piece by piece. What is cut apart is written out rather than lost. */
export function* cleanTextSteps(text: string): Steps<CleanText> {
  const pieces: string[] = [];
  let [hadCodes, hadUnseen, isChanged] = [false, false, false];
  for (const piece of textPieces(text)) {
    if (hidesSomething(piece)) {
      const plain = piece.replace(ANSI, '');
      const lines = plain.replaceAll('\r\n', '\n');
      const shown = exceptJoiners(lines, (part) => showInvisible(part, LONGEST_RUN));
      hadCodes ||= plain !== piece;
      hadUnseen ||= shown !== lines;
      isChanged ||= shown !== piece;
      pieces.push(shown);
    } else pieces.push(piece);
    yield;
  }
  const notes = [
    ...(hadCodes ? ['terminal control codes were removed'] : []),
    ...(hadUnseen ? ['invisible or text-reordering characters are written as \\u{…}'] : []),
  ];
  if (!isChanged) return { text };
  const clean = pieces.join('');
  return notes.length === 0 ? { text: clean } : { text: clean, note: `(${notes.join('; ')})` };
}

/** The longest text of an error that reaches the model, in UTF-16 units. */
export const MAX_ERROR_LENGTH = 11_000;

/** A text cut to what an error may have. */
export function cutError(text: string): string {
  return text.length <= MAX_ERROR_LENGTH ? text : `${text.slice(0, MAX_ERROR_LENGTH - 20)}… (cut)`;
}

/**
 * An error as a model may read it: servers write parts of many (protocol errors, last lines of stderr), so nothing hides
 * in it and it has an end.
 */
export function forModel(error: unknown): unknown {
  if (!(error instanceof SwitchboardError)) return error;
  const { code, message, remedy, cause } = error;
  const text = cutError(cleanText(message).text);
  if (text === message) return error;
  return new SwitchboardError(code, text, { ...(remedy === undefined ? {} : { remedy }), cause: cause ?? error });
}
