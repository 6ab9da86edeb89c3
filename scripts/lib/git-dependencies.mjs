import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Turns a package's dependencies on a git repository into the published release of the same version, so that the
 * registry is all that an installation needs. The floor's editor has one: `@parcel/watcher` at a commit of 2.5.1.
 * @param {string} folder with package.json and npm-shrinkwrap.json
 */
export function useReleases(folder) {
  const manifest = readJson(join(folder, 'package.json'));
  const lock = readJson(join(folder, 'npm-shrinkwrap.json'));
  const fromGit = Object.entries(lock.packages).filter(([, entry]) => entry.resolved?.startsWith('git+'));
  for (const [path, { version }] of fromGit) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    for (const list of [manifest, lock.packages['']].flatMap((from) => [from.dependencies, from.devDependencies])) {
      if (list && Object.hasOwn(list, name)) list[name] = version;
    }
    // npm asks the registry for what a lock file doesn't know.
    delete lock.packages[path];
  }
  if (fromGit.length === 0) return;
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), JSON.stringify(lock, null, 2));
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
