import { decideExposure, type ExposureDecision, type ExposureSetting } from '../../catalog/exposure.ts';
import type { CatalogTool } from '../../catalog/types.ts';

export interface ExposedInput {
  readonly setting: ExposureSetting;
  readonly tools: readonly CatalogTool[];
  /** Of the smallest model that can be picked, where one is known. */
  readonly contextTokens?: number | undefined;
  /** What one tool's definition costs, in tokens. */
  readonly tokensOf: (tool: CatalogTool) => number;
  /** Whether people want this tool in the list whatever the exposure is. */
  readonly isPinned: (tool: CatalogTool) => boolean;
}

export interface Exposed {
  readonly decision: ExposureDecision;
  /** Callable names of the tools that the agent has natively. */
  readonly names: ReadonlySet<string>;
}

/**
 * How many tools `auto` offers natively at most. The editor's agent has about 40 of its own and, beyond 64 in all, puts
 * tools of others into groups that a model has to open first (seen in VS Code 1.139).
 */
export const AUTO_LIMIT = 24;

/** Which tools the agent has natively: what people pinned, and as many of the rest as the exposure allows. */
export function exposedTools({ setting, tools, contextTokens, tokensOf, isPinned }: ExposedInput): Exposed {
  const crowded = setting === 'auto' && tools.length > AUTO_LIMIT;
  const definitionTokens = setting === 'auto' && !crowded ? tools.reduce((sum, tool) => sum + tokensOf(tool), 0) : 0;
  const decision = crowded
    ? {
        ...decideExposure({ setting: 'search', toolCount: tools.length, definitionTokens }),
        reason: `${tools.length} tools are more than ${AUTO_LIMIT}, beyond which the agent would have to group them.`,
      }
    : decideExposure({ setting, toolCount: tools.length, definitionTokens, contextTokens });
  const pinned = tools.filter(isPinned);
  const rest = decision.nativeLimit === 0 ? [] : tools.filter((tool) => !isPinned(tool)).slice(0, decision.nativeLimit);
  return { decision, names: new Set([...pinned, ...rest].map(({ name }) => name)) };
}
