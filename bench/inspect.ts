// npm run -s bench -- inspect
//
// What the inspector costs. Its page, in the browser that the tests use: how long a filter of 100,000 messages takes until what it
// finds is drawn, how long a jump through their list, what of the heap they take, and the processor time of 1,000 messages per
// second, in the page and in the extension host.
import { report } from './connection/report.ts';
import { measureInspectorPage } from './ui/inspectorPage.ts';

const { pageCpuPercent, hostCpuPercent, ...page } = await measureInspectorPage();
report(
  'inspect',
  { ...page, openCpuPercent: pageCpuPercent + hostCpuPercent },
  { filterMs: '<= 100', scrollMs: '<= 100', memoryMiB: '<= 114', openCpuPercent: '<= 15' },
);
process.exit(0);
