import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { useReleases } from './git-dependencies.mjs';
import { aptInstall } from './install.mjs';
import { installNodeProgram } from './install-node.mjs';
import { cacheDir, node24, nodeBelow } from './paths.mjs';
import { onPath, runNpm, say, withNode } from './run.mjs';

/** VS Code 1.139.1: the editor that `npm start` opens and the tests run in. */
export const currentEditor = '4.139.1';
/** VS Code 1.106.3: the oldest editor that `engines.vscode` admits. */
export const floorEditor = '4.106.3';

/** The floor's natives and server are built for Node 22, the current ones for Node 24. */
const nodeMajorFor = { [floorEditor]: 22 };
/** The watchdog's package was renamed between the two. */
const natives = ['@vscode/spdlog', '@vscode/native-watchdog', 'native-watchdog', 'node-pty'];

/**
 * Provides VS Code without a desktop: code-server's package from npm holds the whole editor. Built in a folder of its
 * own and renamed at the end, so a folder with the version's name is always complete.
 * @param {string} [version] of code-server
 * @returns {Promise<{ version: string, node: string, server: string }>} `server` is the folder `lib/vscode`
 */
export async function ensureEditor(version = currentEditor) {
  const home = join(cacheDir, 'editor', version);
  if (!existsSync(home)) await install(version, home);
  return { version, node: nodeFor(version, home), server: serverBelow(home) };
}

// Apart from the editor, whose installation with no scripts would empty it.
const runtimeBelow = (home) => join(home, 'runtime');
const nodeFor = (version, home) => (nodeMajorFor[version] ? nodeBelow(runtimeBelow(home)) : node24);
const serverBelow = (home) => join(home, 'node_modules', 'code-server', 'lib', 'vscode');

async function install(version, home) {
  mkdirSync(join(cacheDir, 'editor'), { recursive: true });
  const temporary = mkdtempSync(`${home}.partial-`);
  try {
    say(`waiting for the editor (code-server@${version}, about two minutes, once) …`);
    const quiet = ['--no-audit', '--no-fund'];
    const node = nodeFor(version, temporary);
    if (nodeMajorFor[version]) await installNode(nodeMajorFor[version], runtimeBelow(temporary), quiet);
    const env = withNode(node);
    // Its own install script compiles for minutes and wants Kerberos headers: the steps below are what is needed of it.
    const bare = ['--ignore-scripts', ...quiet];
    await runNpm(['install', '--prefix', temporary, ...bare, `code-server@${version}`], { env });
    const server = serverBelow(temporary);
    say('waiting for the editor’s own packages …');
    for (const folder of [server, join(server, 'extensions')]) {
      useReleases(folder);
      await runNpm(['install', '--omit=dev', ...bare], { cwd: folder, env });
    }
    await buildNatives(server, env);
    renameSync(temporary, home);
  } catch (error) {
    // Another run may have finished the same version meanwhile; then its copy serves as well.
    if (!existsSync(home)) throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

async function installNode(major, folder, quiet) {
  // Of all install scripts, that which fetches the program is run alone.
  await runNpm(['install', '--prefix', folder, '--ignore-scripts', ...quiet, `node@${major}`]);
  await installNodeProgram(folder);
}

/** What the editor's Agent Host keeps its sessions in. Built on first need, since nothing else wants it. */
export async function ensureSessionStore({ server, node }) {
  const folder = join(server, 'node_modules', '@vscode', 'sqlite3');
  if (existsSync(join(folder, 'build', 'Release', 'vscode-sqlite3.node'))) return;
  say('waiting for the editor’s session store …');
  // Compiling takes three times as long as it does without optimization, which a few sessions of a test don't need.
  const env = { ...withNode(node), CFLAGS: '-O0', CXXFLAGS: '-O0' };
  await runNpm(['rebuild', '@vscode/sqlite3'], { cwd: server, env });
}

/** Without its three natives the editor runs too, noisily and without a log or a terminal: worth a note, not a failure. */
async function buildNatives(server, env) {
  try {
    const tools = ['make', 'g++', 'python3'];
    if (tools.some((tool) => !onPath(tool)) && !(await aptInstall(tools))) {
      return say(`note: the editor runs without its native modules, since one of ${tools.join(', ')} is missing.`);
    }
    say('waiting for the editor’s native modules …');
    const present = natives.filter((name) => existsSync(join(server, 'node_modules', name)));
    await runNpm(['rebuild', ...present], { cwd: server, env });
  } catch (error) {
    say(`note: the editor runs without its native modules: ${error.message.split('\n')[0]}`);
  }
}
