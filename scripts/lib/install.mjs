import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { node24, root } from './paths.mjs';
import { onPath, run, runNpm, say } from './run.mjs';

/**
 * Makes `node_modules` what package-lock.json says. Compares with npm's own record of what it installed, which it
 * writes last: so an interrupted installation is seen, and nothing is started when nothing is missing.
 */
export async function ensurePackages() {
  await installMissing();
  await ensureNode24();
}

/**
 * The same for a job that may publish: no package runs a script while it is installed, so that only those that publish run where
 * the workflow's identity can be had. Without such a script there is no Node 24 of ours either.
 */
export async function installWithoutScripts() {
  await installMissing('--ignore-scripts');
}

async function installMissing(...options) {
  const missing = firstMissingPackage();
  if (!missing) return;
  say(`waiting for npm ci (${missing} is missing or not the version of package-lock.json) …`);
  await runNpm(['ci', '--no-audit', '--no-fund', ...options], { cwd: root });
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

/** The package `node` fetches the program in an install script, which npm can be told not to run. */
async function ensureNode24() {
  if (existsSync(node24)) return;
  say('waiting for Node 24 (npm package "node") …');
  await run(process.execPath, ['installArchSpecificPackage'], { cwd: join(root, 'node_modules', 'node') });
  if (!existsSync(node24)) throw new Error(`Node 24 is not at ${node24}. Try: npm rebuild node`);
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
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const install = async () => {
    say(`waiting for apt-get install ${packages.join(' ')} …`);
    await run('apt-get', ['update'], { env });
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env });
  };
  const installed = lastAptInstall.then(install);
  lastAptInstall = installed.catch(() => undefined);
  await installed;
  return true;
}
