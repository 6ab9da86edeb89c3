// Loaded before the first server is.
import type { KeyValueStore } from '../base/keyValueStore.ts';
import { say } from '../base/say.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import type { ToolRuleProblem } from '../config/rules/toolOverrides.ts';
import { applyToolOverrides } from './applyToolOverrides.ts';
import { Catalog, type ServerOptions, type ShapedTools, type ToolGroup } from './catalog.ts';
import type { CatalogTool } from './catalogTool.ts';
import { isForModels } from './toolApp.ts';
import { closestTo } from './names/closestNames.ts';
import { ServerPartStore } from './names/serverPartStore.ts';
import { meant, ownToolNames, toolSpellings } from './names/serverNames.ts';
import { prefixOf, type ToolNameFormat } from './names/toolNameFormat.ts';
import { assignToolNames } from './names/toolNames.ts';
import { PresetFilter } from './presets/presetPatterns.ts';

const TOO_MANY_PATTERNS: ToolRuleProblem = {
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
      problems: [...shaped.problems, ...(filter?.isCut === true ? [TOO_MANY_PATTERNS] : [])],
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
