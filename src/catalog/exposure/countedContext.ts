import type { CatalogTool } from '../catalogTool.ts';
import { contextStats, type ContextStats, type ContextStatsInput, type ToolCost } from './contextStats.ts';
import { estimateTokens, type TokenCounter } from './toolDefinition.ts';

/** What counts tokens: a model. */
export interface ContextCounter {
  readonly id: string;
  readonly count: TokenCounter;
}

/** What one counter has counted. */
interface Known {
  readonly tools: WeakMap<CatalogTool, ToolCost>;
  instructions?: { readonly text: string; readonly tokens: number };
}

/** Counts what the tools and the instructions cost, each once by each counter. */
export class CountedContext {
  /** By id of the counter, empty for the estimate. */
  readonly #known = new Map<string, Known>();

  /**
   * What the tools cost now.
   * @param counter absent: the tokens are estimated, and so they are where it fails
   * @returns also whether it was counted
   */
  async stats(
    input: ContextStatsInput,
    counter: ContextCounter | undefined,
  ): Promise<{ readonly stats: ContextStats; readonly isCounted: boolean }> {
    const stats = counter && (await this.#by(counter, input).catch(() => undefined));
    if (stats) return { stats, isCounted: true };
    return { stats: await this.#by({ id: '', count: estimateTokens }, input), isCounted: false };
  }

  #by({ id, count }: ContextCounter, input: ContextStatsInput): Promise<ContextStats> {
    const known = this.#known.get(id) ?? { tools: new WeakMap() };
    this.#known.set(id, known);
    const countOnce: TokenCounter = async (text) => {
      if (text === known.instructions?.text) return known.instructions.tokens;
      const tokens = await count(text);
      if (text === input.instructions) known.instructions = { text, tokens };
      return tokens;
    };
    return contextStats(input, countOnce, known.tools);
  }
}
