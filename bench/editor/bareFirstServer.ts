// Runs in the extension host: the floor of what `activation.ts` measures, a bare SDK client that is loaded and connects one server.
import { writeFileSync } from 'node:fs';
import { quietThread, threadCpuMs, watchSlices } from '../scale/processorTime.ts';

export async function run(): Promise<void> {
  const { SWITCHBOARD_BENCH_BARE: file = '', SWITCHBOARD_BENCH_SERVER: server = '[]' } = process.env;
  const [command = '', ...args] = JSON.parse(server) as string[];
  await quietThread();
  const watch = process.env['SWITCHBOARD_BENCH_WATCHED'] === '1' ? watchSlices() : undefined;
  const began = threadCpuMs();
  const { toolsOf } = require(file) as typeof import('./bareClient.ts');
  if ((await toolsOf(command, args)) === 0) throw new Error('the server has no tools');
  const cpuMs = threadCpuMs() - began;
  const figures = watch ? { sliceMs: watch.stop() } : { cpuMs };
  writeFileSync(process.env['SWITCHBOARD_BENCH_RESULT'] ?? '', JSON.stringify(figures));
}
