import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDir, root } from '../../scripts/lib/paths.mjs';

/**
 * A copy of the repository for one test to build in, so that it takes no bundle from under the windows of other tests.
 * What is installed is linked. It lies in the cache, as scratch workspaces do.
 */
export function repositoryCopy(): { readonly path: string; remove(): void } {
  const parent = join(cacheDir, 'copies');
  mkdirSync(parent, { recursive: true });
  const path = realpathSync(mkdtempSync(join(parent, 'repository-')));
  const leaveOut = new Set(['.git', '.cache', 'node_modules', 'dist', 'out']);
  for (const name of readdirSync(root).filter((each) => !leaveOut.has(each)))
    cpSync(join(root, name), join(path, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'), 'junction');
  symlinkSync(cacheDir, join(path, '.cache'), 'junction');
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }) };
}
