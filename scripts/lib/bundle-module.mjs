import { build } from 'rolldown';
import { root } from './paths.mjs';

/**
 * What holds for everything that is bundled here: it runs in the extension host, or in the oldest Node that one has.
 * @type {import('rolldown').InputOptions}
 */
export const forNode = {
  cwd: root,
  platform: 'node',
  transform: { target: 'node22' },
  // jsonc-parser's CommonJS build is UMD, whose inner requires no bundler can follow.
  resolve: { mainFields: ['module', 'main'] },
};

/**
 * Bundles one module of tests or benchmarks into one file.
 * @param {string} source relative to the root
 * @param {string} file
 * @param {{ format: 'cjs' | 'esm', minify?: boolean, external?: string[], sourcemap?: 'inline' }} options
 */
export async function bundleModule(source, file, { external = [], ...output }) {
  await build({
    ...forNode,
    input: source,
    external: ['vscode', ...external],
    output: { ...output, file, codeSplitting: false },
  });
}
