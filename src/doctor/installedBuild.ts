import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { isRecord, sha256, stableStringify } from '../base/json/json.ts';

/** Which build of the extension is installed. */
export interface InstalledBuild {
  readonly version: string;
  /** 40 hex digits, followed by `-changed` where files differed from that commit; `unknown` where it isn't recorded. */
  readonly commit: string;
  /**
   * SHA-256, in hex, of the lines `SHA-256  NAME` of all files of the package, in the order of their names; `unknown` where the extension runs
   * from its sources, and why where one of them can't be read. See `sumsOf`.
   */
  readonly checksum: string;
}

/**
 * Reads which build is installed, so that a report can be compared with a release (see docs/releasing.md). Never rejects: what
 * can't be read is `unknown`.
 * @param folder of the extension
 */
export async function readBuild(folder: string): Promise<InstalledBuild> {
  const root = resolve(folder);
  const [manifest, recorded] = await Promise.all(
    [join(root, 'package.json'), join(root, 'dist', 'build.json')].map((file) =>
      readFile(file).then(parsed, () => undefined),
    ),
  );
  const checksum = await checksumOf(root).catch((error: unknown) => `could not be read (${codeOf(error)})`);
  return { version: textOf(manifest, 'version'), commit: textOf(recorded, 'commit'), checksum };
}

async function checksumOf(folder: string): Promise<string> {
  const isSources = (await readdir(folder)).some((name) => name === '.git' || name === 'tsconfig.json');
  return isSources ? 'unknown' : sha256((await sumsOf(folder)).map((line) => `${line}\n`).join(''));
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
  const manifest = name === 'package.json' ? parsed(bytes) : undefined;
  if (manifest !== undefined) return sha256(stableStringify(withoutMetadata(manifest)));
  return createHash('sha256').update(bytes).digest('hex');
}

function withoutMetadata(manifest: unknown): unknown {
  if (!isRecord(manifest)) return manifest;
  const { __metadata: _ofTheEditor, ...own } = manifest;
  return own;
}

/** `undefined` where it isn't JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString().replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Without the path, which a report has no need of. */
function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}

function textOf(value: unknown, key: string): string {
  const found = isRecord(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : 'unknown';
}
