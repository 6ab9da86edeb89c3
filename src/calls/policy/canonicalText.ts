import { hidesSomething } from '../../base/text/showInvisible.ts';
import { withPlainSeparators } from './argumentForms.ts';

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Whether a text can be read in one way only, whatever a server or an operating system does with it first: nothing
 * encoded, hidden or expanded by a shell, one kind of separator, no detours, nothing that is dropped at the end of a name.
 * Pure.
 */
export function isCanonical(text: string): boolean {
  if (hidesSomething(text) || CONTROL.test(text) || text !== text.normalize('NFKC')) return false;
  if (text !== withPlainSeparators(text)) return false;
  if (/[%\\`"'*?[\]{}<>|$;]|^~/i.test(ADDRESS.test(text) ? withoutQuery(text) : text)) return false;
  return ADDRESS.test(text) ? isCanonicalAddress(text) : isCanonicalPath(text);
}

/**
 * Whether what follows the first `length` characters starts no other command in a shell: `git *` is for one command, not
 * for what `&&` or parentheses bring in. Other signs of shells aren't canonical anyway; an address is no command. Pure.
 */
export function isOneCommand(text: string, length: number): boolean {
  return ADDRESS.test(text) || !/[&()]/.test(text.slice(length));
}

function isCanonicalPath(text: string): boolean {
  const path = text.replace(/^[a-z]:(?=\/)/i, '');
  const segments = path.split('/');
  return segments.every((segment, index) => {
    if (segment === '') return index === 0 && segments.length > 1;
    return !/^\s|[\s.]$|:/u.test(segment) && !/^[^.~]{1,6}~\d/.test(segment);
  });
}

/** As the URL parser writes it, and without anybody's name before the host. */
function isCanonicalAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { href, username, password } = new URL(text);
  return username === '' && password === '' && (href === text || href === `${text}/`) && !/[/]{2}/.test(pathOf(text));
}

function pathOf(address: string): string {
  return withoutQuery(address).replace(ADDRESS, '');
}

function withoutQuery(address: string): string {
  return address.replace(/[?#].*$/s, '');
}
