// npm run -s bench -- auth [--rounds N]
//
// What a sign-in costs once it is there, against a real authorization server: a connect with a stored token beside one without
// OAuth (requests, and CPU; windows alternate), 20 parallel calls on an expired token, and a start with 20 servers that are
// signed in to.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthServer } from '../test/support/authServer.ts';
import { ProtectedServer, SharedSecrets, SignInRig, TestPerson } from '../test/support/signInRig.ts';
import { TestHost } from '../test/support/testHost.ts';
import { median, option, report } from './connection/report.ts';

const rounds = option('rounds', 30);
const CALLS = 20;
const SERVERS = 20;

const auth = await AuthServer.start();
const server = await ProtectedServer.start(auth, { scopes: ['read'] });
const rig = await SignInRig.open(server.url);
await rig.signIn();

// Parallel calls on an expired token.
await rig.call();
await auth.expire();
const refusalsBefore = server.refusals;
const callsBefore = server.seen.filter((line) => line === 'POST tools/call').length;
await Promise.all(Array.from({ length: CALLS }, () => rig.call()));
const tokenRequests = auth.tokenRequests('refresh_token');
const retriesPerCall = (server.seen.filter((line) => line === 'POST tools/call').length - callsBefore) / CALLS - 1;
const refusals = server.refusals - refusalsBefore;

// Connects: the server asks nobody for a token now, so that both are answered alike.
server.isOpen = true;
const plain = new SignInRig({ folder: rig.test.folder, signsIn: false });
await plain.test.host.start();
await plain.approve();

async function connect(window: SignInRig): Promise<{ readonly cpuMs: number; readonly requests: number }> {
  const requests = server.seen.length + auth.seen.length;
  const before = process.cpuUsage();
  await window.test.host.pool.restart(window.id);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000, requests: server.seen.length + auth.seen.length - requests };
}

const withToken: Awaited<ReturnType<typeof connect>>[] = [];
const without: Awaited<ReturnType<typeof connect>>[] = [];
for (let round = -5; round < rounds; round++) {
  const order = round % 2 === 0 ? [rig, plain] : [plain, rig];
  for (const window of order) {
    const cost = await connect(window);
    if (round >= 0) (window === rig ? withToken : without).push(cost);
  }
}
const cpuOf = (all: typeof withToken): number => median(all.map(({ cpuMs }) => cpuMs));
const requestsOf = (all: typeof withToken): number => median(all.map(({ requests }) => requests));
await plain.close();
await rig.close();

// A start with many servers that are signed in to.
server.isOpen = false;
const stateDir = mkdtempSync(join(tmpdir(), 'switchboard-bench-auth-'));
const folder = mkdtempSync(join(tmpdir(), 'switchboard-bench-auth-'));
const secrets = new SharedSecrets();
const names = Array.from({ length: SERVERS }, (_, index) => `server${index}`);
const entries = names.map((name) => [name, { type: 'http', url: server.url, headers: { 'X-Name': name } }] as const);
writeFileSync(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: Object.fromEntries(entries) }));
const ports = { stateDir, signIn: async () => new TestPerson().portsWith(secrets) };
const first = new TestHost({ folder, ports });
await first.host.start();
await first.approveAll();
for (const { id } of first.host.pool.all) await first.host.signIns.signIn(id);
await first.stop();
const authRequests = auth.seen.length;
const second = new TestHost({ folder, store: first.store, ports });
await second.host.start();
await second.until(
  () =>
    second.host.pool.all.length === SERVERS && second.host.pool.all.every(({ state }) => state.kind === 'connected'),
);
const startRequests = auth.seen.length - authRequests;
await second.stop();
await server.close();
await auth.close();
for (const each of [stateDir, folder]) rmSync(each, { recursive: true, force: true });

const figures = {
  tokenRequests,
  retriesPerCall,
  refusals,
  extraRequests: requestsOf(withToken) - requestsOf(without),
  connectCpuMs: cpuOf(withToken),
  plainCpuMs: cpuOf(without),
  extraCpuMs: cpuOf(withToken) - cpuOf(without),
  startRequests,
};
report('auth', figures, {
  tokenRequests: '<= 1',
  retriesPerCall: '<= 1',
  extraRequests: '<= 0',
  extraCpuMs: '<= 3',
  startRequests: '<= 0',
});
process.exit(0);
