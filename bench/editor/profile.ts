import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import path from 'node:path';

/**
 * Runs something in the extension host, with a CPU profile of it written to the folder that SWITCHBOARD_BENCH_PROFILE names,
 * where it names one.
 */
export async function profiled<T>(name: string, body: () => Promise<T>): Promise<T> {
  const folder = process.env['SWITCHBOARD_BENCH_PROFILE'] ?? '';
  if (folder === '') return body();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 200 });
  await session.post('Profiler.start');
  try {
    return await body();
  } finally {
    const { profile } = await session.post('Profiler.stop');
    writeFileSync(path.join(folder, `${name}.cpuprofile`), JSON.stringify(profile));
    session.disconnect();
  }
}
