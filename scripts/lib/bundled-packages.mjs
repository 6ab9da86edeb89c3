import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './paths.mjs';

/**
 * The packages that the bundles hold, by name. Needs a build: out/dist.json says what went into them.
 * @returns {string[]}
 */
export function bundledPackages() {
  const chunks = JSON.parse(readFileSync(join(root, 'out', 'dist.json'), 'utf8'));
  const modules = Object.values(chunks).flatMap((chunk) => chunk.modules);
  const names = modules.map((module) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1] ?? '');
  return [...new Set(names.filter(Boolean))].sort();
}
