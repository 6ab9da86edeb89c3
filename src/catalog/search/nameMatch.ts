import type { CatalogTool } from '../catalogTool.ts';

/** How well a query names a tool: smaller is better, `none` is not at all. */
export const NAME_MATCH = { exact: 0, sameWords: 1, partial: 2, none: 3 } as const;
export type NameMatch = (typeof NAME_MATCH)[keyof typeof NAME_MATCH];

/** A query, made ready to be compared with names. */
export interface NameQuery {
  readonly whole: string;
  readonly squeezed: string;
  /** Words of the query that look like a tool's name, such as `create_issue`. */
  readonly identifiers: ReadonlySet<string>;
}

export function nameQuery(query: string): NameQuery {
  const whole = query.trim().toLowerCase();
  const words = query.split(/[\s,;:'"`()]+/).map((word) => word.replace(/[.?!]+$/, ''));
  const identifiers = words
    .filter((word) => /[\p{L}\p{N}][_./-][\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(word))
    .map((word) => word.toLowerCase());
  return { whole, squeezed: squeeze(whole), identifiers: new Set(identifiers) };
}

/** A tool's names, made ready to be compared with a query. */
export interface NameKeys {
  readonly callable: string;
  readonly own: string;
  readonly squeezed: string;
}

export function nameKeysOf(entry: CatalogTool): NameKeys {
  const own = entry.tool.name.toLowerCase();
  return { callable: entry.name.toLowerCase(), own, squeezed: squeeze(own) };
}

/** The name of a server, made ready likewise. */
export function serverKeyOf(serverName: string): string {
  return squeeze(serverName.toLowerCase());
}

/** Whether the query can name a tool whose names have at most `longest` characters each. */
export function mayName(query: NameQuery, longest: number): boolean {
  return query.identifiers.size > 0 || (query.squeezed !== '' && query.squeezed.length <= longest);
}

/** How long the longest of a tool's names is. @param serverKey of its server's name */
export function longestOf({ callable, squeezed }: NameKeys, serverKey: string): number {
  return Math.max(callable.length, serverKey.length + squeezed.length);
}

/**
 * How well the query names the tool: by its callable or own name, alone or inside the query where it looks like a
 * name; by the words of its name, with or without the server's; or by a part of its name.
 * @param serverKey of its server's name
 */
export function matchName(query: NameQuery, { callable, own, squeezed }: NameKeys, serverKey: string): NameMatch {
  if (query.whole === callable || query.whole === own) return NAME_MATCH.exact;
  if (query.identifiers.size > 0 && (query.identifiers.has(callable) || query.identifiers.has(own)))
    return NAME_MATCH.exact;
  if (query.squeezed === squeezed || isJoined(query.squeezed, serverKey, squeezed)) return NAME_MATCH.sameWords;
  if (query.squeezed.length >= 3 && squeezed.includes(query.squeezed)) return NAME_MATCH.partial;
  return NAME_MATCH.none;
}

/** Whether a text is these two, one after the other. */
function isJoined(text: string, one: string, other: string): boolean {
  return text.length === one.length + other.length && text.startsWith(one) && text.endsWith(other);
}

function squeeze(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
