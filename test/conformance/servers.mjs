import { join } from 'node:path';
import { conformance, home, REVISIONS, scenariosOf, serve } from './suite.mjs';

/**
 * What the gateway does by itself and doesn't pass on, and so comes out otherwise than at the server: nothing else may,
 * and these have to.
 * @type {Readonly<Record<string, string>>}
 */
const OWNED = {
  'tools-call-sampling': 'sampling is answered by Switchboard and never reaches the client',
};

/**
 * What is answered soon is one message of JSON and no stream, as the specification leaves it to a server: what the suite looks
 * at in a stream, it looks at only where there is one.
 */
const EITHER = new Set(['server-sse-multiple-streams']);

/** What the gateway speaks to clients. */
const DOWNSTREAM = '2025-11-25';

/**
 * The server scenarios: against our server directly, in both eras, and through the gateway in front of the same server,
 * which it speaks to in either era.
 * @param {import('./suite.mjs').Tally} tally
 */
export async function testServers(tally) {
  const server = await serve('test/conformance/server/main.ts');
  try {
    const direct = REVISIONS.map((revision) => {
      const outcome = run(`${server.url}/mcp`, revision);
      for (const scenario of scenariosOf('server', revision)) {
        const line = outcome.lines.get(scenario) ?? 'not run';
        tally.add(`server ${revision} ${scenario}`, line.endsWith(' 0 failed'), outcome.text);
      }
      return { revision, outcome };
    });
    const expected = direct.find(({ revision }) => revision === DOWNSTREAM)?.outcome.lines ?? new Map();
    for (const path of ['legacy', 'mcp']) await testGateway(tally, `${server.url}/${path}`, path, expected);
  } finally {
    server.stop();
  }
}

/**
 * @param {import('./suite.mjs').Tally} tally
 * @param {string} upstream
 * @param {string} path
 * @param {ReadonlyMap<string, string>} expected
 */
async function testGateway(tally, upstream, path, expected) {
  const gateway = await serve('test/conformance/gateway.ts', upstream);
  try {
    const outcome = run(gateway.url, DOWNSTREAM);
    for (const scenario of scenariosOf('server', DOWNSTREAM)) {
      const line = outcome.lines.get(scenario) ?? 'not run';
      const isSame = EITHER.has(scenario) ? line.endsWith(' 0 failed') : line === expected.get(scenario);
      const isOwned = Object.hasOwn(OWNED, scenario);
      const details = `${expected.get(scenario)} became ${line}\n${outcome.text}`;
      const name = `gateway /${path} ${scenario}${isOwned ? `: ${OWNED[scenario]}` : ''}`;
      tally.add(name, isSame !== isOwned, details);
    }
  } finally {
    gateway.stop();
  }
}

/**
 * Runs all scenarios that a revision requires.
 * @param {string} url
 * @param {string} revision
 * @returns how many checks of each scenario passed and failed, as the suite says it; and all that it printed
 */
function run(url, revision) {
  const { stdout, stderr } = conformance(['server', '--url', url, '--requirements', revision, '-o', join(home, 'out')]);
  const [, summary = ''] = stdout.split('=== SUMMARY ===');
  const lines = [...summary.matchAll(/^[✓✗] (\S+): (.+)$/gm)].map(([, name = '', line = '']) => [name, line]);
  return { lines: new Map(/** @type {[string, string][]} */ (lines)), text: `${stdout}\n${stderr}` };
}
