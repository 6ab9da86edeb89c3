import { domainToUnicode } from 'node:url';

/** Something about an address that a user should know before it is opened. */
export type AddressWarning =
  | 'not-encrypted'
  /** It has a name or a password before the host, which can look like the host. */
  | 'user-info'
  /** The host's name has letters that look like others. */
  | 'look-alike'
  /** It is a number, or this machine. */
  | 'no-name'
  | 'port'
  /** It has characters that can't be seen or that change their order. */
  | 'invisible';

/** An address in parts, for showing it whole. */
export interface ShownAddress {
  /** As it is opened, in ASCII alone. */
  readonly href: string;
  /** The host as it is asked for, with its port. */
  readonly host: string;
  /** How the host would read, where that is something else. */
  readonly reads?: string;
  readonly warnings: readonly AddressWarning[];
}

/** A longer address isn't shown, and so not opened, in characters. */
const MAX_ADDRESS = 8 * 1024;

/** An address that a server wants opened; `undefined` for anything that isn't one of the web. */
export function shownAddress(address: unknown): ShownAddress | undefined {
  if (typeof address !== 'string' || address.length > MAX_ADDRESS) return undefined;
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const { href, protocol, hostname, host, port, username, password } = new URL(address);
  if (hostname === '') return undefined;
  const reads = domainToUnicode(hostname);
  const isAscii = reads === hostname || reads === '';
  const warnings: readonly (AddressWarning | false)[] = [
    protocol === 'http:' && !isLoopback(hostname) && 'not-encrypted',
    (username !== '' || password !== '') && 'user-info',
    !isAscii && 'look-alike',
    (isLoopback(hostname) || /^[\d.]+$|^\[/.test(hostname)) && 'no-name',
    port !== '' && 'port',
    /\p{Cf}|\p{Cc}|%(?:e2%80%(?:8[b-f]|a[8-e])|ef%bb%bf)/iu.test(address) && 'invisible',
  ];
  return {
    href,
    host,
    ...(isAscii ? {} : { reads }),
    warnings: warnings.filter((warning) => warning !== false),
  };
}

function isLoopback(hostname: string): boolean {
  // A dot at the end changes nothing.
  return /(?:^|\.)localhost\.?$|^127\.|^\[::1\]$/.test(hostname);
}
