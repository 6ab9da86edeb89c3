import { BlockList, isIP } from 'node:net';

/** How near a host is: what is on this machine or link can be reached from nowhere else. Ordered from far to near. */
export type Reach = 'public' | 'private' | 'local';

const NEARNESS: Readonly<Record<Reach, number>> = { public: 0, private: 1, local: 2 };

const LOCAL = listOf([
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 127],
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
  ['fc00::', 7],
  ['64:ff9b::', 96],
]);

/** Where an IP address leads. Pure. */
export function reachOf(address: string): Reach {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const family = isIP(bare) === 4 ? 'ipv4' : 'ipv6';
  // `BlockList` checks IPv4 addresses that are written as IPv6, too.
  if (LOCAL.check(bare, family)) return 'local';
  return PRIVATE.check(bare, family) ? 'private' : 'public';
}

/** `undefined`: a name, of which only the addresses that it stands for can tell. */
export function reachOfHost(hostname: string): Reach | undefined {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return 'local';
  return isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? reachOf(hostname) : undefined;
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
  return hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[?::1\]?$/.test(hostname);
}

function listOf(subnets: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of subnets) list.addSubnet(network, prefix, isIP(network) === 4 ? 'ipv4' : 'ipv6');
  return list;
}
