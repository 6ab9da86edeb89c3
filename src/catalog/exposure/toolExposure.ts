import { say } from '../../base/say.ts';
import type { CatalogTool } from '../catalogTool.ts';

/** How the model gets to know the tools (setting `toolExposure`). */
export type ExposureSetting = 'auto' | Exposure;
export type Exposure = 'native' | 'summaries' | 'search';

/** Never more than this many tools are offered natively. */
export const MAX_NATIVE_TOOLS = 64;
/** Where no model is known, in tokens. */
export const DEFAULT_CONTEXT_TOKENS = 128_000;
/** The part of the context that definitions may take in `auto`. */
const NATIVE_SHARE = 0.1;

export interface ExposureInput {
  readonly setting: ExposureSetting;
  readonly toolCount: number;
  /** What all definitions cost. */
  readonly definitionTokens: number;
  /** `maxInputTokens` of the smallest model that can be picked. */
  readonly contextTokens?: number | undefined;
}

export interface ExposureDecision {
  readonly exposure: Exposure;
  /** How many tools may be offered natively, those included that are loaded whatever the exposure is. */
  readonly nativeLimit: number;
  /** One sentence for the user, in English: `bridge/text/localized.ts` translates it. */
  readonly reason: string;
}

/** Decides how tools are exposed (design: *Exposure*), and says why. */
export function decideExposure(input: ExposureInput): ExposureDecision {
  const { setting, toolCount, definitionTokens } = input;
  if (setting === 'native' && toolCount > MAX_NATIVE_TOOLS) {
    const reason = say`Set to native: ${MAX_NATIVE_TOOLS} of ${toolCount} tools are sent, the others are found by search.`;
    return { exposure: 'native', nativeLimit: MAX_NATIVE_TOOLS, reason };
  }
  if (setting !== 'auto') return decision(setting, say`Set to ${setting}.`);
  const context = input.contextTokens ?? DEFAULT_CONTEXT_TOKENS;
  const room = Math.floor(context * NATIVE_SHARE);
  if (toolCount > MAX_NATIVE_TOOLS) return decision('search', exceeding(toolCount, MAX_NATIVE_TOOLS));
  const tokens = Math.round(definitionTokens);
  return definitionTokens < room
    ? decision(
        'native',
        say`The definitions of ${toolCount} tools use about ${tokens} tokens, less than a tenth of the model's ${context}.`,
      )
    : decision(
        'search',
        say`The definitions of ${toolCount} tools use about ${tokens} tokens, at least a tenth of the model's ${context}.`,
      );
}

/** Why none is offered natively: there are more than that. */
export function exceeding(toolCount: number, limit: number): string {
  return say`${toolCount} tools exceed the limit of ${limit}.`;
}

/** Which tools are loaded whatever the exposure is. */
export interface Loaded {
  /** Callable names of those that were found, called or picked. */
  readonly joined: readonly string[];
  has(tool: CatalogTool): boolean;
  /** Of those that aren't loaded: whether a tool is found by search alone, whatever the exposure is. */
  isSearchOnly(tool: CatalogTool): boolean;
}

/**
 * The tools that are offered natively: those that joined, then those that always are, at most {@link MAX_NATIVE_TOOLS} of
 * them; and of the rest, in the catalog's order, as many as the decision leaves room for.
 */
export function nativeTools(
  tools: readonly CatalogTool[],
  loaded: Loaded,
  { nativeLimit }: Pick<ExposureDecision, 'nativeLimit'>,
): readonly CatalogTool[] {
  const joined = new Set(loaded.joined);
  const groups: Record<'joined' | 'always' | 'rest', CatalogTool[]> = { joined: [], always: [], rest: [] };
  for (const tool of tools) {
    if (loaded.has(tool)) groups[joined.has(tool.name) ? 'joined' : 'always'].push(tool);
    else if (groups.rest.length < nativeLimit && !loaded.isSearchOnly(tool)) groups.rest.push(tool);
  }
  const kept = [...groups.joined, ...groups.always].slice(0, MAX_NATIVE_TOOLS);
  return [...kept, ...groups.rest.slice(0, Math.max(0, nativeLimit - kept.length))];
}

function decision(exposure: Exposure, reason: string): ExposureDecision {
  return { exposure, nativeLimit: exposure === 'native' ? MAX_NATIVE_TOOLS : 0, reason };
}
