// electron-suite.mjs: runs test/host in a desktop VS Code, which @vscode/test-electron downloads.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleHostTests, echo, hostEnvironment, besideExtensions } from './host-tests.mjs';
import { root } from './paths.mjs';
import { scratchWorkspace } from './workspace.mjs';

const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
const extensionTestsPath = await bundleHostTests();
let vscodeExecutablePath;
try {
  vscodeExecutablePath = await downloadAndUnzipVSCode('stable');
} catch (error) {
  console.error(
    `The desktop VS Code could not be downloaded (${error.message}), so the suite can't run on this machine.`,
  );
  console.error('npm run test:host runs the same tests in VS Code for the browser.');
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
