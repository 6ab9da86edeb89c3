// What the checked reading of files takes at least, in a process of its own: the same operations of the file system, with nothing
// done about their results. Prints milliseconds of this thread's processor time.
import { close, constants, fstat, open, read, readdirSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { threadCpuMs } from '../scale/processorTime.ts';

const [folder = ''] = process.argv.slice(2);
const files = readdirSync(folder).flatMap((name) =>
  readdirSync(path.join(folder, name)).map((file) => path.join(folder, name, file)),
);

async function readChecked(file: string): Promise<void> {
  const real = await fs.realpath(file);
  await fs.stat(real);
  const handle = await promisify(open)(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  const { size } = await promisify(fstat)(handle);
  await promisify(read)(handle, Buffer.allocUnsafe(size + 1), 0, size + 1, null);
  await promisify(close)(handle);
}

await readChecked(files[0] ?? '');
const before = threadCpuMs();
await Promise.all(files.map(readChecked));
console.log(threadCpuMs() - before);
