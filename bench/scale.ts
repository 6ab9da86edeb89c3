// npm run -s bench -- scale [--servers N] [--tools N]
//
// Thousands of tools in one window: many servers in this process, each with many tools, come up at once, with and without the
// gateway in front. Printed: the processor time of that per tool, how long one piece of work holds the thread at most, and
// what one server's changed list costs. Then the same in the extension host of a real editor, with the settings, the tree and
// the gateway that a user has, as a ratio to the core in this process.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { option, median, report } from './connection/report.ts';
import { LeakTracker } from '../src/base/disposable.ts';
import type { ManyServers, Round } from './editor/manyServers.ts';
import { measureInEditor } from './editor/run.ts';
import { comeUp } from './scale/comeUp.ts';

const size = { servers: option('servers', 100), tools: option('tools', 100) };
await comeUp({ servers: 10, tools: 10 }, true); // Just-in-time compilation is paid once per process.
const alone = await comeUp(size, false);
const whole = await comeUp(size, true);

// The extension under test notes where each disposable was made; here, too, then.
const tracker = new LeakTracker();
tracker.install();
const core = await comeUp({ servers: 100, tools: 20 }, false);
tracker.uninstall();
const round = (servers: number, tools = 20, watched = false): Round => ({ servers, tools, watched });
const rounds = [round(10), round(100), round(200), round(100, 100, true)];
const [, inEditor, twice, watched] = await measureInEditor<ManyServers[]>('manyServers', {
  env: { SWITCHBOARD_BENCH_SIZES: JSON.stringify(rounds) },
  prepare: (folder) => {
    rmSync(path.join(folder, '.mcp.json'));
    rmSync(path.join(folder, '.vscode'), { recursive: true });
  },
});
if (!inEditor || !twice || !watched) throw new Error('the editor gave no figures');
report(
  'scale',
  {
    ...size,
    startCpuMs: whole.startCpuMs,
    gatewayShare: whole.startCpuMs / alone.startCpuMs,
    longestSliceCpuMs: whole.longestSliceCpuMs,
    longestSliceAloneCpuMs: alone.longestSliceCpuMs,
    changeCpuMs: median(whole.changeCpuMs),
    changeAloneCpuMs: median(alone.changeCpuMs),
    editorCpuMs: inEditor.cpuMs,
    editorShare: inEditor.cpuMs / core.startCpuMs,
    editorLongestSliceMs: watched.longestSliceMs,
    editorSeconds: inEditor.wallMs / 1000,
    editorSecondsOfTwice: twice.wallMs / 1000,
    editorTwice: twice.wallMs / inEditor.wallMs,
  },
  { gatewayShare: '<= 1.2', editorShare: '<= 3', editorTwice: '<= 2.2', editorLongestSliceMs: '<= 16' },
);
process.exit(0);
