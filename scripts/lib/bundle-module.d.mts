import type { InputOptions, OutputOptions } from 'rolldown';

/** What holds for everything that is bundled here. */
export const forNode: Readonly<InputOptions>;

/** What stands in for parts of the SDK in what is shipped. */
export const sdkAlias: Readonly<Record<string, string>>;
/** The same, with the schemas of the SDK as it makes them. */
export const sdkAliasAlone: Readonly<Record<string, string>>;

/** Bundles one module of tests or benchmarks into one file; the source is relative to the root. */
export function bundleModule(
  source: string,
  file: string,
  options: Pick<OutputOptions, 'format' | 'minify' | 'sourcemap'> & {
    readonly external?: readonly string[];
    readonly alias?: Readonly<Record<string, string>>;
  },
): Promise<void>;
