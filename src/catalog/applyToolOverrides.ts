import { pointerOf, type JsonObject } from '../base/json/json.ts';
import type { ToolAnnotations, McpTool } from '../connection/connectionTypes.ts';
import { matchesGlob } from '../base/text/glob.ts';
import { withoutFixedArguments } from './schema/withoutFixedArguments.ts';
import { closestTo } from './names/closestNames.ts';
import { readableToolPart, roomFor } from './names/toolNames.ts';
import { withoutServer, type NamedServer } from './names/serverNames.ts';
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

/**
 * Applies overrides and custom tools to the tools of a server (design: overrides and custom tools). Problems are about rules that fit no
 * tool and names that are taken; everything else is applied.
 * @param server what the rules may put before the names of tools
 */
export function applyToolOverrides(
  listed: readonly McpTool[],
  rules: ToolRules,
  server?: NamedServer,
): { readonly tools: readonly ShownTool[]; readonly problems: readonly ToolRuleProblem[] } {
  const fits = fitsWithin(listed, server, matchesGlob);
  const isExactly = fitsWithin(listed, server, (name, written) => name === written);
  const problems = [...unknownTools(listed, rules, { fits, isExactly })];
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
  const visible = listed.filter((tool) => isEnabled(tool.name, rules, fits));
  const renamed: { readonly tool: McpTool; readonly override: ToolOverride }[] = [];
  for (const tool of visible) {
    const override = overrideOf(tool.name, rules, fits);
    if (override.hidden === true) continue;
    if (override.name === undefined) add(shapeTool(tool, override), tool.name);
    else renamed.push({ tool, override });
  }
  // Names of the server's own come first, so that a rename never takes one away.
  for (const { tool, override } of renamed) add(shapeTool(tool, override), tool.name);
  for (const custom of rules.customTools) {
    const underlying = visible.find((tool) => isExactly(tool.name, custom.tool));
    const base = underlying && shapeTool(underlying, overrideOf(underlying.name, rules, fits));
    if (base) add(shapeCustomTool(custom, base), base.tool.name, custom.name);
  }
  return { tools: shaped, problems };
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

/** Whether a rule of an entry is for the tool of this name. */
type Fits = (name: string, pattern: string) => boolean;

/** @param matches of a name and a pattern */
function fitsWithin(
  listed: readonly McpTool[],
  server: NamedServer | undefined,
  matches: (name: string, pattern: string) => boolean,
): Fits {
  if (!server) return matches;
  let names: ReadonlySet<string> | undefined;
  const room = roomFor(`mcp__${server.part}__`);
  const known = new Map<string, readonly string[]>();
  return (name, written) => {
    const [pattern = '', ...callable] = known.get(written) ?? withoutServer(written, server);
    if (!known.has(written)) known.set(written, [pattern, ...callable]);
    if (matches(name, pattern)) return true;
    if (callable.length === 0) return false;
    const taken = (names ??= new Set(listed.map((tool) => tool.name)));
    const readable = readableToolPart(name, room);
    return callable.some(
      (each) => matches(name, each) || (readable !== undefined && !taken.has(readable) && matches(readable, each)),
    );
  };
}

const NO_OVERRIDE: ToolOverride = {};

function overrideOf(name: string, { overrides }: ToolRules, fits: Fits): ToolOverride {
  let merged = NO_OVERRIDE;
  for (const [pattern, override] of overrides) if (fits(name, pattern)) merged = { ...merged, ...override };
  return merged;
}

function isEnabled(name: string, { enabled, disabled }: ToolRules, fits: Fits): boolean {
  const isIn = (patterns: readonly string[]): boolean => patterns.some((pattern) => fits(name, pattern));
  return (enabled === undefined || isIn(enabled)) && !(disabled !== undefined && isIn(disabled));
}

function correct(annotations: ToolAnnotations, { readOnly, destructive }: ToolOverride): ToolAnnotations {
  return {
    ...annotations,
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    // What is said to destroy isn't read-only, whatever the server says.
    ...(destructive === true && readOnly !== true ? { readOnlyHint: false } : {}),
  };
}

function unknownTools(
  listed: readonly McpTool[],
  rules: ToolRules,
  { fits, isExactly }: Readonly<Record<'fits' | 'isExactly', Fits>>,
): ToolRuleProblem[] {
  const names = listed.map((tool) => tool.name);
  const problemOf = (name: string, pointer: string): ToolRuleProblem => {
    const [nearest] = closestTo(name, names.map((value) => ({ value, alias: value })), 1); // prettier-ignore
    const fix = nearest === undefined ? 'Check the name in the list of tools.' : `Did you mean ${nearest}?`;
    return { code: 'unknown-tool', pointer, message: `The server has no tool ${name}.`, fix };
  };
  const overrides = [...rules.overrides.keys()]
    .filter((pattern) => !names.some((name) => fits(name, pattern)))
    .map((pattern) => problemOf(pattern, pointerOf('toolOverrides', pattern)));
  const custom = rules.customTools
    .filter(({ tool }) => !names.some((name) => isExactly(name, tool)))
    .map(({ name, tool }) => problemOf(tool, pointerOf('customTools', name, 'tool')));
  return [...overrides, ...custom];
}
