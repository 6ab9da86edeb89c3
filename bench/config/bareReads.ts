// What the checked reading of files takes at least, in a process of its own: the same operations of the file system, with nothing
// done about their results. Prints milliseconds of this thread's processor time.
import { constants, readdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { threadCpuMs } from '../scale/processorTime.ts';

const [folder = ''] = process.argv.slice(2);
const files = readdirSync(folder).flatMap((name) =>
  readdirSync(path.join(folder, name)).map((file) => path.join(folder, name, file)),
);

async function read(file: string): Promise<void> {
  const real = await fs.realpath(file);
  if (file.endsWith('.mcp.json')) await fs.realpath(path.dirname(file));
  await fs.stat(real);
  const handle = await fs.open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const { size } = await handle.stat();
  await handle.read(Buffer.allocUnsafe(size + 1), 0, size + 1, null);
  await handle.close();
}

await read(files[0] ?? '');
const before = threadCpuMs();
await Promise.all(files.map(read));
console.log(threadCpuMs() - before);
