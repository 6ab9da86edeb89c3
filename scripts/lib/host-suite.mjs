// host-suite.mjs [code-server version]: runs test/host inside the extension host of the editor.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleHostTests, echo, hostEnvironment, besideExtensions } from './host-tests.mjs';
import { runInEditor } from './in-editor.mjs';
import { scratchWorkspace } from './workspace.mjs';

const testsPath = await bundleHostTests();
const workspace = scratchWorkspace('host');
const scratch = mkdtempSync(join(tmpdir(), 'mcp-switchboard-host-'));
const report = join(scratch, 'report.txt');
const endEcho = echo(report);
let result;
try {
  const env = hostEnvironment(report);
  result = await runInEditor({
    testsPath,
    workspace: workspace.path,
    version: process.argv[2],
    link: besideExtensions,
    env,
  });
} finally {
  workspace.remove();
  endEcho();
  rmSync(scratch, { recursive: true, force: true });
}
for (const process of result.left) console.error(`left behind by the editor: ${process}`);
// The editor says much about itself: of interest are the last complaints before it went wrong.
if (result.code !== 0) console.log(`\nThe end of the editor's console:\n${result.complaints.join('\n')}`);
process.exit(result.left.length > 0 ? 1 : result.code);
