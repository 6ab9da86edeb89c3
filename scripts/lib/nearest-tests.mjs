import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { root } from './paths.mjs';

/** Folders whose modules tests import, or are. */
const FOLDERS = ['src', 'test/unit', 'test/support', 'test/fixtures', 'scripts', 'bench'];
const MODULE = /\.(?:ts|mts|mjs)$/;
const IMPORTED = /(?:\bfrom|\bimport\(?|\bnew URL\()\s*'(\.[^']+)'/g;
/** Tried in this order; a clone has the first, a worktree beside others the last. */
const BASES = ['origin/HEAD', 'origin/main', 'main'];

/**
 * The files that differ from what the branch was made from: committed, changed or new.
 * @returns {string[]} relative to the root
 */
export function changedFiles() {
  const base = BASES.find((name) => git('rev-parse', '--verify', '--quiet', name).length > 0) ?? 'HEAD';
  const [from = 'HEAD'] = git('merge-base', 'HEAD', base);
  return [...new Set([...git('diff', '--name-only', from), ...git('ls-files', '--others', '--exclude-standard')])];
}

/**
 * The unit tests that changed, or are nearest to what changed: those that import it first, then those that import what imports it.
 * @param {readonly string[]} changed
 * @returns {{ file: string, hops: number }[]}
 */
export function testsNear(changed) {
  const importers = importersOfModules();
  const hops = new Map(changed.map((file) => [file, 0]));
  // A Map goes on to what is added to it while it is read.
  for (const [file, distance] of hops)
    for (const importer of importers.get(file) ?? []) if (!hops.has(importer)) hops.set(importer, distance + 1);
  return [...hops]
    .filter(([file]) => /^test\/unit\/.*\.test\.ts$/.test(file) && existsSync(join(root, file)))
    .map(([file, distance]) => ({ file, hops: distance }))
    .sort((one, other) => one.hops - other.hops || (one.file < other.file ? -1 : 1));
}

/** @returns {Map<string, string[]>} by module, those that import it */
function importersOfModules() {
  /** @type {Map<string, string[]>} */
  const importers = new Map();
  for (const file of FOLDERS.flatMap(modulesIn)) {
    for (const [, specifier] of readFileSync(join(root, file), 'utf8').matchAll(IMPORTED)) {
      const imported = join(dirname(file), specifier).split(sep).join('/');
      importers.set(imported, [...(importers.get(imported) ?? []), file]);
    }
  }
  return importers;
}

/** @param {string} folder */
function modulesIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && MODULE.test(entry.name))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'));
}

/**
 * @param {...string} args
 * @returns {string[]} the lines; none where git refuses
 */
function git(...args) {
  try {
    const options = /** @type {const} */ ({ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return execFileSync('git', args, options).split('\n').filter(Boolean);
  } catch {
    return [];
  }
}
