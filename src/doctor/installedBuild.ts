import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../base/json/json.ts';

/** Which build of the extension is installed. */
export interface InstalledBuild {
  readonly version: string;
  /** 40 hex digits, followed by `-changed` where files differed from that commit; `unknown` where it isn't recorded. */
  readonly commit: string;
  /** SHA-256 over `dist/`, in hex: of the lines `SHA-256  NAME` of its files, in the order of their names. */
  readonly checksum: string;
}

/**
 * Reads which build is installed, so that a report can be compared with a release (see docs/releasing.md).
 * @param folder of the extension, with `package.json` and `dist/`
 * @throws if one of them can't be read
 */
export async function readBuild(folder: string): Promise<InstalledBuild> {
  const dist = join(folder, 'dist');
  const names = (await readdir(dist)).filter((name) => !name.endsWith('.map')).sort();
  const sum = createHash('sha256');
  for (const name of names) {
    const digest = createHash('sha256').update(await readFile(join(dist, name)));
    sum.update(`${digest.digest('hex')}  ${name}\n`);
  }
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const recorded: unknown = names.includes('build.json')
    ? JSON.parse(await readFile(join(dist, 'build.json'), 'utf8'))
    : undefined;
  return { version: textOf(manifest, 'version'), commit: textOf(recorded, 'commit'), checksum: sum.digest('hex') };
}

function textOf(value: unknown, key: string): string {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : 'unknown';
}
