import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import { TOOL_NAME_FORMATS, type ToolNameFormat } from './names/toolNamePrefix.ts';
import type { ToolRules } from './toolRules.ts';
import { underlyingOf, type CatalogTool } from './catalogTool.ts';
import type { ServerPartStore } from './names/namePartStore.ts';
import type { PresetTools } from './presets/presetPatterns.ts';
import type { CatalogToolMaker } from './catalogToolMaker.ts';
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
  /** Which of the tools the active preset has; all where absent. */
  readonly preset?: PresetTools;
}

/** A server's tools as they are shown, under their callable names. */
export interface ShapedTools {
  readonly part: string;
  readonly tools: readonly CatalogTool[];
  /** For the server's app alone: no model is told of them. */
  readonly appTools: readonly CatalogTool[];
  readonly keptBack: readonly CatalogTool[];
  /** Not in the active preset. */
  readonly outside: readonly CatalogTool[];
  readonly problems: readonly ToolRuleProblem[];
}

/** Among which of a server's tools one is looked for. */
export type ToolGroup = 'tools' | 'keptBack' | 'outside';

interface ServerRecord extends ShapedTools {
  readonly name: string;
  readonly listed: readonly McpTool[];
  readonly options: ServerOptions;
}

// Always the same, so that who compares finds no change.
const NO_TOOLS: readonly CatalogTool[] = [];
const NO_LISTED: readonly McpTool[] = [];
const NO_PROBLEMS: readonly ToolRuleProblem[] = [];

/**
 * All tools of all servers, under the names that they are called by. The map from name to tool that it keeps is the
 * only routing: nothing ever takes a name apart.
 */
export class Catalog implements Disposable {
  #format: ToolNameFormat;
  #toolMaker: CatalogToolMaker | undefined;
  readonly #servers = new Map<string, ServerRecord>();
  readonly #changed = new Emitter<void>();
  readonly #byName = new Map<string, CatalogTool>();
  #tools: readonly CatalogTool[] | undefined;

  constructor(format: ToolNameFormat = TOOL_NAME_FORMATS[0]) {
    this.#format = format;
  }

  /** Makes tools with this from now on; before, the catalog takes none. */
  open(toolMaker: CatalogToolMaker): void {
    this.#toolMaker = toolMaker;
  }

  /** What callable names call the servers; absent before it is open. */
  get parts(): ServerPartStore | undefined {
    return this.#toolMaker?.parts;
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
    for (const [serverId, record] of this.#servers) this.#put(serverId, record);
    this.#tools = undefined;
    this.#changed.fire();
  }

  /** Every tool that models may have: servers in the order in which they came, tools in the order of the server's list. */
  get tools(): readonly CatalogTool[] {
    this.#tools ??= [...this.#servers.values()].flatMap((record) => record.tools);
    return this.#tools;
  }

  get serverIds(): readonly string[] {
    return [...this.#servers.keys()];
  }

  /** Whether something of a server is in it. */
  has(serverId: string): boolean {
    return this.#servers.has(serverId);
  }

  /** Puts a server's tools in place of what it had. Of tools with one name, only the first counts. */
  setServer(serverId: string, serverName: string, tools: readonly McpTool[], options: ServerOptions = {}): void {
    const known = this.#servers.get(serverId);
    if (known?.name === serverName && known.listed === tools && isSame(known.options, options)) return;
    if (known) this.#forget(serverId, known);
    this.#put(serverId, { name: serverName, listed: tools, options });
    this.#tools = undefined;
    this.#changed.fire();
  }

  /** Takes a server and its tools out. */
  removeServer(serverId: string): void {
    const known = this.#servers.get(serverId);
    if (known === undefined) return;
    this.#servers.delete(serverId);
    this.#forget(serverId, known);
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

  /** A server's tools for models. The same array for as long as nothing about them changes. */
  toolsOf(serverId: string): readonly CatalogTool[] {
    return this.#servers.get(serverId)?.tools ?? NO_TOOLS;
  }

  /** The tools of a server that only its app may call. */
  appToolsOf(serverId: string): readonly CatalogTool[] {
    return this.#servers.get(serverId)?.appTools ?? NO_TOOLS;
  }

  /** The tools of a server that its list has and the definition leaves out, or hides. */
  disabledToolsOf(serverId: string): readonly McpTool[] {
    const record = this.#servers.get(serverId);
    if (!record?.options.rules) return NO_LISTED;
    const { tools, appTools, keptBack, outside, listed } = record;
    const shown = new Set([...tools, ...appTools, ...keptBack, ...outside].map((tool) => underlyingOf(tool).name));
    return listed.filter(({ name }) => !shown.has(name));
  }

  /** The tools of a server that the active preset doesn't have: neither listed, found nor called. */
  toolsOutsidePresetOf(serverId: string): readonly CatalogTool[] {
    return this.#servers.get(serverId)?.outside ?? NO_TOOLS;
  }

  /** What is wrong with the rules about a server's tools. */
  problemsOf(serverId: string): readonly ToolRuleProblem[] {
    return this.#servers.get(serverId)?.problems ?? NO_PROBLEMS;
  }

  /** The tool of exactly this callable name, also one for apps. */
  find(callableName: string): CatalogTool | undefined {
    return this.#byName.get(callableName);
  }

  /** The tool that a name means: by its callable name, or by any other that only it has. */
  meant(name: string): CatalogTool | undefined {
    return this.find(name) ?? this.#meant(name, 'tools');
  }

  /** The tool that a name means and that is kept back: neither listed, found nor called. */
  findKeptBack(name: string): CatalogTool | undefined {
    return this.#byName.has(name) ? undefined : this.#meant(name, 'keptBack');
  }

  /** The tool that a name means and that the active preset doesn't have. */
  findOutsidePreset(name: string): CatalogTool | undefined {
    return this.#byName.has(name) ? undefined : this.#meant(name, 'outside');
  }

  #meant(name: string, wanted: ToolGroup): CatalogTool | undefined {
    return this.#toolMaker?.meant(name, wanted, this.#servers, this.#format);
  }

  /** Callable names that look like `name`, best first: for "did you mean". */
  closestNames(name: string, limit: number): readonly string[] {
    return this.#toolMaker?.closestNames(name, this.tools, limit) ?? [];
  }

  /** All that a tool can be called. */
  spellingsOf(tool: CatalogTool): readonly string[] {
    return this.#toolMaker?.spellingsOf(tool) ?? [tool.name];
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** Takes a server's names out of the map: those that are still its own. */
  #forget(serverId: string, record: ServerRecord): void {
    for (const { name } of [...record.tools, ...record.appTools])
      if (this.#byName.get(name)?.serverId === serverId) this.#byName.delete(name);
  }

  #put(serverId: string, { name, listed, options }: Pick<ServerRecord, 'name' | 'listed' | 'options'>): void {
    const shaped = this.#toolMaker?.shape({ id: serverId, name }, listed, options, this.#format);
    if (!shaped) return;
    this.#servers.set(serverId, { name, listed, options, ...shaped });
    for (const tool of [...shaped.tools, ...shaped.appTools]) this.#byName.set(tool.name, tool);
  }
}

function isSame(a: ServerOptions, b: ServerOptions): boolean {
  return (['configuredName', 'rules', 'cachedAt', 'blocked', 'preset'] as const).every((key) => a[key] === b[key]);
}
