import { BlockList, isIP } from 'node:net';

/** How near a host is: what is on this machine or link can be reached from nowhere else. Ordered from far to near. */
export type Reach = 'public' | 'private' | 'local';

const NEARNESS: Readonly<Record<Reach, number>> = { public: 0, private: 1, local: 2 };

const LOCAL = listOf([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 96],
  ['fe80::', 10],
  ['ff00::', 8],
]);
const PRIVATE = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fec0::', 10],
]);

/** Where an IP address leads. Pure. */
export function reachOf(address: string): Reach {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (isIP(bare) === 4) return reachIn(bare, 'ipv4');
  // `BlockList` checks IPv4 addresses that are mapped to IPv6, too.
  const whole = reachIn(bare, 'ipv6');
  const within = translatedFrom(bare);
  if (within === undefined) return whole;
  const inner = reachIn(within, 'ipv4');
  return NEARNESS[inner] > NEARNESS[whole] ? inner : whole;
}

function reachIn(address: string, family: 'ipv4' | 'ipv6'): Reach {
  if (LOCAL.check(address, family)) return 'local';
  return PRIVATE.check(address, family) ? 'private' : 'public';
}

/**
 * The IPv4 address that a network translates an IPv6 one to: NAT64 (RFC 6052), where every public name may have one, 6to4
 * (RFC 3056), SIIT (RFC 2765), ISATAP (RFC 5214), and Teredo (RFC 4380), which inverts it.
 */
function translatedFrom(address: string): string | undefined {
  const groups = groupsOf(address);
  const begins = (...prefix: readonly number[]): boolean => prefix.every((group, index) => groups[index] === group);
  const isTeredo = begins(0x2001, 0);
  const isIsatap = ((groups[4] ?? 0) & ~0x200) === 0 && groups[5] === 0x5efe;
  const isLast = begins(0x64, 0xff9b, 0, 0, 0, 0) || begins(0, 0, 0, 0, 0xffff, 0) || isTeredo || isIsatap;
  const at = isLast ? 6 : begins(0x2002) ? 1 : undefined;
  if (at === undefined) return undefined;
  const bytes = [groups[at] ?? 0, groups[at + 1] ?? 0].flatMap((group) => [group >> 8, group & 255]);
  return bytes.map((byte) => (isTeredo ? byte ^ 255 : byte)).join('.');
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): readonly number[] {
  // As a URL has it: in hexadecimal alone.
  const host = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1) ?? '::';
  const [head = [], tail = []] = host
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => 0), ...tail];
}

/** `undefined`: a name, of which only the addresses that it stands for can tell. */
export function reachOfHost(hostname: string): Reach | undefined {
  if (isLocalName(hostname)) return 'local';
  return isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? reachOf(hostname) : undefined;
}

/** RFC 6761, section 6.3; a name may end with the dot of the root. */
function isLocalName(hostname: string): boolean {
  return /(?:^|\.)localhost\.?$/.test(hostname);
}

/** Whether metadata of a server with the first reach may lead to the second: not nearer than the server is itself. */
export function mayLeadTo(server: Reach, other: Reach): boolean {
  return NEARNESS[other] <= NEARNESS[server];
}

/** Whether what is sent to the address can be read on the way. On this machine nobody can (RFC 8252, section 8.3). */
export function isConfidential(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}

export function isLoopback(hostname: string): boolean {
  return isLocalName(hostname) || (isIP(hostname) === 4 && hostname.startsWith('127.')) || /^\[?::1\]?$/.test(hostname);
}

function listOf(subnets: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4');
  return list;
}
