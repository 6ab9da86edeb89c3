import { matchesGlob } from '../../base/text/glob.ts';
import { serverOf } from '../../catalog/names/serverNames.ts';
import { underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';

/**
 * Finds tools by what their names say that they do. A name is taken as `mcp_<server>_<words of the tool>_`, so that
 * `deleteNote` and `delete-note` are both caught by `mcp_*_delete_*`, and a server's own name never is.
 */
export class WritePatterns {
  readonly #patterns: readonly string[];
  readonly #known = new WeakMap<CatalogTool, { readonly pattern: string | undefined }>();

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => pattern.toLowerCase());
  }

  /** The pattern that catches the tool, if one does. */
  patternFor(tool: CatalogTool): string | undefined {
    let known = this.#known.get(tool);
    if (!known) {
      const { configuredName, name: shown, part } = serverOf(tool);
      const servers = [configuredName, shown, part].map((each) =>
        each.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ''),
      );
      const names = [...new Set([underlyingOf(tool).name, tool.tool.name])].flatMap((name) =>
        [...new Set(servers)].map((server) => `mcp_${server}_${wordsOf(name)}_`),
      );
      const caught = (pattern: string): boolean => names.some((name) => matchesGlob(name, pattern));
      known = { pattern: this.#patterns.find(caught) };
      this.#known.set(tool, known);
    }
    return known.pattern;
  }
}

function wordsOf(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .toLowerCase();
}
