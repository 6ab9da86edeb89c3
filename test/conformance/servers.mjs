import { join } from 'node:path';
import { conformance, home, scenariosOf, serve } from './suite.mjs';

/** The newest revision with sessions. */
const WITH_SESSIONS = '2025-11-25';

/**
 * Results that need input (2026-07-28), with what the server calls its questions, and the roots of a request: a server with
 * sessions has no such, so these are for one that has. What the other asks: `test/unit/bridge/gateway/protocol/stateless.test.ts`.
 * @param {string} scenario
 */
const isForStateless = (scenario) => scenario.startsWith('input-required-result-');

/**
 * The server scenarios: against our server directly, in both eras, and through the gateway in front of the same server,
 * which it speaks to in either era. Of those for extensions, only the ones of skills have a server here.
 * @param {import('./suite.mjs').Tally} tally
 */
export async function testServers(tally) {
  const server = await serve('test/conformance/server/main.ts');
  try {
    for (const [revision, scenarios] of scenariosOf('server')) {
      if (revision === 'extension') continue;
      const direct = run(`${server.url}/mcp`, revision);
      for (const scenario of scenarios) {
        const line = direct.lines.get(scenario) ?? 'not run';
        tally.add(`server ${revision} ${scenario}`, line.endsWith(' 0 failed'), direct.text);
      }
      for (const path of ['legacy', 'mcp']) {
        const upstream = `${server.url}/${path}`;
        const asked = path === 'mcp' ? scenarios : scenarios.filter((scenario) => !isForStateless(scenario));
        await testGateway(tally, { upstream, path, revision, scenarios: asked, expected: direct.lines });
      }
    }
    await testSkills(tally, server.url);
  } finally {
    server.stop();
  }
}

/**
 * @param {import('./suite.mjs').Tally} tally
 * @param {{ upstream: string, path: string, revision: string, scenarios: string[], expected: ReadonlyMap<string, string> }} asked
 */
async function testGateway(tally, { upstream, path, revision, scenarios, expected }) {
  const gateway = await serve('test/conformance/gateway.ts', upstream);
  try {
    const outcome = run(gateway.url, revision);
    for (const scenario of scenarios) {
      const line = outcome.lines.get(scenario) ?? 'not run';
      const details = `${expected.get(scenario)} became ${line}\n${outcome.text}`;
      tally.add(`gateway /${path} ${revision} ${scenario}`, line === expected.get(scenario), details);
    }
  } finally {
    gateway.stop();
  }
}

/**
 * The scenarios of skills (SEP-2640), which belong to no revision: against the server, in both eras, and through the gateway. Nothing
 * fails, and something was looked at.
 * @param {import('./suite.mjs').Tally} tally
 * @param {string} url
 */
async function testSkills(tally, url) {
  const scenarios =
    scenariosOf('server')
      .get('extension')
      ?.filter((name) => name.startsWith('sep-2640')) ?? [];
  /** @type {(address: string, what: string, options: string[]) => void} */
  const test = (address, what, options) => {
    for (const scenario of scenarios) {
      const args = ['server', '--url', address, '--scenario', scenario, ...options, '-o', join(home, 'out')];
      const { status, stdout, stderr } = conformance(args);
      const isLookedAt = /Passed: [1-9]\d*\/\d+, 0 failed/.test(stdout);
      tally.add(`${what} ${scenario}`, status === 0 && isLookedAt, `${stdout}\n${stderr}`);
    }
  };
  tally.add('skills: there are scenarios', scenarios.length > 0);
  const older = ['--spec-version', WITH_SESSIONS, '--force'];
  test(`${url}/mcp`, 'server /mcp', []);
  test(`${url}/legacy`, 'server /legacy', older);
  for (const path of ['legacy', 'mcp']) {
    const gateway = await serve('test/conformance/gateway.ts', `${url}/${path}`);
    try {
      test(gateway.url, `gateway /${path}`, []);
      test(gateway.url, `gateway /${path} ${WITH_SESSIONS}`, older);
    } finally {
      gateway.stop();
    }
  }
}

/**
 * Runs all scenarios that apply to a revision.
 * @param {string} url
 * @param {string} revision
 * @returns how many checks of each scenario passed and failed, as the suite says it; and all that it printed
 */
function run(url, revision) {
  const args = ['server', '--url', url, '--suite', 'all', '--spec-version', revision, '-o', join(home, 'out')];
  const { stdout, stderr } = conformance(args);
  const [, summary = ''] = stdout.split('=== SUMMARY ===');
  const lines = [...summary.matchAll(/^[✓✗] (\S+): (.+)$/gm)].map(([, name = '', line = '']) => [name, line]);
  return { lines: new Map(/** @type {[string, string][]} */ (lines)), text: `${stdout}\n${stderr}` };
}
