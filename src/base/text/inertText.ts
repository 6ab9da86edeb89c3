import { isUtf8 } from 'node:buffer';

/** The beginning of the address of a command of the editor, also where a text escapes its colon. A blank stands behind most others. */
const COMMAND = /command(?=\\?:[^\s"'])/gi;

/**
 * The text of a server as it may stand in an editor: a click on a link to a command runs it, in whatever language has links,
 * so a blank parts its colon.
 */
export function inertText(text: string): string {
  return text.replaceAll(COMMAND, '$& ');
}

/** The same for bytes, which may be opened as a text. */
export function inertBytes(data: Uint8Array): Uint8Array {
  const utf16 =
    data[0] === 0xff && data[1] === 0xfe ? 'utf-16le' : data[0] === 0xfe && data[1] === 0xff ? 'utf-16be' : '';
  if (utf16 === '' && !isUtf8(data)) return data;
  const text = new TextDecoder(utf16 === '' ? 'utf-8' : utf16, { ignoreBOM: utf16 === '' }).decode(data);
  const inert = inertText(text);
  return inert === text ? data : Buffer.from(inert, 'utf8');
}
