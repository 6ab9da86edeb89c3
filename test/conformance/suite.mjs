// The MCP conformance suite: installed into .cache on first use, run as a command, and what came of it counted.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '0.2.0-alpha.12';
const LIMIT_MS = 120_000;
/** Released revisions of the protocol that have requirements. */
export const REVISIONS = ['2025-11-25', '2026-07-28'];

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const node = join(root, 'node_modules', 'node', 'bin', 'node');
export const home = join(root, '.cache', 'conformance', VERSION);
const cli = join(home, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');

export function install() {
  if (existsSync(cli)) return;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', `@modelcontextprotocol/conformance@${VERSION}`];
  const { status } = spawnSync('npm', args, { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0 || !existsSync(cli)) throw new Error(`the conformance suite ${VERSION} could not be installed`);
}

/**
 * Each run is a process, and one more where there is a client: what V8 made of their files is kept for the next.
 * @param {string[]} args
 */
export function conformance(args) {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(home, 'compile-cache') };
  return spawnSync(node, [cli, ...args], { cwd: home, env, encoding: 'utf8', timeout: LIMIT_MS });
}

/**
 * The names of the scenarios that a revision requires.
 * @param {'client' | 'server'} side
 * @param {string} revision
 */
export function scenariosOf(side, revision) {
  const { stdout } = conformance(['list', `--${side}`, '--requirements', revision]);
  const [, section = ''] = stdout.split(side === 'client' ? 'Client scenarios' : 'Server scenarios');
  const [required = ''] = section.split(/Client scenarios|Run and reported/);
  const names = [...required.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
  if (names.length === 0) throw new Error(`no scenarios for ${revision}`);
  return names;
}

/**
 * Starts a script of ours that prints the address that it serves, and goes when its input ends.
 * @param {string[]} args
 * @returns {Promise<{ url: string, stop: () => void }>}
 */
export async function serve(...args) {
  const child = spawn(node, args, { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim()));
    child.once('exit', () => reject(new Error(`${args[0]} did not start`)));
  });
  return { url, stop: () => child.stdin.end() };
}

/** What passed, and what failed. */
export class Tally {
  passed = 0;
  /** @type {string[]} */
  failures = [];

  /**
   * @param {string} name
   * @param {boolean} isOk
   * @param {string} [details] printed where it isn't
   */
  add(name, isOk, details = '') {
    console.log(`${isOk ? 'ok    ' : 'FAILED'} ${name}`);
    if (isOk) this.passed += 1;
    else {
      this.failures.push(name);
      console.log(details);
    }
  }
}
