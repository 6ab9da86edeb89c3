import type { Event } from '../../../base/event.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import type { CatalogTool } from '../../../catalog/catalogTool.ts';
import { ownToolNames, serverSpellings } from '../../../catalog/names/serverNames.ts';
import { editorServerName } from '../../../catalog/names/toolNamePrefix.ts';
import { PresetFilter, PresetPatterns } from '../../../catalog/presets/presetPatterns.ts';
import type { Preset } from '../../../catalog/presets/readPresets.ts';
import { presetLabel, presetPart } from './presetReference.ts';
import { callThroughBroker, type ClientCalls } from '../brokerCall.ts';
import { capabilitiesOf } from '../protocol/protocolMethods.ts';
import { ToolDefinitions } from '../listedTools.ts';
import { ToolsAlone } from '../toolsOnlyEndpoint.ts';
import type { ListedTool, Upstream, UpstreamCall } from '../upstream.ts';

export interface PresetUpstreamPorts extends ClientCalls {
  readonly version: string;
  readonly preset: Preset;
  readonly onDidChangeTools: Event<void>;
}

/**
 * The tools of a preset, of all its servers, as one server: for a custom agent whose `tools` name it. It lists and calls what is
 * in the preset, and nothing else; of what the active preset lacks, nothing either.
 */
export class PresetUpstream extends ToolsAlone {
  readonly #ports: PresetUpstreamPorts;
  readonly #listed: ToolDefinitions;
  readonly #patterns: PresetPatterns;
  #known: { readonly of: readonly CatalogTool[]; readonly tools: readonly ListedTool[] } | undefined;

  constructor(ports: PresetUpstreamPorts) {
    super(ports.onDidChangeTools);
    this.#ports = ports;
    this.#listed = new ToolDefinitions(ports.host.catalog);
    this.#patterns = new PresetPatterns(ports.preset.entries);
  }

  /** `serverInfo.name`. */
  get infoName(): string {
    const { host, preset } = this.#ports;
    return editorServerName(presetPart(preset.name), host.catalog.format);
  }

  describe(): ReturnType<Upstream['describe']> {
    const { version, preset } = this.#ports;
    return {
      serverInfo: { name: this.infoName, title: presetLabel(preset.name), version },
      ...(preset.description === undefined ? {} : { instructions: preset.description }),
      capabilities: capabilitiesOf({}),
    };
  }

  tools(): readonly ListedTool[] {
    const { catalog } = this.#ports.host;
    const { tools } = catalog;
    if (this.#known?.of !== tools) {
      const inPreset = [...Map.groupBy(tools, ({ serverId }) => serverId)].flatMap(([id, all]) =>
        this.#toolsOf(id, all),
      );
      this.#known = { of: tools, tools: inPreset.flatMap((tool) => this.#listedTool(tool) ?? []) };
    }
    return this.#known.tools;
  }

  #toolsOf(serverId: string, all: readonly CatalogTool[]): readonly CatalogTool[] {
    const { servers, catalog } = this.#ports.host;
    const definition = servers.get(serverId);
    if (!definition) return [];
    const { name, entry } = definition;
    const server = { configuredName: entry.name, name, part: catalog.partOf(serverId) };
    const tools = this.#patterns.toolsOf(serverSpellings(server));
    if (tools === 'all') return all;
    const filter = new PresetFilter(tools);
    return all.filter((tool) => filter.has(ownToolNames(tool)));
  }

  /** By the callable name without what all of them begin with. */
  #listedTool(tool: CatalogTool): ListedTool | undefined {
    const listed = this.#listed.listed(tool);
    const name = tool.name.replace(/^mcp__/, '');
    return listed && { ...listed, name, definition: { ...listed.definition, name } };
  }

  whyAbsent(name: string): string {
    return `${name} is not in the preset “${this.#ports.preset.name}”, which is all that this agent has.`;
  }

  call(tool: ListedTool, args: JsonObject, options: UpstreamCall): Promise<JsonObject> {
    return callThroughBroker(this.#ports, tool.callableName, args, options);
  }
}
