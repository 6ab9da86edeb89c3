// `node gateway.ts URL`: the gateway for agents outside in front of one server, for clients that know no token; prints its address.
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ITEM_METHODS } from '../../src/calls/itemRequest.ts';
import { GatewayRig } from '../unit/bridge/gatewayRig.ts';
import { OutsideRig } from '../unit/bridge/gateway/outside/outsideRig.ts';

const rig = new GatewayRig();
await rig.start({ all: { type: 'http', url: process.argv[2] } });
// Every tool and every kind of item is granted by its name: who is asked is looked at elsewhere.
const items = ITEM_METHODS.map((method) => `mcp__all__${method}`);
const granted = [...rig.test.host.catalog.tools.map(({ name }) => name), ...items];
rig.rules = granted.map((tool) => ({ tool, action: 'allow', source: 'user' }));
// What servers ask, the client is asked, and nobody else would answer.
rig.hasModel = false;
const outside = new OutsideRig();
outside.settings = { asksClients: true, http: true };
const gateway = await outside.gateway(rig);
const { url, token } = await gateway.openHttp();
// Clients of 2026-07-28 have schemas as the server has them anyway; the others say that they want them.
const target = new URL(`${url}/all?schemas=original`);

/** Adds the token and puts its own address right; a foreign Host or Origin goes through as it is. */
const proxy = createServer((incoming, response) => {
  const { port } = proxy.address() as AddressInfo;
  const ownHosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host = '', origin } = incoming.headers;
  const outgoing = request(target, {
    method: incoming.method,
    headers: {
      ...incoming.headers,
      authorization: `Bearer ${token}`,
      host: ownHosts.includes(host) ? target.host : host,
      ...(origin !== undefined && ownHosts.includes(origin.slice('http://'.length)) ? { origin: target.origin } : {}),
    },
  });
  outgoing.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.once('error', () => response.destroy()).pipe(response);
  });
  outgoing.once('error', () => response.destroy());
  response.once('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
});
proxy.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`));
process.stdin.resume().once('end', () => {
  proxy.close();
  proxy.closeAllConnections();
  void outside
    .stop()
    .then(() => rig.stop())
    .then(() => process.exit(0));
});
