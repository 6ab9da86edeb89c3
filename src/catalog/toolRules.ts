import { pointerOf } from '../base/json/json.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import { MAX_EFFORT, type Effort } from '../base/text/glob.ts';
import { closestTo } from './names/closestNames.ts';
import { ToolPatterns, type NamesInRules } from './names/toolPatterns.ts';
import type { CustomTool } from '../config/rules/customTools.ts';
import type { ToolOverride, ToolOverrides, ToolRuleProblem } from '../config/rules/toolOverrides.ts';

/** The configuration of a server's tools, read and checked. */
export interface ToolRules {
  readonly overrides: ToolOverrides;
  readonly customTools: readonly CustomTool[];
  /** Globs of tool names; only these, where there are any. */
  readonly enabled?: readonly string[];
  /** Globs of tool names that are left out. */
  readonly disabled?: readonly string[];
  /** All of them are to be in the model's list from the start. */
  readonly alwaysLoad?: boolean;
}

export const NO_OVERRIDE: ToolOverride = {};

/** A tool, and what the rules of the entry say of it. */
export interface RuledTool {
  readonly tool: McpTool;
  readonly isEnabled: boolean;
  readonly override: ToolOverride;
}

/** Which rules are for which tool. @returns the tools up to where comparing takes too long, and the overrides that fit none */
export function ruledTools(
  listed: readonly McpTool[],
  { overrides, enabled, disabled }: ToolRules,
  names: NamesInRules,
): { readonly ruled: readonly RuledTool[]; readonly unused: readonly Unknown[]; readonly isCut: boolean } {
  const effort: Effort = { left: MAX_EFFORT };
  const patterns = [...overrides.keys()];
  const values = [...overrides.values()];
  const overriding = new ToolPatterns(patterns, names, effort);
  const [enabling, disabling] = [enabled, disabled].map((list) => list && new ToolPatterns(list, names, effort));
  const used = new Set<number>();
  const ruled: RuledTool[] = [];
  for (const tool of listed) {
    const fitting = patterns.length === 0 ? [] : overriding.fitting(tool.name);
    const isIn = (list: ToolPatterns | undefined): boolean | undefined => list && list.fitting(tool.name).length > 0;
    const isEnabled = (isIn(enabling) ?? true) && isIn(disabling) !== true;
    if (effort.left < 0) break;
    for (const at of fitting) used.add(at);
    const override = fitting.reduce((merged, at) => ({ ...merged, ...values[at] }), NO_OVERRIDE);
    ruled.push({ tool, isEnabled, override });
  }
  const unused = patterns.filter((_, at) => !used.has(at)).map((pattern) => ({ pattern, path: [pattern] }));
  return { ruled, unused, isCut: effort.left < 0 };
}

/** Custom tools with the tools that they may be of, by name, and those that are of none. */
export function customToolsOf(
  customTools: readonly CustomTool[],
  listed: readonly McpTool[],
  names: NamesInRules,
): {
  readonly known: readonly { readonly custom: CustomTool; readonly tools: readonly McpTool[] }[];
  readonly unknown: readonly Unknown[];
} {
  if (customTools.length === 0) return { known: [], unknown: [] };
  const patterns = new ToolPatterns(
    customTools.map(({ tool }) => tool),
    names,
  );
  const known = customTools.map((custom) => ({ custom, tools: new Array<McpTool>() }));
  for (const tool of listed) for (const at of patterns.fitting(tool.name)) known[at]?.tools.push(tool);
  const unknown = known.filter(({ tools }) => tools.length === 0);
  return { known, unknown: unknown.map(({ custom: { name, tool } }) => ({ pattern: tool, path: [name, 'tool'] })) };
}

/** So many are told with what may be meant; more come up once those are fixed. */
const MAX_UNKNOWN = 20;

/** A rule that is for no tool, and where it stands. */
interface Unknown {
  readonly pattern: string;
  readonly path: readonly string[];
}

/** Says of rules that they are for no tool, and which may be meant. */
export function unknownTools(
  listed: readonly McpTool[],
  unknown: readonly Unknown[],
  key: 'toolOverrides' | 'customTools',
): ToolRuleProblem[] {
  const names = listed.map(({ name }) => ({ value: name, alias: name }));
  return unknown.slice(0, MAX_UNKNOWN).map(({ pattern, path }) => {
    const [nearest] = closestTo(pattern, names, 1);
    const fix = nearest === undefined ? 'Check the name in the list of tools.' : `Did you mean ${nearest}?`;
    return {
      code: 'unknown-tool',
      pointer: pointerOf(key, ...path),
      message: `The server has no tool ${pattern}.`,
      fix,
    };
  });
}
