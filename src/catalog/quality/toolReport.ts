import type { McpTool } from '../../connection/connectionTypes.ts';
import { effectOf } from '../toolEffect.ts';
import { assessTool, type QualityFinding, type ToolQuality } from './toolQuality.ts';
import type { CatalogTool, ToolEffect } from '../catalogTypes.ts';

/** A tool as *List Tools* shows it, and as its JSON says. */
export interface ReportedTool {
  readonly name: string;
  readonly server: string;
  readonly effect: ToolEffect;
  /** 0 to 100. */
  readonly score: number;
  /** The score is below the threshold. */
  readonly isMarked: boolean;
  readonly findings: readonly QualityFinding[];
}

/** How well tools are described, computed once for each. */
export class QualityBook {
  readonly #known = new WeakMap<CatalogTool, ToolQuality>();
  readonly #siblings = new WeakMap<readonly CatalogTool[], readonly McpTool[]>();

  /** @param siblings all tools of the same server */
  of(entry: CatalogTool, siblings: readonly CatalogTool[]): ToolQuality {
    let quality = this.#known.get(entry);
    if (!quality) {
      quality = assessTool(entry.tool, this.#toolsOf(siblings));
      this.#known.set(entry, quality);
    }
    return quality;
  }

  #toolsOf(siblings: readonly CatalogTool[]): readonly McpTool[] {
    let tools = this.#siblings.get(siblings);
    if (!tools) {
      tools = siblings.map(({ tool }) => tool);
      this.#siblings.set(siblings, tools);
    }
    return tools;
  }
}

/** All tools with their findings, the ones to mend first. */
export function reportTools(tools: readonly CatalogTool[], threshold: number): readonly ReportedTool[] {
  const book = new QualityBook();
  const siblings = Map.groupBy(tools, ({ serverId }) => serverId);
  return tools
    .map((entry): ReportedTool => {
      const { score, findings } = book.of(entry, siblings.get(entry.serverId) ?? []);
      const effect = effectOf(entry.tool.annotations);
      return { name: entry.name, server: entry.serverName, effect, score, isMarked: score < threshold, findings };
    })
    .toSorted((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
}
