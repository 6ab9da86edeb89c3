// node package-checksum.mjs VSIX: what *Doctor* says of its files when it is installed, by its own code, which only Node 24 reads.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackBundle } from '../../src/config/bundles/unpackBundle.ts';
import { readBuild } from '../../src/doctor/installedBuild.ts';

const [, , vsix = ''] = process.argv;
const scratch = mkdtempSync(join(tmpdir(), 'switchboard-package-'));
try {
  const folder = join(scratch, 'package');
  const sha256 = createHash('sha256').update(readFileSync(vsix)).digest('hex');
  await unpackBundle(vsix, folder, { sha256, signal: new AbortController().signal });
  const { checksum } = await readBuild(join(folder, 'extension'));
  if (!/^[0-9a-f]{64}$/.test(checksum)) throw new Error(`The checksum of the package is ${checksum}.`);
  console.log(checksum);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
