import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nodeProgramFault } from './node-program.mjs';
import { nodeBelow } from './paths.mjs';
import { onPath, run, runNpm, say } from './run.mjs';

/** The package `node`, and below it, outside of package-lock.json, what its install script adds. */
const packageBelow = (folder) => join(folder, 'node_modules', 'node');
const addedBelow = (folder) => join(packageBelow(folder), 'node_modules');
/** npm puts the folder of these first on the PATH of its scripts. */
const linkBelow = (folder) => join(folder, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

/**
 * Makes the program of Node 24 be there, be the one that is known, and stand first on the PATH of npm's scripts.
 * @param {string} folder a folder with `node_modules`
 * @param {string} [platform] as `process.platform`
 * @param {string} [arch] as `process.arch`
 * @throws where it can't be had, or isn't the one that is known: nothing of it is left then
 */
export async function ensureNodeProgram(folder, platform = process.platform, arch = process.arch) {
  // Also of one that is there: an installation may have been interrupted before it was looked at.
  if (!existsSync(nodeBelow(folder)) || faultBelow(folder, platform, arch) !== undefined) {
    say('waiting for Node 24 (npm package "node") …');
    await installNodeProgram(folder);
    const fault = faultBelow(folder, platform, arch);
    if (fault !== undefined) {
      removeProgram(folder);
      throw new Error(`The program of Node 24 isn't the one that is known: ${fault}`);
    }
  }
  // npm links only what is there while it installs, and the program wasn't.
  if (!existsSync(linkBelow(folder))) await runNpm(['rebuild', '--ignore-scripts', 'node'], { cwd: folder });
}

/**
 * Runs the install script of the package `node`, which fetches its program; no other package's script is run.
 * @param {string} folder a folder with `node_modules`
 */
export async function installNodeProgram(folder) {
  // What an earlier run added isn't locked, and the script would load it in place of what is.
  removeProgram(folder);
  const env = { ...process.env, npm_config_ignore_scripts: 'true' };
  // An installation removes the program that runs this script, where npm found it by the link.
  const node = existsSync(process.execPath) ? process.execPath : onPath('node');
  if (node === undefined) throw new Error('node is not on PATH.');
  await run(node, ['installArchSpecificPackage'], { cwd: packageBelow(folder), env });
  if (!existsSync(nodeBelow(folder))) throw new Error(`Node is not at ${nodeBelow(folder)}. Try: npm rebuild node`);
}

function removeProgram(folder) {
  rmSync(addedBelow(folder), { recursive: true, force: true });
  rmSync(nodeBelow(folder), { force: true });
}

function faultBelow(folder, platform, arch) {
  const record = join(addedBelow(folder), '.package-lock.json');
  const packages = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).packages : {};
  return nodeProgramFault(packages, platform, arch);
}
