import type { OutputOptions } from 'rolldown';

/** Bundles one module of tests or benchmarks into one file; the source is relative to the root. */
export function bundleModule(
  source: string,
  file: string,
  options: Pick<OutputOptions, 'format' | 'minify' | 'sourcemap'> & { readonly external?: readonly string[] },
): Promise<void>;
