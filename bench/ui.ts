// npm run -s bench -- ui [--servers N] [--tools N]
//
// What the editor waits for while somebody types in a file of 200 servers: completion, and the problems after a keystroke, in
// processor time of this process. Then the view of servers in a real editor: until it has all rows of 500 servers with 10,000
// tools, the code that makes them included; and until it is told of one server's new state. Each part of the interface has a
// file of its own in bench/ui/.
import { report } from './connection/report.ts';
import { measureFiles } from './ui/fileParts.ts';
import { measureTree } from './ui/tree.ts';

const files = await measureFiles();
const tree = await measureTree();
report(
  'ui',
  { ...files, ...tree },
  {
    completionCpuMs: '<= 20',
    diagnosticsCpuMs: '<= 15',
    treeLoadedAtActivation: '<= 0',
    treeFirstCpuMs: '<= 50',
    treeRowsOfAChange: '<= 1',
    treeChangeMs: '<= 2',
  },
);
process.exit(0);
