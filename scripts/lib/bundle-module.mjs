import { join } from 'node:path';
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

/** What stands in for parts of the SDK, where its schemas are to be those that it makes. */
export const sdkAliasAlone = {
  // Tool arguments and results are validated by argumentValidator.ts alone, so the SDK's own copy of Ajv stays out.
  '@modelcontextprotocol/client/_shims': join(root, 'src/connection/protocol/sdkShims.ts'),
  // The SDK takes six of its functions, and a bundler can't see which.
  jose$: join(root, 'src/connection/protocol/joseParts.ts'),
};

/** What stands in for parts of the SDK in what is shipped. */
export const sdkAlias = { ...sdkAliasAlone, 'zod/v4$': join(root, 'src/connection/protocol/lazyZod.ts') };

/**
 * Bundles one module of tests or benchmarks into one file.
 * @param {string} source relative to the root
 * @param {string} file
 * @param {{ format: 'cjs' | 'esm', minify?: boolean, external?: string[], alias?: Record<string, string>, sourcemap?: 'inline' }} options
 */
export async function bundleModule(source, file, { external = [], alias = {}, ...output }) {
  await build({
    ...forNode,
    resolve: { ...forNode.resolve, alias },
    input: source,
    external: ['vscode', ...external],
    output: { ...output, file, codeSplitting: false },
  });
}
