import { hidesSomething } from '../../../base/text/showInvisible.ts';
import { say } from '../../../base/say.ts';

/** What in an address makes it look like another one, as a sentence; `undefined` where nothing does. */
export function addressFault(url: string): string | undefined {
  const [address = ''] = url.trim().split(/[?#]/);
  if (address.includes('\\')) return say`The URL contains a backslash, so its host isn’t what it looks like.`;
  if (/[\t\n\r]/.test(address) || hidesSomething(url)) return say`The URL contains characters that can’t be seen.`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (/^[^/]*:\/\/[^/]*@/.test(address) || parsed?.username || parsed?.password)
    return say`The URL contains a user name or password before its host; send them in a header instead.`;
  return undefined;
}
