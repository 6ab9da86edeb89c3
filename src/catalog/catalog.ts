import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import { closestTo } from './names/closestNames.ts';
import { assignToolNames, serverPartOf, TOOL_NAME_FORMATS, type ToolNameFormat } from './names/toolNames.ts';
import { underlyingOf, type CatalogTool } from './catalogTool.ts';
import { applyToolOverrides, type ShownTool, type ToolRules } from './applyToolOverrides.ts';
import type { ToolRuleProblem } from '../config/rules/toolOverrides.ts';

/** How a server's tools are shown. */
export interface ServerOptions {
  /** The overrides and custom tools of the server's configuration. */
  readonly rules?: ToolRules;
  /** The configured name of the server, where it is shown under another one. */
  readonly configuredName?: string;
  /** The list is from memory: when it was made, in milliseconds since the epoch. */
  readonly cachedAt?: number;
  /** The server's own names of tools that are hidden until the user has reviewed their change. */
  readonly blocked?: ReadonlySet<string>;
}

interface ServerRecord {
  readonly name: string;
  readonly part: string;
  readonly listed: readonly McpTool[];
  readonly options: ServerOptions;
  readonly problems: readonly ToolRuleProblem[];
  readonly tools: readonly CatalogTool[];
  readonly keptBack: readonly CatalogTool[];
}

// Always the same, so that who compares finds no change.
const NO_TOOLS: readonly CatalogTool[] = [];
const NO_PROBLEMS: readonly ToolRuleProblem[] = [];

/**
 * All tools of all servers, under the names that they are called by. The map from name to tool that it keeps is the
 * only routing: nothing ever takes a name apart.
 */
export class Catalog implements Disposable {
  #format: ToolNameFormat;
  readonly #servers = new Map<string, ServerRecord>();
  readonly #changed = new Emitter<void>();
  readonly #byName = new Map<string, CatalogTool>();
  readonly #parts = new Set<string>();
  #tools: readonly CatalogTool[] | undefined;

  constructor(format: ToolNameFormat = TOOL_NAME_FORMATS[0]) {
    this.#format = format;
  }

  /** Fires after the tools of a server changed, came or went. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Names all tools anew, where the format is another one. */
  setFormat(format: ToolNameFormat): void {
    if (format === this.#format) return;
    this.#format = format;
    this.#byName.clear();
    for (const [serverId, record] of this.#servers) {
      const { name, part, listed, options } = record;
      const { tools } = applyToolOverrides(listed, options.rules ?? NO_RULES);
      const entries = this.#build(serverId, name, part, tools, options);
      this.#servers.set(serverId, { ...record, ...entries });
      for (const tool of entries.tools) this.#byName.set(tool.name, tool);
    }
    this.#tools = undefined;
    this.#changed.fire();
  }

  /** Every tool: servers in the order in which they came, tools in the order of the server's list. */
  get tools(): readonly CatalogTool[] {
    this.#tools ??= [...this.#servers.values()].flatMap((record) => record.tools);
    return this.#tools;
  }

  get serverIds(): readonly string[] {
    return [...this.#servers.keys()];
  }

  /** Puts a server's tools in place of what it had. Of tools with one name, only the first counts. */
  setServer(serverId: string, serverName: string, tools: readonly McpTool[], options: ServerOptions = {}): void {
    const known = this.#servers.get(serverId);
    if (known?.name === serverName && known.listed === tools && isSame(known.options, options)) return;
    if (known) this.#forget(known, serverName);
    const part = known?.name === serverName ? known.part : serverPartOf(serverId, serverName, this.#parts);
    const shaped = applyToolOverrides(tools, options.rules ?? NO_RULES);
    const entries = this.#build(serverId, serverName, part, shaped.tools, options);
    const record = { name: serverName, part, listed: tools, options, problems: shaped.problems, ...entries };
    this.#servers.set(serverId, record);
    this.#parts.add(part);
    for (const tool of record.tools) this.#byName.set(tool.name, tool);
    this.#tools = undefined;
    this.#changed.fire();
  }

  /** Takes a server and its tools out. */
  removeServer(serverId: string): void {
    const known = this.#servers.get(serverId);
    if (known === undefined) return;
    this.#servers.delete(serverId);
    this.#forget(known, undefined);
    this.#tools = undefined;
    this.#changed.fire();
  }

  /** How the callable names are made. */
  get format(): ToolNameFormat {
    return this.#format;
  }

  /** The server's part in the callable names of its tools. */
  partOf(serverId: string): string {
    return this.#servers.get(serverId)?.part ?? '';
  }

  /** A server's tools. The same array for as long as nothing about them changes. */
  toolsOf(serverId: string): readonly CatalogTool[] {
    return this.#servers.get(serverId)?.tools ?? NO_TOOLS;
  }

  /** What is wrong with the rules about a server's tools. */
  problemsOf(serverId: string): readonly ToolRuleProblem[] {
    return this.#servers.get(serverId)?.problems ?? NO_PROBLEMS;
  }

  /** The tool of exactly this callable name. */
  find(callableName: string): CatalogTool | undefined {
    return this.#byName.get(callableName);
  }

  /** The tool of this callable name that is kept back: neither listed, found nor called. */
  findKeptBack(callableName: string): CatalogTool | undefined {
    for (const { keptBack } of this.#servers.values()) {
      const found = keptBack.find(({ name }) => name === callableName);
      if (found) return found;
    }
    return undefined;
  }

  /** Callable names that look like `name`, best first: for "did you mean". */
  closestNames(name: string, limit: number): readonly string[] {
    return closestTo(
      name,
      this.tools.map((entry) => ({ value: entry.name, alias: entry.tool.name })),
      limit,
    );
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Takes a server's names out of the map; its part stays taken where the server keeps its name. */
  #forget(record: ServerRecord, nextName: string | undefined): void {
    for (const tool of record.tools) this.#byName.delete(tool.name);
    if (record.name !== nextName) this.#parts.delete(record.part);
  }

  #build(
    serverId: string,
    serverName: string,
    part: string,
    shaped: readonly ShownTool[],
    { configuredName, cachedAt, rules, blocked }: ServerOptions,
  ): Pick<ServerRecord, 'tools' | 'keptBack'> {
    const names = assignToolNames(
      part,
      shaped.map(({ tool }) => tool.name),
      this.#format,
    );
    const age = cachedAt === undefined ? {} : { cachedAt };
    const configured = configuredName === undefined ? {} : { configuredName };
    const loading = rules?.alwaysLoad === true ? { alwaysLoad: true } : {};
    const all = shaped.map(({ tool, underlying, toArguments }): CatalogTool => {
      const changes = tool === underlying ? {} : { underlying, toArguments };
      return {
        name: names.get(tool.name) ?? '',
        serverId,
        serverName,
        tool,
        ...configured,
        ...changes,
        ...age,
        ...loading,
      };
    });
    const isKeptBack = (tool: CatalogTool): boolean => blocked?.has(underlyingOf(tool).name) === true;
    return { tools: all.filter((tool) => !isKeptBack(tool)), keptBack: all.filter(isKeptBack) };
  }
}

const NO_RULES: ToolRules = { overrides: new Map(), customTools: [] };

function isSame(a: ServerOptions, b: ServerOptions): boolean {
  return (
    a.configuredName === b.configuredName && a.rules === b.rules && a.cachedAt === b.cachedAt && a.blocked === b.blocked
  );
}
