// npm start [-- --port N]: opens demo/ in an editor with this extension, and keeps running until Ctrl-C.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addAgentSwitchToPage } from './lib/agent-switch.mjs';
import { build } from './lib/build.mjs';
import { startEditor } from './lib/editor.mjs';
import { ensureEditor } from './lib/install-editor.mjs';
import { ensurePackages } from './lib/install.mjs';
import { cacheDir, root } from './lib/paths.mjs';
import { onPath, say } from './lib/run.mjs';
import { startToken } from './lib/start-token.mjs';

const demo = join(root, 'demo');
const demoModel = join(root, 'scripts', 'demo-model');

/** Resolves at Ctrl-C or when somebody ends us. Asked for early, so that an interrupted start tidies up as well. */
const interrupted = new Promise((done) => {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => done(name));
});

try {
  const { values } = parseArgs({ options: { port: { type: 'string' } } });
  await ensurePackages();
  await build();
  const code = onPath('code');
  await (code ? startDesktop(code) : startInBrowser(values.port));
} catch (error) {
  say(error.message);
  process.exitCode = 1;
}
// What is still open (a child's pipe, say) must not keep a finished script alive.
process.exit();

/** Desktop VS Code opens a window of its own and returns; closing it is the person's business. */
async function startDesktop(code) {
  const args = ['--new-window', `--extensionDevelopmentPath=${root}`, `--extensionDevelopmentPath=${demoModel}`, demo];
  // On Windows `code` is a command file: this one quotes for it. It is installed only now.
  const { default: spawn } = await import('cross-spawn');
  const child = spawn(code, args, { stdio: 'inherit' });
  const ended = new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (status) => done(status));
  });
  const status = await Promise.race([ended, interrupted]);
  if (typeof status === 'number' && status !== 0) throw new Error(`\`code\` ended with ${status}.`);
  console.log(`Opened ${demo} in desktop VS Code (${code}) with MCP Switchboard and the scripted demo model.`);
  console.log(
    'The chat’s model is "Demo Model (scripted)"; demo/README.md is a tour. Ctrl-C ends this script, not the window.',
  );
  // A pending promise alone does not keep Node running.
  const alive = setInterval(() => {}, 60_000);
  await interrupted;
  clearInterval(alive);
}

async function startInBrowser(port) {
  const editor = await ensureEditor();
  addAgentSwitchToPage(editor.server);
  say('waiting for the editor to start …');
  const running = await startEditor({
    editor,
    link: [root],
    install: [demoModel],
    // The folder is this repository's own, and its code runs already.
    trust: false,
    token: startToken(join(cacheDir, 'start-token')),
    settings: { 'workbench.startupEditor': 'readme' },
    ...(port ? { port: Number(port) } : {}),
  });
  console.log(`\nMCP Switchboard runs in VS Code for the browser, with the folder demo/. Open this address:\n`);
  console.log(`  ${running.url(demo, { agent: true })}\n`);
  console.log('If a page says Forbidden, open this address again: another editor on this machine has its cookie.\n');
  console.log('The chat’s model is "Demo Model (scripted)": fixed rules, no AI, no account. Ctrl-C ends all of it.');
  const reason = await Promise.race([interrupted, running.exited.then(() => 'exit')]);
  say('waiting for the editor and the servers to stop …');
  await running.stop();
  if (reason === 'exit') throw new Error(`The editor ended by itself:\n${running.output()}`);
}
