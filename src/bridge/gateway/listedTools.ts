import type { JsonObject } from '../../base/json.ts';
import { normalizeSchema } from '../../catalog/normalizeSchema.ts';
import { offerTool } from '../../catalog/offered.ts';
import { estimateTokens } from '../../catalog/tokens.ts';
import type { CatalogTool } from '../../catalog/types.ts';
import type { ListedTool } from './upstream.ts';

/** Where the tool's own hints stand; the list says of every tool that it reads only, so that the editor doesn't ask. */
export const HINTS_KEY = 'mcp-switchboard/annotations';

const CALLABLE = /^mcp__(?<part>(?:[^_]|_(?!_))+)__(?<tail>.+)$/s;

/** The two halves of a callable name as the editor puts them together again. */
export function splitCallableName(name: string): { readonly part: string; readonly tail: string } | undefined {
  const { part, tail } = CALLABLE.exec(name)?.groups ?? {};
  return part === undefined || tail === undefined ? undefined : { part, tail };
}

/**
 * What a server must be called for the editor to make exactly the callable names: it puts `mcp_`, what is left of this,
 * and `_` before a tool's name.
 */
export function serverInfoName(part: string): string {
  return `_${part}_`;
}

/**
 * For whom a list is. `editor`: it asks no questions of its own, and puts the server's part before a tool's name.
 * `agent`: an agent outside the editor, for one server; `agents`: for all of them, by callable names.
 */
export type Audience = 'editor' | 'agent' | 'agents';

/** Tools in the form of a list, and what each costs; made once for each tool. */
export class ListedTools {
  readonly #audience: Audience;
  readonly #known = new WeakMap<CatalogTool, { readonly listed: ListedTool | undefined; readonly tokens: number }>();

  constructor(audience: Audience = 'editor') {
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
      const listed = listTool(tool, this.#audience);
      known = { listed, tokens: listed ? estimateTokens(JSON.stringify(listed.definition)) : 0 };
      this.#known.set(tool, known);
    }
    return known;
  }
}

function listTool(tool: CatalogTool, audience: Audience): ListedTool | undefined {
  const offered = offerTool(tool);
  if ('leftOut' in offered) return undefined;
  const { annotations, outputSchema, icons, meta } = tool.tool;
  const name = audience === 'agents' ? tool.name : (splitCallableName(tool.name)?.tail ?? tool.name);
  const title = tool.tool.title ?? annotations.title;
  const output = outputSchema && normalizeSchema(outputSchema);
  const definition: JsonObject = {
    name,
    ...(title === undefined ? {} : { title }),
    description: offered.description,
    inputSchema: offered.inputSchema,
    ...(output?.isUsable ? { outputSchema: output.schema } : {}),
    ...(icons ? { icons } : {}),
    annotations: audience === 'editor' ? { readOnlyHint: true } : { ...annotations },
    _meta: { ...meta, ...(audience === 'editor' ? { [HINTS_KEY]: { ...annotations } } : {}) },
  };
  return { name, callableName: tool.name, definition };
}
