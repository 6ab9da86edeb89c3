import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord, sha256, stableStringify } from '../base/json/json.ts';

/** Which build of the extension is installed. */
export interface InstalledBuild {
  readonly version: string;
  /** 40 hex digits, followed by `-changed` where files differed from that commit; `unknown` where it isn't recorded. */
  readonly commit: string;
  /**
   * SHA-256, in hex, of the lines `SHA-256  NAME` of all files of the package, in the order of their names; `unknown` where the extension runs
   * from its sources. See `sumsOf`.
   */
  readonly checksum: string;
}

/**
 * Reads which build is installed, so that a report can be compared with a release (see docs/releasing.md).
 * @param folder of the extension
 * @throws if one of the files can't be read
 */
export async function readBuild(folder: string): Promise<InstalledBuild> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const recorded = await readFile(join(folder, 'dist', 'build.json'), 'utf8')
    .then(JSON.parse)
    .catch(() => undefined);
  const isSources = (await readdir(folder)).some((name) => name === '.git' || name === 'tsconfig.json');
  const checksum = isSources ? 'unknown' : sha256((await sumsOf(folder)).map((line) => `${line}\n`).join(''));
  return { version: textOf(manifest, 'version'), commit: textOf(recorded, 'commit'), checksum };
}

/**
 * A line `SHA-256  NAME` for each file under the folder, whatever it is, sorted by name: what is added counts, too. Left out is what editors
 * write when they install: files of the folder itself whose names begin with a dot, and `__metadata` in `package.json`, which counts as JSON with
 * sorted keys, since they write it anew. A link counts by what it leads to, and isn't followed.
 */
async function sumsOf(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => !entry.isDirectory() && !(entry.parentPath === folder && entry.name.startsWith('.')))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
  // A line break in a name would let one file look like two.
  return Promise.all(
    names.sort().map(async (name) => `${await digestOf(folder, name)}  ${JSON.stringify(name).slice(1, -1)}`),
  );
}

async function digestOf(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  const found = await lstat(file);
  if (found.isSymbolicLink()) return sha256(`link:${await readlink(file)}`);
  // Reading a FIFO would never end.
  if (!found.isFile()) return sha256('special:');
  const bytes = await readFile(file);
  if (name === 'package.json') return sha256(stableStringify(withoutMetadata(JSON.parse(bytes.toString()))));
  return createHash('sha256').update(bytes).digest('hex');
}

function withoutMetadata(manifest: unknown): unknown {
  if (!isRecord(manifest)) return manifest;
  const { __metadata: _ofTheEditor, ...own } = manifest;
  return own;
}

function textOf(value: unknown, key: string): string {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : 'unknown';
}
