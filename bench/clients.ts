// npm run -s bench -- clients [--rounds N]
//
// Clients of the gateway, one to fifty at a time, against the same clients of a bare Streamable HTTP server: both in
// processes of their own, in turn. Behind the gateway there is the same server over stdio, which is one process more: what
// that costs alone tells a bare gateway, which checks nothing.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { median, option, report } from './connection/report.ts';

const rounds = option('rounds', 7);
const CALLS = 20;
const AT_ONCE = [1, 10, 50];

interface Side {
  readonly url: string;
  readonly token?: string;
}

function started(file: string, ...args: string[]): ChildProcess {
  return fork(fileURLToPath(new URL(`./connection/${file}`, import.meta.url)), args, { stdio: 'inherit' });
}

const processes = [started('echoServer.ts', '--http'), started('forwardServer.ts'), started('gatewayProcess.ts')];
const [[bareUrl], [forwardUrl], [gateway]] = (await Promise.all(processes.map((each) => once(each, 'message')))) as [
  [string],
  [string],
  [Side],
];
const sides: Readonly<Record<string, Side>> = { bare: { url: bareUrl }, forward: { url: forwardUrl }, gateway };

async function connected({ url, token }: Side): Promise<Client> {
  const client = new Client({ name: 'bench', version: '0' });
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

/** Microseconds for a call, of all clients together. */
async function measured(clients: readonly Client[]): Promise<number> {
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      for (let call = 0; call < CALLS; call++) await client.callTool({ name: 'echo', arguments: { text: `${call}` } });
    }),
  );
  return ((performance.now() - began) * 1000) / (clients.length * CALLS);
}

const figures: Record<string, number> = {};
for (const count of AT_ONCE) {
  const times: Record<string, number[]> = {};
  const clients: Record<string, readonly Client[]> = {};
  for (const [name, side] of Object.entries(sides))
    clients[name] = await Promise.all(Array.from({ length: count }, () => connected(side)));
  for (let round = -2; round < rounds; round++) {
    const order = Object.entries(clients);
    for (const [name, some] of round % 2 === 0 ? order : order.toReversed()) {
      const took = await measured(some);
      // The first rounds warm up.
      if (round >= 0) (times[name] ??= []).push(took);
    }
  }
  await Promise.all(Object.values(clients).flatMap((some) => some.map((client) => client.close())));
  const [bare, forward, own] = ['bare', 'forward', 'gateway'].map((name) => median(times[name] ?? [])) as [
    number,
    number,
    number,
  ];
  figures[`bareUs${count}`] = bare;
  figures[`forwardUs${count}`] = forward;
  figures[`gatewayUs${count}`] = own;
  figures[`forwardRatio${count}`] = forward / bare;
  figures[`ratio${count}`] = own / bare;
}
for (const each of processes) each.disconnect();
report('clients', figures, { ratio1: '<= 1.4', ratio10: '<= 1.4', ratio50: '<= 1.4' });
process.exit(0);
