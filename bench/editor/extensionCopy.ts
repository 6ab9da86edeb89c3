import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/lib/paths.mjs';

interface Manifest {
  readonly activationEvents: readonly string[];
  readonly contributes: { readonly languageModelTools: readonly object[] };
}

/** The extension as it is built, in a folder of its own, with another manifest. Gives the folder, which the caller removes. */
export function extensionCopy(change: (manifest: Manifest) => object): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'switchboard-copy-'));
  for (const name of ['dist', 'media', 'schemas', 'package.nls.json']) {
    cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  }
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Manifest;
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(change(manifest)));
  return folder;
}
