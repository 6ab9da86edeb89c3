// Loaded before the first server is.
import type { KeyValueStore } from '../base/keyValueStore.ts';
import { pointerOf, type JsonObject } from '../base/json/json.ts';
import { say } from '../base/say.ts';
import type { McpTool, ToolAnnotations } from '../connection/connectionTypes.ts';
import type { ToolOverride, ToolRuleProblem } from '../config/rules/toolOverrides.ts';
import { customToolsOf, NO_OVERRIDE, ruledTools, unknownTools, type RuledTool, type ToolRules } from './toolRules.ts';
import { withoutFixedArguments } from './schema/withoutFixedArguments.ts';
import { NamesInRules } from './names/toolPatterns.ts';
import { fillTemplate } from '../config/rules/argumentTemplate.ts';
import type { CustomTool } from '../config/rules/customTools.ts';
import { Catalog, type ServerOptions, type ShapedTools, type ToolGroup } from './catalog.ts';
import type { CatalogTool } from './catalogTool.ts';
import { isForModels } from './toolApp.ts';
import { closestTo } from './names/closestNames.ts';
import { ServerPartStore } from './names/namePartStore.ts';
import { meant, ownToolNames, toolSpellings, type NamedServer } from './names/serverNames.ts';
import { prefixOf, type ToolNameFormat } from './names/toolNamePrefix.ts';
import { assignToolNames } from './names/toolNames.ts';
import { PresetFilter } from './presets/presetPatterns.ts';

const TOO_MANY_IN_PRESET: ToolRuleProblem = {
  code: 'preset-patterns',
  pointer: '',
  message: say`The active preset has more patterns than can be compared with all tools of this server: the rest isn’t in it.`,
  fix: say`Name tools in the preset without * and ?, or use fewer patterns.`,
};

/** Makes the tools of a catalog out of what servers list: under their names, with the rules of the configuration. */
export class CatalogToolMaker {
  readonly parts: ServerPartStore;

  /** @param store keeps the names of servers; lost with this object where absent */
  constructor(store?: KeyValueStore) {
    this.parts = new ServerPartStore(store);
  }

  /** Of tools with one name, only the first counts. */
  shape(
    { id, name }: { readonly id: string; readonly name: string },
    listed: readonly McpTool[],
    options: ServerOptions,
    format: ToolNameFormat,
  ): ShapedTools {
    const { configuredName = name, rules, blocked, preset = 'all' } = options;
    const part = this.parts.partOf({ id, configuredName, name });
    const shaped = rules
      ? applyToolOverrides(listed, rules, { configuredName, name, part })
      : applyToolOverrides(listed, { overrides: new Map(), customTools: [] });
    const names = assignToolNames(
      part,
      shaped.tools.map(({ tool }) => tool.name),
      format,
    );
    const { cachedAt } = options;
    const shared = {
      serverId: id,
      serverName: name,
      serverPart: part,
      ...(options.configuredName === undefined ? {} : { configuredName }),
      ...(cachedAt === undefined ? {} : { cachedAt }),
      ...(rules?.alwaysLoad === true ? { alwaysLoad: true } : {}),
    };
    const filter = preset === 'all' ? undefined : new PresetFilter(preset);
    const tools: CatalogTool[] = [];
    const appTools: CatalogTool[] = [];
    const keptBack: CatalogTool[] = [];
    const outside: CatalogTool[] = [];
    for (const { tool, underlying, toArguments } of shaped.tools) {
      // What is shared comes first: the engine then copies it twice as fast.
      const plain: CatalogTool = { ...shared, name: names.get(tool.name) ?? '', tool };
      const entry = tool === underlying ? plain : { ...plain, underlying, toArguments };
      const isOutside = filter?.has(ownToolNames(entry)) === false;
      const isKeptBack = blocked?.has(underlying.name) === true;
      (isOutside ? outside : isKeptBack ? keptBack : isForModels(entry) ? tools : appTools).push(entry);
    }
    return {
      part,
      tools,
      appTools,
      keptBack,
      outside,
      problems: [...shaped.problems, ...(filter?.isCut === true ? [TOO_MANY_IN_PRESET] : [])],
    };
  }

  /** All that a tool can be called. */
  spellingsOf(tool: CatalogTool): readonly string[] {
    return toolSpellings(tool);
  }

  /**
   * The one of all tools that a name means, where it is in a group.
   * @param servers by id, all that the catalog has
   */
  meant(
    name: string,
    wanted: ToolGroup,
    servers: ReadonlyMap<string, ShapedTools>,
    format: ToolNameFormat,
  ): CatalogTool | undefined {
    const all = [...servers.values()].flatMap(({ tools, keptBack, outside }) => [...tools, ...keptBack, ...outside]);
    const found = meant(name, all, toolSpellings);
    if (!found || !servers.get(found.serverId)?.[wanted].includes(found)) return undefined;
    // The callable name of a server that isn't there now is no other's meanwhile.
    const holder = this.parts.holderOf((part) => name.startsWith(prefixOf(part, format)));
    return holder === undefined || holder === found.serverId || servers.has(holder) ? found : undefined;
  }

  /** Callable names that look like `name`, best first. */
  closestNames(name: string, tools: readonly CatalogTool[], limit: number): readonly string[] {
    const candidates = tools.map((entry) => ({ value: entry.name, alias: entry.tool.name }));
    return closestTo(name, candidates, limit);
  }
}

/** A catalog that can be used at once. */
export function openCatalog(format?: ToolNameFormat, store?: KeyValueStore): Catalog {
  const catalog = new Catalog(format);
  catalog.open(new CatalogToolMaker(store));
  return catalog;
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

function correct(annotations: ToolAnnotations, { readOnly, destructive }: ToolOverride): ToolAnnotations {
  return {
    ...annotations,
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    // What is said to destroy isn't read-only, whatever the server says.
    ...(destructive === true && readOnly !== true ? { readOnlyHint: false } : {}),
  };
}
