import { withoutUnseen } from '../../base/text/showInvisible.ts';
import type { CatalogTool } from '../catalogTool.ts';

/** The longest summary of a tool, in characters (setting `summaryDescriptionLimit`). */
export const SUMMARY_LIMIT = 100;
/** The longest description of a tool, and instructions of a server, that the model gets, in characters. */
export const DESCRIPTION_LIMIT = 2048;
const CUT_MARK = '…';

/**
 * The text, whole where it has at most `limit` characters, else cut at the end of a word and marked with `…`; the mark
 * counts. A single word longer than the limit is cut inside, never within a surrogate pair.
 */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - CUT_MARK.length);
  let head = text.slice(0, room);
  if (!/\s/.test(text.charAt(room))) {
    const lastSpace = head.search(/\s\S*$/);
    if (lastSpace > room / 2) head = head.slice(0, lastSpace);
  }
  return head.replace(/[\s,;:(\u2013-]+$/u, '').replace(/[\uD800-\uDBFF]$/u, '') + CUT_MARK;
}

/** What the model reads of a tool: its description, cut at 2,048 characters, or a sentence that stands in for it. */
export function describe(entry: CatalogTool, limit: number = DESCRIPTION_LIMIT): string {
  const text = entry.tool.description?.trim() || entry.tool.title?.trim() || entry.tool.annotations.title?.trim();
  return cutAtWord(
    (text || `MCP tool ${withoutUnseen(entry.tool.name)} from ${entry.serverName}`).toWellFormed(),
    limit,
  );
}

/** One line about a tool, at most `limit` characters, for lists and search results. */
export function summarise(entry: CatalogTool, limit: number = SUMMARY_LIMIT): string {
  const line = describe(entry, Number.POSITIVE_INFINITY).replaceAll(/\s+/g, ' ').trim();
  return cutAtWord(line, limit);
}
