import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureNodeProgram } from './install-node.mjs';
import { root } from './paths.mjs';
import { onPath, run, runNpm, say } from './run.mjs';

/** Makes `node_modules` what package-lock.json says, with the program of Node 24. */
export async function ensurePackages() {
  await installPackages();
  await ensureNodeProgram(root);
}

/**
 * The same without the program. Compares with npm's own record of what it installed, which it writes last: so an interrupted
 * installation is seen, and nothing is started when nothing is missing. No package runs a script of its own while it is installed: that
 * would have the rights of whoever installs it, as those of a job that publishes.
 */
export async function installPackages() {
  const missing = firstMissingPackage();
  if (!missing) return;
  say(`waiting for npm ci (${missing} is missing or not the version of package-lock.json) …`);
  await runNpm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: root });
}

function firstMissingPackage() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return 'node_modules';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  for (const [path, entry] of Object.entries(wanted)) {
    // Packages for other systems are optional and rightly absent; a folder of this repository is linked, not installed.
    if (!path.startsWith('node_modules/') || (entry.optional && !installed[path])) continue;
    if (installed[path]?.version !== entry.version || !existsSync(join(root, path))) return path;
  }
  return undefined;
}

/**
 * A Chromium to drive. As root on a Debian-like machine it is installed when absent.
 * @returns {Promise<string>} the program's path
 */
export async function ensureChromium() {
  const found = findChromium();
  if (found) return found;
  if (!(await aptInstall(['chromium']))) {
    throw new Error(
      'No Chromium found. Install one (Debian: apt install chromium) or name it: CHROMIUM=/path npm test',
    );
  }
  const installed = findChromium();
  if (!installed) throw new Error('apt installed chromium, but no chromium is on PATH.');
  return installed;
}

function findChromium() {
  const { CHROMIUM } = process.env;
  if (CHROMIUM) {
    if (existsSync(CHROMIUM)) return CHROMIUM;
    throw new Error(`CHROMIUM names ${CHROMIUM}, which does not exist.`);
  }
  if (existsSync('/usr/bin/chromium')) return '/usr/bin/chromium';
  return onPath('chromium') ?? onPath('chromium-browser') ?? onPath('google-chrome') ?? onPath('google-chrome-stable');
}

/** One after the other: apt lets nobody else in meanwhile. */
let lastAptInstall = Promise.resolve();

/**
 * Installs Debian packages when that is possible at all: as root, with apt.
 * @param {readonly string[]} packages
 * @returns {Promise<boolean>} false when this machine gives no right or no apt to do so
 */
export async function aptInstall(packages) {
  if (process.getuid?.() !== 0 || !onPath('apt-get')) return false;
  const install = async () => {
    say(`waiting for apt-get install ${packages.join(' ')} …`);
    await aptUpdate();
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env: aptEnvironment() });
  };
  const installed = lastAptInstall.then(install);
  lastAptInstall = installed.catch(() => undefined);
  await installed;
  return true;
}

/** Fetches Debian's lists of packages: without them, it knows none. */
export async function aptUpdate() {
  await run('apt-get', ['update'], { env: aptEnvironment() });
}

function aptEnvironment() {
  return { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
}
