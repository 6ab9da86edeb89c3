// electron-suite.mjs: runs test/host in a desktop VS Code.
// VSCODE_PATH: its program; else @vscode/test-electron downloads one.
// VSCODE_VERSION: stable (default), insiders, floor (the oldest that the manifest admits) or a number.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleHostTests, echo, hostEnvironment, besideExtensions } from './host-tests.mjs';
import { cacheDir, root } from './paths.mjs';
import { lacksDisplay, runOnVirtualDisplay } from './virtual-display.mjs';
import { scratchWorkspace } from './workspace.mjs';

if (lacksDisplay(process.platform, process.env))
  process.exit(await runOnVirtualDisplay(fileURLToPath(import.meta.url)));

const { downloadAndUnzipVSCode, runTests } = await import('@vscode/test-electron');
const extensionTestsPath = await bundleHostTests();
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const named = process.env.VSCODE_VERSION || 'stable';
const desktop = join(cacheDir, 'desktop');
let vscodeExecutablePath = process.env.VSCODE_PATH;
try {
  const version = named === 'floor' ? engines.vscode.replace('^', '') : named;
  vscodeExecutablePath ||= await downloadAndUnzipVSCode({ version, cachePath: desktop });
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
// Not in the scratch folder: on macOS, the path of a socket in it would be too long.
const [data, extensions] = ['data', 'extensions'].map((name) => join(desktop, name));
for (const folder of [data, extensions]) rmSync(folder, { recursive: true, force: true });
const endEcho = echo(report);
try {
  process.exitCode = await runTests({
    vscodeExecutablePath,
    extensionDevelopmentPath: [root, ...besideExtensions],
    extensionTestsPath,
    extensionTestsEnv: hostEnvironment(report),
    launchArgs: [
      workspace.path,
      '--disable-workspace-trust',
      '--disable-extensions',
      `--user-data-dir=${data}`,
      `--extensions-dir=${extensions}`,
    ],
  });
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  workspace.remove();
  endEcho();
  rmSync(scratch, { recursive: true, force: true });
}
