import { conventionsOf } from '../clients/clientConventions.ts';
import type { ConfigSource } from '../configTypes.ts';
import type { ReadToml } from '../read/parseSource.ts';
import { containerOf, findServerMaps } from '../read/serverMaps.ts';
import type { ConfigNode } from '../syntax/configNode.ts';
import { readJsonc } from '../syntax/readJsonc.ts';
import { syntaxOf, type Span } from '../syntax/sourceText.ts';
import { isOverBudget } from '../syntax/textBudget.ts';
import { LONGEST_TEXT } from './textPlace.ts';

/** A server of a text, and where it stands. */
export interface OutlinedServer {
  readonly name: string;
  /** Of its name, as written. */
  readonly key: Span;
  /** From its name to the end of its entry. */
  readonly whole: Span;
  readonly value: ConfigNode;
}

/** What a text has, as far as it can be read. */
export interface TextOutline {
  readonly root: ConfigNode | undefined;
  /** In the order of the text. Of a text with an error, what stands before it and what is clear behind it. */
  readonly servers: readonly OutlinedServer[];
}

const NOTHING: TextOutline = { root: undefined, servers: [] };

/**
 * The servers of a text with their places. Never throws.
 * @param readToml needed for a source in TOML
 */
export function outlineOf(source: ConfigSource, text: string, readToml?: ReadToml): TextOutline {
  const syntax = syntaxOf(source);
  if (text.length > LONGEST_TEXT || (syntax === 'toml' && isOverBudget(text, syntax))) return NOTHING;
  try {
    const { root } = syntax === 'toml' && readToml ? readToml(text) : readJsonc(text);
    const container = root && containerOf(root, source.within ?? []);
    if (!container) return { root, servers: [] };
    const maps = findServerMaps(container, source.format, conventionsOf(source)?.mergesByName);
    const servers = maps.flatMap(({ members }) =>
      members.map(({ key, keyNode, value, span }) => ({ name: key, key: keyNode, whole: span, value })),
    );
    return { root, servers: servers.sort((one, other) => one.whole.offset - other.whole.offset) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return NOTHING;
  }
}

/** The server whose entry an offset is in. */
export function serverAt({ servers }: TextOutline, offset: number): OutlinedServer | undefined {
  return servers.find(({ whole }) => offset >= whole.offset && offset <= whole.offset + whole.length);
}
