// Connects one real server, uses it, loses it, gets it back and stops it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { ConnectionPool } from '../../src/connection/connectionPool.ts';
import { describeState } from '../../src/connection/connectionState.ts';
import { STOP_GRACE } from '../../src/connection/process/stopGrace.ts';
import { readStartedTree } from '../../src/connection/process/startedTree.ts';

const CALL_MS = 60_000;
const REGAIN_MS = 180_000;

/** What came of a server, a row of the table. */
export async function surveyServer(
  { command, args, env = {}, calls, needs },
  { dir, env: hostEnvironment, home, say },
) {
  prepare(dir, hostEnvironment);
  const spec = { type: 'stdio', command, args, env, cwd: dir };
  const log = [];
  const pool = openPool({ dir, hostEnvironment, home, log });
  const row = { command: [command, ...args].join(' ').replaceAll(dir, '…'), needs };
  const begun = Date.now();
  let installedMs = 0;
  let installingSince;
  const watching = pool.onDidChangeState(({ state }) => {
    say(`  ${describeState(state).slice(0, 200)}`);
    if (state.kind === 'installing') installingSince ??= Date.now();
    else if (installingSince !== undefined) {
      installedMs += Date.now() - installingSince;
      installingSince = undefined;
    }
  });
  try {
    pool.reconcile([{ id: 's', name: 's', scope: 'user', key: 's', autoStart: false, resolve: async () => spec }]);
    const state = await settled(pool, await pool.connect('s'));
    row.connectMs = Date.now() - begun;
    row.installMs = installedMs;
    if (state.kind !== 'connected')
      return { ...row, failure: state.failure?.message ?? describeState(state), stderr: state.failure?.stderrTail };
    const connection = pool.get('s');
    const { info } = state;
    row.server = `${info.name} ${info.version}`;
    row.protocol = info.protocolVersion;
    row.tools = connection.tools.length;
    row.leftOut = connection.leftOut;
    if (state.listError) row.listError = state.listError;
    row.calls = [];
    for (const call of calls) row.calls.push(await tryCall(pool, call));
    row.regain = await loseAndRegain(pool, connection, calls[0]);
  } finally {
    const stopping = Date.now();
    await pool.stopAll(STOP_GRACE.orderly);
    row.stopMs = Date.now() - stopping;
    watching.dispose();
    pool.dispose();
    row.left = leftOf(home);
    writeFileSync(join(home, 'survey.log'), log.join('\n'));
  }
  return row;
}

/** Connections in surroundings of their own. `recorder`: what is told of their messages. */
export function openPool({ dir, hostEnvironment, home, log, recorder }) {
  return new ConnectionPool({
    clock: systemClock,
    log: () => ({ log: (level, message) => log.push(`${level}: ${message}`) }),
    platform: process.platform,
    hostEnvironment,
    fetch,
    homeDir: home,
    loginPath: async () => undefined,
    clientInfo: { name: 'mcp-switchboard-survey', version: '0' },
    requests: { roots: () => [{ uri: `file://${dir}`, name: 'survey' }] },
    ...(recorder && { recorder }),
    settings: () => ({
      localConcurrency: 1,
      remoteConcurrency: 1,
      handshakeTimeoutMs: 15_000,
      discoveryTimeoutMs: 15_000,
    }),
  });
}

async function tryCall(pool, [tool, args, says]) {
  const begun = Date.now();
  try {
    const session = await pool.ready('s', 5000);
    const result = await session.callTool(tool, args, { timeoutMs: CALL_MS });
    const text =
      result.content.map((block) => block.text ?? `[${block.type}]`).join('\n') ||
      JSON.stringify(result.structuredContent ?? '');
    return { tool, ms: Date.now() - begun, isError: result.isError, ok: says.test(text), text: text.slice(0, 300) };
  } catch (error) {
    return {
      tool,
      ms: Date.now() - begun,
      isError: true,
      ok: says.test(error.message),
      code: error.code,
      text: error.message.slice(0, 300),
    };
  }
}

/** Kills the server's own process, not what started it, and waits until it is connected again and answers. */
async function loseAndRegain(pool, connection, call) {
  const tree = await settledTree(connection.state.info.pid);
  const killed =
    tree.find(({ pid }) => !tree.some(({ parent, pid: child }) => parent === pid && isStarter(tree, child))) ??
    tree.at(-1);
  const begun = Date.now();
  const seen = new Set();
  const watching = pool.onDidChangeState(({ state }) => seen.add(state.kind));
  process.kill(killed.pid, 'SIGKILL');
  while (!(seen.has('connecting') && connection.state.kind === 'connected') && Date.now() - begun < REGAIN_MS)
    await sleep(50);
  watching.dispose();
  if (!seen.has('connecting')) return { failure: `not lost by the end of ${killed.words[0]}` };
  if (connection.state.kind !== 'connected') return { failure: describeState(connection.state) };
  const ms = Date.now() - begun;
  return { ms, tools: connection.tools.length, call: await tryCall(pool, call) };
}

/** What runs for longer than a moment: servers ask programs of the system about it. */
async function settledTree(pid) {
  const before = await readStartedTree(process.platform, pid);
  await sleep(2000);
  const after = await readStartedTree(process.platform, pid);
  return after.filter((row) => before.some((other) => other.pid === row.pid));
}

/** A server that isn't there at the first attempt is tried again, as users have it. */
export async function settled(pool, first) {
  for (const until = Date.now() + REGAIN_MS; Date.now() < until; await sleep(50)) {
    const { state } = pool.get('s');
    if (!['pending', 'connecting', 'installing'].includes(state.kind)) return state;
  }
  return first;
}

/** Whether a process is part of what starts the server: it is the only child, or has the server below it. */
function isStarter(tree, pid) {
  const { parent, words } = tree.find((row) => row.pid === pid);
  const siblings = tree.filter((row) => row.parent === parent);
  return siblings.length === 1 && !/chrom|browser|\bconfig get\b/i.test(words.join(' '));
}

/** Processes that have the home of this survey in their environment. */
function leftOf(home) {
  if (process.platform !== 'linux') return 'unknown';
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`HOME=${home}`)) return [];
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').slice(0, 100)];
      } catch {
        return [];
      }
    });
}

/** A repository and files that the calls are about. */
export function prepare(dir, env) {
  rmSync(dir, { recursive: true, force: true });
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=Survey', '-c', 'user.email=survey@example.com', ...args], {
      cwd: dir,
      env,
      stdio: 'ignore',
    });
  mkdirSync(dir, { recursive: true });
  const files = {
    'good.js': 'export const answer = 42;\n',
    'bad.js': 'const unused = missing;\n',
    'package.json': '{ "name": "survey", "version": "1.0.0", "type": "module" }\n',
    'eslint.config.js': 'export default [{ rules: { "no-undef": 2, "no-unused-vars": 2 } }];\n',
    'openapi.json': JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Survey', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses: { 200: { description: 'ok' } } } } },
    }),
    'packed.xml': '<files><file path="a.js">const a = 1;</file></files>\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'first commit');
}
