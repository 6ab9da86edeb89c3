import { isRecord, sha256, stableStringify, type JsonObject } from '../../base/json/json.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { prefixOf } from '../../catalog/names/toolNamePrefix.ts';
import { normalizeSchema } from '../../catalog/schema/normalizeSchema.ts';
import { describe, DESCRIPTION_LIMIT } from '../../catalog/exposure/descriptions.ts';
import { toolDefinition, estimateTokens } from '../../catalog/exposure/toolDefinition.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import { appUriOf, hasApp, isForApps } from '../../catalog/toolApp.ts';
import type { ExposureDecision, ExposureSetting } from '../../catalog/exposure/toolExposure.ts';
import type { Host } from '../../host/host.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';
import { plainText } from '../text/safeText.ts';
import { passedIcons } from './passedIcons.ts';
import { chooseNativeTools, type NativeTools } from './chooseNativeTools.ts';
import type { ListedTool } from './upstream.ts';

/** Where the tool's own hints stand; the list says of every tool that it reads only, so that the editor doesn't ask. */
export const HINTS_KEY = 'mcp-switchboard/annotations';

/**
 * For whom a list is. `editor`: it asks no questions of its own, and puts the server's part before a tool's name.
 * `agent`: an agent outside the editor, for one server; `agents`: for all of them, by callable names.
 */
export type Audience = 'editor' | 'agent' | 'agents';

/** Tools in the form of a list, and what each costs; made once for each tool. */
export class ToolDefinitions {
  readonly #catalog: Pick<Catalog, 'partOf' | 'format'>;
  readonly #audience: Audience;
  readonly #known = new WeakMap<CatalogTool, { readonly listed: ListedTool | undefined; readonly tokens: number }>();

  constructor(catalog: Pick<Catalog, 'partOf' | 'format'>, audience: Audience = 'editor') {
    this.#catalog = catalog;
    this.#audience = audience;
  }

  /** `undefined`: the tool can't be offered. */
  listed(tool: CatalogTool): ListedTool | undefined {
    return this.#of(tool).listed;
  }

  tokensOf(tool: CatalogTool): number {
    return this.#of(tool).tokens;
  }

  #of(tool: CatalogTool): { readonly listed: ListedTool | undefined; readonly tokens: number } {
    let known = this.#known.get(tool);
    if (!known) {
      const prefix = prefixOf(this.#catalog.partOf(tool.serverId), this.#catalog.format);
      const listed = listTool(tool, this.#audience, prefix);
      known = { listed, tokens: listed ? estimateTokens(JSON.stringify(listed.definition)) : 0 };
      this.#known.set(tool, known);
    }
    return known;
  }
}

/** What decides how many tools the editor's lists have. */
export interface ExposureSettings {
  readonly exposure: ExposureSetting;
  /** What the smallest model that can be picked takes; 128,000 where none is known. */
  readonly contextTokens?: number | undefined;
}

/** The editor's list of each server: those of its tools that the agent has natively. */
export class EditorTools {
  readonly #host: Pick<Host, 'catalog' | 'loaded'>;
  readonly #settings: () => ExposureSettings;
  readonly #definitions: ToolDefinitions;
  #known: { readonly of: readonly CatalogTool[]; readonly by: string; readonly native: NativeTools } | undefined;

  constructor(host: Pick<Host, 'catalog' | 'loaded'>, settings: () => ExposureSettings) {
    this.#host = host;
    this.#settings = settings;
    this.#definitions = new ToolDefinitions(host.catalog);
  }

  /** How tools are exposed now, and why. */
  get decision(): ExposureDecision {
    return this.#native().decision;
  }

  of(serverId: string): readonly ListedTool[] {
    const { names } = this.#native();
    const { catalog } = this.#host;
    const native = catalog.toolsOf(serverId).filter(({ name }) => names.has(name));
    // The editor keeps those that are for apps from the model.
    const all = native.some(hasApp) ? [...native, ...catalog.appToolsOf(serverId).filter(isForApps)] : native;
    return all.map((tool) => this.#definitions.listed(tool)).filter((tool) => tool !== undefined);
  }

  /** A tool by its name in the list, also one that isn't offered now. */
  find(serverId: string, name: string): ListedTool | undefined {
    const { catalog } = this.#host;
    const tool = catalog.find(prefixOf(catalog.partOf(serverId), catalog.format) + name);
    return tool?.serverId === serverId ? this.#definitions.listed(tool) : undefined;
  }

  #native(): NativeTools {
    const { catalog, loaded } = this.#host;
    const { tools } = catalog;
    const { exposure, contextTokens } = this.#settings();
    const by = JSON.stringify([exposure, contextTokens, loaded.rules, loaded.joined]);
    if (this.#known?.of !== tools || this.#known.by !== by) {
      const native = chooseNativeTools({
        setting: exposure,
        contextTokens,
        tools,
        tokensOf: (tool) => this.#definitions.tokensOf(tool),
        loaded,
      });
      this.#known = { of: tools, by, native };
    }
    return this.#known.native;
  }
}

const digests = new WeakMap<ListedTool, string>();

/** Another one when a list says something else. */
export function digestOf(tools: readonly ListedTool[]): string {
  return tools
    .map((tool) => {
      const { definition, original } = tool;
      const digest = digests.get(tool) ?? sha256(stableStringify(original ? [definition, original] : definition));
      digests.set(tool, digest);
      return digest;
    })
    .join('\n');
}

/** @param prefix of the callable name: for one server's list it goes without saying */
function listTool(tool: CatalogTool, audience: Audience, prefix: string): ListedTool | undefined {
  const offered = toolDefinition(tool);
  if ('leftOut' in offered) return undefined;
  const { annotations, outputSchema, icons, needsTask, canTask } = tool.tool;
  const mayBeTask = audience !== 'editor' && (needsTask === true || canTask === true);
  const name = audience === 'agents' ? tool.name : tool.name.slice(prefix.length);
  const title = (tool.tool.title ?? annotations.title)?.toWellFormed();
  const output = outputSchema && normalizeSchema(outputSchema, true);
  const definition: JsonObject = {
    name,
    // The editor renders it as Markdown, with links, images and icons, where it says that the tool runs.
    ...(title === undefined ? {} : { title: audience === 'editor' ? unrendered(title) : title }),
    description: offered.description,
    inputSchema: offered.inputSchema,
    ...(output?.isUsable ? { outputSchema: output.schema } : {}),
    ...passedIcons(icons),
    ...(mayBeTask ? { execution: { taskSupport: 'optional' } } : {}),
    annotations: audience === 'editor' ? { readOnlyHint: true } : { ...annotations },
    _meta: { ...metaOf(tool.tool), ...(audience === 'editor' ? { [HINTS_KEY]: { ...annotations } } : {}) },
  };
  if (audience === 'editor') return { name, callableName: tool.name, definition };
  return { name, callableName: tool.name, definition, original: originalOf(tool, definition) };
}

/** With schemas as the server has them, for clients that have all of JSON Schema 2020-12. */
function originalOf(tool: CatalogTool, definition: JsonObject): JsonObject {
  const { inputSchema, outputSchema } = tool.tool;
  const { outputSchema: _normalized, ...rest } = definition;
  const description = describe(tool, DESCRIPTION_LIMIT);
  return { ...rest, description, inputSchema, ...(outputSchema ? { outputSchema } : {}) };
}

/** `_meta` with the address of the tool's page where clients look for it, also of servers that have it in the older place. */
function metaOf(tool: McpTool): JsonObject | undefined {
  const { meta } = tool;
  const uri = appUriOf(tool);
  const ui = meta?.['ui'];
  if (uri === undefined || (isRecord(ui) && ui['resourceUri'] === uri)) return meta;
  return { ...meta, ui: { ...(isRecord(ui) ? ui : {}), resourceUri: uri } };
}

/** A title in which nothing is Markdown, for a reader that renders some and not all of it. */
function unrendered(title: string): string {
  return plainText(title).replaceAll(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'));
}
