// npm run -s bench -- scale [--servers N] [--tools N]
//
// Thousands of tools in one window: many servers in this process, each with many tools, come up at once, with and without the
// gateway in front. Printed: the processor time of that per tool, how long one piece of work holds the thread at most, and
// what one server's changed list costs.
import { option, median, report } from './connection/report.ts';
import { comeUp } from './scale/comeUp.ts';

const size = { servers: option('servers', 100), tools: option('tools', 100) };
await comeUp({ servers: 10, tools: 10 }, true); // Just-in-time compilation is paid once per process.
const alone = await comeUp(size, false);
const whole = await comeUp(size, true);
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
  },
  { gatewayShare: '<= 1.2' },
);
process.exit(0);
