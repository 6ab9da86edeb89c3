import type { ParsedSource } from './parseSource.ts';
import type { ConfigSource } from '../configTypes.ts';

/**
 * `parseSource` for a source of either syntax. The parser is loaded when there is the first text to read, and the reader
 * of TOML with the first such text.
 */
export async function parseAnySource(source: ConfigSource, text: string): Promise<ParsedSource> {
  const [{ parseSource }, { syntaxOf }] = await Promise.all([
    import('./parseSource.ts'),
    import('../syntax/sourceText.ts'),
  ]);
  if (syntaxOf(source) === 'jsonc') return parseSource(source, text);
  const { readToml } = await import('../syntax/readToml.ts');
  return parseSource(source, text, readToml);
}
