import { pointerOf, type JsonObject } from '../base/json/json.ts';
import type { ToolAnnotations, McpTool } from '../connection/connectionTypes.ts';
import { say } from '../base/say.ts';
import { MAX_EFFORT, type Effort } from '../base/text/glob.ts';
import { withoutFixedArguments } from './schema/withoutFixedArguments.ts';
import { closestTo } from './names/closestNames.ts';
import { NamesInRules, ToolPatterns } from './names/toolPatterns.ts';
import type { NamedServer } from './names/serverNames.ts';
import { fillTemplate } from '../config/rules/argumentTemplate.ts';
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

/** A tool as it is shown, and what a call of it means to the server. */
export interface ShownTool {
  /** Name, description, schema and annotations as shown; annotations are corrected. */
  readonly tool: McpTool;
  /** As the server lists it: policy, pins and questions go by its name, description and schema. */
  readonly underlying: McpTool;
  /** What the server gets for the arguments of a call. */
  readonly toArguments: (args: JsonObject) => JsonObject;
}

/** Comparing stopped: what the rules say of the tools that are left isn't known, so these aren't offered. */
const TOO_MANY_PATTERNS: ToolRuleProblem = {
  code: 'tool-patterns',
  pointer: '',
  message: say`This server has more patterns of tools than can be compared with all of its tools: the rest of the tools is omitted.`,
  fix: say`Name tools without * and ?, or use fewer patterns.`,
};

/**
 * Applies overrides and custom tools to the tools of a server (design: overrides and custom tools). Problems are about rules that fit no
 * tool, names that are taken and patterns that are too many; everything else is applied.
 * @param server what the rules may put before the names of tools
 */
export function applyToolOverrides(
  listed: readonly McpTool[],
  rules: ToolRules,
  server?: NamedServer,
): { readonly tools: readonly ShownTool[]; readonly problems: readonly ToolRuleProblem[] } {
  const { ruled, unused, isCut } = ruledTools(listed, rules, new NamesInRules(listed, server));
  const visible = ruled.filter(({ isEnabled }) => isEnabled);
  const customs = customToolsOf(rules.customTools, listed, new NamesInRules(listed, server));
  const problems = [
    ...(isCut ? [TOO_MANY_PATTERNS] : unknownTools(listed, unused, 'toolOverrides')),
    ...unknownTools(listed, customs.unknown, 'customTools'),
  ];
  const shaped: ShownTool[] = [];
  const taken = new Set<string>();
  const add = (tool: ShownTool, ruled: string, custom?: string): void => {
    if (tool.tool === tool.underlying && taken.has(tool.tool.name)) return;
    if (!taken.has(tool.tool.name)) {
      taken.add(tool.tool.name);
      shaped.push(tool);
      return;
    }
    const pointer = custom === undefined ? pointerOf('toolOverrides', ruled, 'name') : pointerOf('customTools', custom);
    const message = `Two tools would be named ${tool.tool.name}. The second is omitted.`;
    problems.push({ code: 'name-taken', pointer, message, fix: 'Rename one of them.' });
  };
  const shown = visible.filter(({ override }) => override.hidden !== true);
  // Names of the server's own come first, so that a rename never takes one away.
  for (const isRenamed of [false, true])
    for (const { tool, override } of shown)
      if ((override.name !== undefined) === isRenamed) add(shapeTool(tool, override), tool.name);
  const byTool = new Map<McpTool, RuledTool>();
  for (const each of visible) byTool.set(each.tool, each);
  for (const { custom, tools } of customs.known) {
    const found = tools.flatMap((tool) => byTool.get(tool) ?? []).at(0);
    const base = found && shapeTool(found.tool, found.override);
    if (base) add(shapeCustomTool(custom, base), base.tool.name, custom.name);
  }
  return { tools: shaped, problems };
}

/** A tool, and what the rules of the entry say of it. */
interface RuledTool {
  readonly tool: McpTool;
  readonly isEnabled: boolean;
  readonly override: ToolOverride;
}

/** @returns the tools up to where comparing takes too long, and the overrides that fit none */
function ruledTools(
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
function customToolsOf(
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

const AS_GIVEN = (args: JsonObject): JsonObject => args;

function shapeTool(tool: McpTool, override: ToolOverride): ShownTool {
  if (override === NO_OVERRIDE) return { tool, underlying: tool, toArguments: AS_GIVEN };
  const { fixedArguments = {} } = override;
  const { exactSchemas: _ofTheServer, ...shown } = tool;
  return {
    tool: {
      ...shown,
      name: override.name ?? tool.name,
      ...(override.description === undefined ? {} : { description: override.description }),
      inputSchema: withoutFixedArguments(tool.inputSchema, fixedArguments),
      annotations: correct(tool.annotations, override),
    },
    underlying: tool,
    toArguments: (args) => ({ ...args, ...fixedArguments }),
  };
}

function shapeCustomTool(custom: CustomTool, base: ShownTool): ShownTool {
  const {
    outputSchema,
    annotations: { title: _title, ...annotations },
  } = base.tool;
  const { name, description, inputSchema } = custom;
  return {
    tool: { name, description, inputSchema, annotations, ...(outputSchema === undefined ? {} : { outputSchema }) },
    underlying: base.underlying,
    toArguments: (args) => base.toArguments(fillTemplate(custom.arguments, args)),
  };
}

const NO_OVERRIDE: ToolOverride = {};

function correct(annotations: ToolAnnotations, { readOnly, destructive }: ToolOverride): ToolAnnotations {
  return {
    ...annotations,
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    // What is said to destroy isn't read-only, whatever the server says.
    ...(destructive === true && readOnly !== true ? { readOnlyHint: false } : {}),
  };
}

/** So many are told with what may be meant; more come up once those are fixed. */
const MAX_UNKNOWN = 20;

/** A rule that is for no tool, and where it stands. */
interface Unknown {
  readonly pattern: string;
  readonly path: readonly string[];
}

function unknownTools(
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
