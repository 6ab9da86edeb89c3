// The MCP conformance suite: installed into .cache on first use, run as a command, and what came of it counted.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '0.2.0-alpha.12';
const LIMIT_MS = 120_000;

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
 * All scenarios that there are: those of each revision of the protocol, those that came after its release or are pending among
 * them, and those of extensions.
 * @param {'client' | 'server'} side
 * @returns by revision, oldest first; `extension` for those that belong to none
 */
export function scenariosOf(side) {
  const { stdout } = conformance(['list', `--${side}`]);
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [, name = '', revisions = ''] of stdout.matchAll(/^ {2}- (\S+) \[(.+)\]$/gm))
    for (const revision of revisions.split(',')) found.set(revision, [...(found.get(revision) ?? []), name]);
  if (found.size < 2) throw new Error(`no scenarios for a ${side}`);
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
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
