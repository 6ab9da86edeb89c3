import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ProcessTree, signal } from './process-tree.mjs';

/** Longer than the 5 s that the editor gives an extension host to deactivate its extensions. */
const stopTimeMs = 8_000;
const startTimeMs = 120_000;

/**
 * Starts the editor's server with a data folder of its own. See `editor.d.mts` for the options.
 */
export async function startEditor(options) {
  const { editor, extension, install = [], link = [], settings = {}, trust = true, env = {} } = options;
  const dataDir = mkdtempSync(join(tmpdir(), 'mcp-switchboard-editor-'));
  const extensionsDir = join(dataDir, 'extensions');
  mkdirSync(extensionsDir);
  for (const folder of install) cpSync(folder, installedAt(extensionsDir, folder), { recursive: true });
  for (const folder of link) symlinkSync(resolve(folder), installedAt(extensionsDir, folder), 'junction');
  // This build keeps a browser client's user settings on the server's side, so a file can provide them.
  mkdirSync(join(dataDir, 'data', 'User'), { recursive: true });
  writeFileSync(
    join(dataDir, 'data', 'User', 'settings.json'),
    JSON.stringify({ ...quietSettings, ...settings }, null, 2),
  );

  const flags = ['--host', '127.0.0.1', '--port', String(options.port ?? 0), ...tokenFlags(dataDir, options.token)];
  flags.push('--accept-server-license-terms', '--disable-telemetry');
  // The driver is what lets a page name an extension under development, but it also hides every notification.
  if (extension) flags.push('--enable-smoke-test-driver');
  flags.push('--server-data-dir', dataDir, '--extensions-dir', extensionsDir);
  if (!trust) flags.push('--disable-workspace-trust');
  const command = [editor.node, join(editor.server, 'out', 'server-main.js'), ...flags];
  const [program, ...args] = options.ownEtc ? withOwnEtc(join(dataDir, 'etc'), command) : command;
  const server = spawn(program, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment(), ...env },
  });
  let output = '';
  // It chooses a free port by itself, and says which once it listens.
  const listening = new Promise((done, fail) => {
    const timer = setTimeout(() => fail(new Error(`no answer within ${startTimeMs / 1000} s`)), startTimeMs).unref();
    const keep = (chunk) => {
      output = (output + chunk).slice(-8_000);
      const said = /Extension host agent listening on (\d+)/.exec(output);
      if (!said) return;
      clearTimeout(timer);
      done(Number(said[1]));
    };
    server.stdout.on('data', keep);
    server.stderr.on('data', keep);
  });
  const exited = new Promise((done) => server.once('exit', done).once('error', done));
  const tree = new ProcessTree(server.pid);
  // For a script that ends without `stop`: no time is left then for anything gentler.
  const abandon = () => {
    signal(-server.pid, 'SIGKILL');
    tree.kill();
  };
  process.once('exit', abandon);

  let stopping;
  const stop = () =>
    (stopping ??= (async () => {
      signal(server.pid, 'SIGTERM');
      await Promise.race([exited, new Promise((done) => setTimeout(done, stopTimeMs).unref())]);
      const left = await tree.ended(stopTimeMs);
      abandon();
      process.off('exit', abandon);
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
      // What the editor's own extensions leave behind isn't ours.
      const ofEditor = join(editor.server, 'extensions');
      return left
        .filter(({ command }) => !command.includes(ofEditor))
        .map(({ pid, command }) => `${command} (pid ${pid})`);
    })());

  let port;
  try {
    port = await Promise.race([listening, exited.then(() => Promise.reject(new Error('it ended')))]);
  } catch (error) {
    await stop();
    throw new Error(`The editor did not start: ${error.message}\n${output}`, { cause: error });
  }
  const host = `127.0.0.1:${port}`;
  return {
    port,
    pid: server.pid,
    dataDir,
    url: (workspace, { testsPath, agent = false } = {}) => {
      const remote = (path) => `vscode-remote://${host}${resolve(path)}`;
      const payload = [];
      if (extension) payload.push(['extensionDevelopmentPath', remote(extension)]);
      if (testsPath) payload.push(['extensionTestsPath', remote(testsPath)]);
      if (payload.length > 0) payload.push(['skipWelcome', 'true']);
      const query = options.token ? [`tkn=${options.token}`] : [];
      query.push(`folder=${encodeURI(resolve(workspace))}`);
      if (agent) query.push('agent=on');
      if (payload.length > 0) query.push(`payload=${encodeURIComponent(JSON.stringify(payload))}`);
      return `http://${host}/?${query.join('&')}`;
    },
    processes: () => tree.alive(),
    output: () => output,
    exited,
    stop,
  };
}

/** Not among the arguments, which every user of the machine sees. */
function tokenFlags(dataDir, token) {
  if (!token) return ['--without-connection-token'];
  const file = join(dataDir, 'token');
  writeFileSync(file, token, { mode: 0o600 });
  return ['--connection-token-file', file];
}

/** The command with a copy of `/etc` in place of it, seen by what it starts alone: a mount namespace. */
function withOwnEtc(copy, command) {
  if (process.platform !== 'linux' || process.getuid() !== 0)
    throw new Error(
      'An `/etc` of its own takes root on Linux: what is tested is only followed where an administrator wrote it.',
    );
  cpSync('/etc', copy, { recursive: true, verbatimSymlinks: true });
  return ['unshare', '--mount', 'sh', '-c', 'mount --bind "$0" /etc && exec "$@"', copy, ...command];
}

/** What would cover the window or ask the network, in a test as well as in the demo. */
const quietSettings = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'update.mode': 'none',
  'git.enabled': false,
};

function installedAt(extensionsDir, folder) {
  const { publisher, name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(extensionsDir, `${publisher}.${name}-${version}`.toLowerCase());
}

/** Ours, without what npm and an editor around us have put into it for their own children. */
function environment() {
  const own = /^(npm_|VSCODE_|ELECTRON_|NODE_OPTIONS$)/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
}
