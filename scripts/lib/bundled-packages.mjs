import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/** Of packages that stand in another package's files: their bundlers say in a comment where they begin. */
const INLINED = /^\/\/#region \S*node_modules\/((?:@[^/\s]+\/)?[^/\s]+)\//gm;

/**
 * The packages that the bundles hold, by name, also those that a package brings within its own files. Needs a build: out/dist.json says
 * what went into them.
 * @returns {string[]}
 */
export function bundledPackages() {
  const chunks = JSON.parse(readFileSync(join(root, 'out', 'dist.json'), 'utf8'));
  /** @type {string[]} */
  const modules = Object.values(chunks)
    .flatMap((chunk) => chunk.modules)
    .filter((module) => module.includes('node_modules/'));
  const inlined = modules.flatMap((module) => [...read(module).matchAll(INLINED)].map(([, name = '']) => name));
  const names = modules.map((module) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? '');
  return [...new Set([...names, ...inlined].filter(Boolean))].sort((one, other) => (one < other ? -1 : 1));
}

/** @param {string} module maybe one that the bundler has made */
function read(module) {
  const file = join(root, module.slice(module.indexOf('node_modules/')));
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
