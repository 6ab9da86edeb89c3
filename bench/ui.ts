// npm run -s bench -- ui
//
// What the editor waits for while somebody types in a file of 200 servers: completion, and the problems after a keystroke, in
// processor time of this process. Each part of the interface has a file of its own in bench/ui/.
import { report } from './connection/report.ts';
import { measureFiles } from './ui/fileParts.ts';

const files = await measureFiles();
report('ui', { ...files }, { completionCpuMs: '<= 20', diagnosticsCpuMs: '<= 15' });
process.exit(0);
