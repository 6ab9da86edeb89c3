// The gateway in front of the echo server, in a process of its own; tells its address to who started it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { Gateway } from '../../src/bridge/gateway/gateway.ts';
import { TestHost } from '../../test/support/testHost.ts';
import { wording } from '../../test/unit/bridge/gatewayRig.ts';

const test = new TestHost();
const args = [fileURLToPath(new URL('./echoServer.ts', import.meta.url))];
writeFileSync(
  join(test.folder, '.mcp.json'),
  JSON.stringify({ mcpServers: { echo: { command: process.execPath, args } } }),
);
await test.host.start();
await test.approveAll();
const gateway = new Gateway({
  host: test.host,
  clock: systemClock,
  version: '0',
  wording,
  settings: () => ({ exposure: 'native' }),
});
await gateway.start();
const endpoint = gateway.endpoints.find(({ serverName }) => serverName === 'echo');
process.send?.({ url: endpoint?.url, token: gateway.token });
process.on('disconnect', () => {
  gateway.dispose();
  void test.stop().then(() => process.exit(0));
});
