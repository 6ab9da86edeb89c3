// node test/conformance/run.mjs: the MCP conformance suite: a client built on `Host`, a server of ours, and the gateway in
// front of that server. Closes with the line `N passed, N failed`.
import { writeFileSync } from 'node:fs';
import { testClients } from './clients.mjs';
import { testServers } from './servers.mjs';
import { install, Tally } from './suite.mjs';

const tally = new Tally();
try {
  install();
  await testServers(tally);
  await testClients(tally);
} catch (error) {
  tally.add('the suite itself', false, error instanceof Error ? error.stack : String(error));
}
const { passed, failures } = tally;
const results = process.env['SWITCHBOARD_RESULTS'];
if (results) writeFileSync(results, JSON.stringify({ passed, failed: failures.length, failures }));
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;
