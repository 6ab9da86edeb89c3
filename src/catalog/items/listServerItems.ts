import { isRecord, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { leftOutOf } from '../../connection/cleaning/leftOut.ts';
import type { Session } from '../../connection/connectionTypes.ts';
import { freshForMs } from '../../connection/session/listFreshness.ts';
import { hasSkills, MAX_SKILL_WEIGHT, readSkill, type McpSkill } from '../skills/skillEntry.ts';

/** How many pages of a list are asked for. */
const MAX_PAGES = 100;
const MAX_ITEMS = 10_000;
/** How many items that are left out are said one by one. */
const MAX_SENTENCES = 20;
/** A heavier item is left out, but for a skill, which states each of its files; see `jsonWeight`. */
const MAX_ITEM_WEIGHT = 16 * 1024;
/** What all items of a list may weigh. */
const MAX_LIST_WEIGHT = 8 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 60_000;

type Item = Readonly<Record<string, unknown>>;
/** How an item of each list is called. */
const KINDS = {
  resources: 'Resource',
  resourceTemplates: 'Resource template',
  prompts: 'Prompt',
  skills: 'Skill',
} as const;
type ListKey = keyof typeof KINDS;
type Requests = Pick<Session, 'request' | 'info'>;

/** A list of a server, all its pages. */
export interface ItemPages {
  readonly items: readonly Item[];
  /** What was left out of it, one sentence each. */
  readonly leftOut: readonly string[];
  /** How long it counts as what the server has, in milliseconds. */
  readonly freshForMs: number;
}

/**
 * What a server offers besides tools, by what it says that it can do. A list that fails counts as empty.
 * @param capabilities as the server gave them
 * @param pinned gives the prompts and the skills that may be offered
 */
export async function listServerItems(
  session: Requests,
  capabilities: JsonObject,
  pinned: Readonly<Record<'prompts' | 'skills', () => Promise<ItemPages>>>,
): Promise<ItemLists> {
  let freshFor = Infinity;
  const list = async <T>(
    isThere: unknown,
    listed: () => Promise<ItemPages>,
    read: (item: Item) => T | undefined,
  ): Promise<readonly T[]> => {
    if (!isThere) return [];
    const { items, freshForMs: ms } = await listed().catch(() => NOTHING);
    freshFor = Math.min(freshFor, ms);
    return items.map(read).filter((item) => item !== undefined);
  };
  const { resources: hasResources, prompts: hasPrompts } = capabilities;
  const [resources, templates, prompts, skills] = await Promise.all([
    list(hasResources, () => pages(session, 'resources/list', 'resources'), resourceOf),
    list(hasResources, () => pages(session, 'resources/templates/list', 'resourceTemplates'), templateOf),
    list(hasPrompts, pinned.prompts, promptOf),
    list(hasSkills(capabilities), pinned.skills, skillOf),
  ]);
  return { resources, templates, prompts, skills, freshForMs: freshFor };
}

const NOTHING: ItemPages = { items: [], leftOut: [], freshForMs: Infinity };

/** The items of a list that comes in pages (specification: pagination), as many as there is room for. */
export async function pages(session: Requests, method: string, key: ListKey, signal?: AbortSignal): Promise<ItemPages> {
  const all: Item[] = [];
  const leftOut: string[] = [];
  let freshFor = Infinity;
  const heaviest = key === 'skills' ? MAX_SKILL_WEIGHT : MAX_ITEM_WEIGHT;
  let room = MAX_LIST_WEIGHT;
  let seen = 0;
  let tooLarge = 0;
  const listed = (rest?: string): ItemPages => {
    const more = tooLarge - MAX_SENTENCES;
    if (more > 0) leftOut.push(`${more} more that are too large.`);
    if (rest !== undefined) leftOut.push(`What comes after the first ${all.length}: ${rest}.`);
    return { items: all, leftOut, freshForMs: freshFor };
  };
  let cursor: JsonValue | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await session.request(method, params, REQUEST_TIMEOUT_MS, signal && { signal });
    const items = result[key];
    leftOut.push(...leftOutOf(result));
    const capability = key === 'resourceTemplates' ? 'resources' : key;
    freshFor = Math.min(freshFor, freshForMs(result, session.info, capability));
    for (const item of Array.isArray(items) ? (items as readonly unknown[]) : []) {
      if (all.length >= MAX_ITEMS) return listed(`the list has more than ${MAX_ITEMS} items`);
      seen += 1;
      const weight = jsonWeight(item, heaviest);
      if (!isRecord(item)) continue;
      if (weight > heaviest) {
        tooLarge += 1;
        if (tooLarge <= MAX_SENTENCES) leftOut.push(`${KINDS[key]} number ${seen}: it is too large.`);
        continue;
      }
      room -= weight;
      if (room < 0) return listed('the list is too large');
      all.push(item);
    }
    cursor = result['nextCursor'];
    if (typeof cursor !== 'string' || cursor === '') return listed();
  }
  return listed(`the list has more than ${MAX_PAGES} pages`);
}

/** An item of `resources/list`; `undefined` where it has no address. */
export function resourceOf(item: Item): McpResource | undefined {
  if (typeof item['uri'] !== 'string') return undefined;
  const uri = item['uri'];
  return { uri, ...named(item, uri), ...optional(item, 'mimeType', 'string'), ...optional(item, 'size', 'number') };
}

/** An item of `resources/templates/list`; `undefined` where it has no template. */
export function templateOf(item: Item): McpResourceTemplate | undefined {
  const { uriTemplate } = item;
  if (typeof uriTemplate !== 'string') return undefined;
  return { uriTemplate, ...named(item, uriTemplate), ...optional(item, 'mimeType', 'string') };
}

/** An item of `prompts/list`. */
export function promptOf(item: Item): McpPrompt | undefined {
  if (typeof item['name'] !== 'string') return undefined;
  return { ...named(item, item['name']), arguments: argumentsOf(item['arguments']) };
}

/** An entry of `skills/list`. */
export function skillOf(item: Item): McpSkill | undefined {
  const skill = readSkill(item);
  return 'problem' in skill ? undefined : skill;
}

function argumentsOf(value: unknown): NonNullable<McpPrompt['arguments']> {
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  return all
    .filter(isRecord)
    .flatMap((item) =>
      typeof item['name'] === 'string'
        ? [{ name: item['name'], ...optional(item, 'description', 'string'), required: item['required'] === true }]
        : [],
    );
}

function named(item: Item, otherwise: string): Pick<McpResource, 'name' | 'title' | 'description'> {
  const name = typeof item['name'] === 'string' ? item['name'] : otherwise;
  return { name, ...optional(item, 'title', 'string'), ...optional(item, 'description', 'string') };
}

interface Types {
  string: string;
  number: number;
}

function optional<K extends string, T extends keyof Types>(
  item: Item,
  key: K,
  type: T,
): { readonly [key in K]?: Types[T] } {
  return (typeof item[key] === type ? { [key]: item[key] } : {}) as { readonly [key in K]?: Types[T] };
}

/** A resource as its server lists it (specification: resources). */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** In bytes. */
  readonly size?: number;
}

/** A family of resources, by a URI template (RFC 6570). */
export interface McpResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** A prompt as its server lists it (specification: prompts). */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly description?: string; readonly required?: boolean }[];
}

/** What a server offers besides tools. */
export interface ItemLists {
  readonly resources: readonly McpResource[];
  readonly templates: readonly McpResourceTemplate[];
  readonly prompts: readonly McpPrompt[];
  readonly skills?: readonly McpSkill[];
  /** How long they count as what the server has, in milliseconds. */
  readonly freshForMs?: number;
}

/** One thing that a server offers besides tools. */
export type ServerItem = { readonly serverId: string; readonly serverName: string; readonly summary: string } & (
  | { readonly kind: 'resource'; readonly resource: McpResource }
  | { readonly kind: 'template'; readonly template: McpResourceTemplate }
  | { readonly kind: 'prompt'; readonly prompt: McpPrompt }
  | { readonly kind: 'skill'; readonly skill: McpSkill }
);
