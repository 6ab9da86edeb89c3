import { oneLine } from '../base/text/showInvisible.ts';

/** Behind code and emphasis of our own texts, so that nothing that follows can become a part of them. */
const END = '(?=[.,;:)”"]*(?:\\s|$))';
/**
 * Code and emphasis as our own texts have them, what may stand before them, words, and blanks. What others wrote can look like the first
 * two, and does no more harm.
 */
const PIECES = new RegExp(
  `(?<=^|[\\s(“"])(?:\`[^\`]+\`|\\*[A-Z][^*\`<>[\\]&$@\\\\_:/]*\\*)${END}|[(“"]+|[^\\s(“"]+|\\s+`,
  'gu',
);
/** What makes something of a word: formats, links, images, HTML, mathematics, and addresses that become links by themselves. */
const ACTIVE = /[\\`*_[\]<>&$@]|~~|\/\/|mailto:/i;

/**
 * A text as Markdown in which nothing is active, however it's rendered: each word that could become a link, an image, HTML or a format
 * stands as code. A text that has no such word stays as it is, so that the source can be read, too.
 */
export function inertWords(text: string): string {
  const pieces = oneLine(text.replaceAll(/\s*[\r\n]+\s*/g, ' ')).match(PIECES) ?? [];
  return pieces.map((piece) => (isOwn(piece) || !ACTIVE.test(piece) ? piece : inertCode(piece))).join('');
}

/** Inline code that nothing in the text can end. */
export function inertCode(text: string): string {
  const fence = '`'.repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const blank = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${blank}${text}${blank}${fence}`;
}

/** Code or emphasis as a whole. */
function isOwn(piece: string): boolean {
  return /^`[^`]+`$/.test(piece) || /^\*[A-Z][^*`<>[\]&$@\\_:/]*\*$/.test(piece);
}
