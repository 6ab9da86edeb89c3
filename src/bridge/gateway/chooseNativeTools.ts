import {
  decideExposure,
  exceeding,
  nativeTools,
  type ExposureDecision,
  type ExposureSetting,
  type Loaded,
} from '../../catalog/exposure/toolExposure.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';

export interface NativeToolsInput {
  readonly setting: ExposureSetting;
  readonly tools: readonly CatalogTool[];
  /** Of the smallest model that can be picked, where one is known. */
  readonly contextTokens?: number | undefined;
  /** What one tool's definition costs, in tokens. */
  readonly tokensOf: (tool: CatalogTool) => number;
  /** What users want in the list whatever the exposure is, and what joined it. */
  readonly loaded: Loaded;
}

export interface NativeTools {
  readonly decision: ExposureDecision;
  /** Callable names of the tools that the agent has natively. */
  readonly names: ReadonlySet<string>;
}

/**
 * How many tools `auto` offers natively at most. The editor's agent has about 40 of its own and, beyond 64 in all, puts
 * tools of others into groups that a model has to open first (seen in VS Code 1.139).
 */
export const AUTO_LIMIT = 24;

/** Which tools the agent has natively: those that are loaded, and as many of the rest as the exposure allows; at most 64. */
export function chooseNativeTools({
  setting,
  tools: all,
  contextTokens,
  tokensOf,
  loaded,
}: NativeToolsInput): NativeTools {
  const tools = all.filter((tool) => !loaded.isSearchOnly(tool));
  const crowded = setting === 'auto' && tools.length > AUTO_LIMIT;
  const definitionTokens = setting === 'auto' && !crowded ? tools.reduce((sum, tool) => sum + tokensOf(tool), 0) : 0;
  const decision = crowded
    ? {
        ...decideExposure({ setting: 'search', toolCount: tools.length, definitionTokens }),
        reason: exceeding(tools.length, AUTO_LIMIT),
      }
    : decideExposure({ setting, toolCount: tools.length, definitionTokens, contextTokens });
  return { decision, names: new Set(nativeTools(tools, loaded, decision).map(({ name }) => name)) };
}
