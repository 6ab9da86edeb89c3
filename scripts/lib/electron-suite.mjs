// electron-suite.mjs: runs test/host in a desktop VS Code.
// VSCODE_PATH: its program; else @vscode/test-electron downloads one.
// VSCODE_VERSION: stable (default), insiders, floor (the oldest that the manifest admits) or a number.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleHostTests, echo, hostEnvironment, besideExtensions } from './host-tests.mjs';
import { root } from './paths.mjs';
import { scratchWorkspace } from './workspace.mjs';

const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
const extensionTestsPath = await bundleHostTests();
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const named = process.env.VSCODE_VERSION || 'stable';
let vscodeExecutablePath = process.env.VSCODE_PATH;
try {
  vscodeExecutablePath ||= await downloadAndUnzipVSCode(named === 'floor' ? engines.vscode.replace('^', '') : named);
} catch (error) {
  console.error(
    `The desktop VS Code could not be downloaded (${error.message}), so the suite can't run on this machine.`,
  );
  console.error(
    'VSCODE_PATH names one that is installed. npm run test:host runs the same tests in VS Code for the browser.',
  );
  process.exit(1);
}
const workspace = scratchWorkspace('electron');
const scratch = mkdtempSync(join(tmpdir(), 'mcp-switchboard-electron-'));
const report = join(scratch, 'report.txt');
const endEcho = echo(report);
try {
  process.exitCode = await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: [root, ...besideExtensions],
    extensionTestsPath,
    extensionTestsEnv: hostEnvironment(report),
    launchArgs: [workspace.path, '--disable-workspace-trust', '--disable-extensions'],
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  workspace.remove();
  endEcho();
  rmSync(scratch, { recursive: true, force: true });
}
