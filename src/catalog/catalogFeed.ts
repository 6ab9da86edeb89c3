import { inSlices } from '../base/timeSlices.ts';
import type { ServerConnection } from '../connection/connectionPool.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import type { ServerEntry } from '../config/configTypes.ts';
import type { Catalog } from './catalog.ts';
import type { CatalogCache, CachedServer } from './catalogCache.ts';
import type { PinnedItems } from './items/pinnedItems.ts';
import { INSTRUCTIONS, type PinningMode } from './pinningModes.ts';
import { NO_CHANGES, type OpenChange, type PinStore } from './toolPins.ts';
import type { ToolPin } from './pinChanges.ts';
import type { ToolRules } from './toolRules.ts';
import type { PresetTools } from './presets/presetPatterns.ts';
import { firstAttempt, offersRemembered, type FirstAttempt } from './firstConnection.ts';

/** What the feed reads and writes. */
export interface FeedPorts {
  readonly catalog: Catalog;
  readonly cache: CatalogCache;
  definition(serverId: string): ServerDefinition | undefined;
  connection(serverId: string): ServerConnection | undefined;
  /** Whether a call connects this server where it is disconnected. */
  connectsOnDemand(definition: ServerDefinition): boolean;
  pinning(): PinningMode;
  /** Which tools of a server the active preset has; the same object as long as nothing changes. */
  presetTools?(definition: ServerDefinition): PresetTools | undefined;
}

export interface Opened {
  readonly pins: PinStore;
  readonly prompts: PinnedItems;
  readonly skills: PinnedItems;
}

/** A server's tools before overrides: live, or from the cache. */
interface Listed {
  readonly tools: readonly McpTool[];
  readonly instructions?: string | undefined;
  readonly cachedAt?: number;
}

interface Shown {
  readonly listed: readonly McpTool[];
  /** The server's instructions in the form of a tool, pinned with those listed. */
  readonly instructions: McpTool;
  readonly tools: readonly McpTool[];
  readonly key: string;
  readonly open: ReadonlyMap<string, OpenChange>;
  readonly blocked?: ReadonlySet<string>;
  /** Tools that came after the server was approved, and that the user hasn't allowed a call of yet. */
  readonly unseen: Set<string>;
}

/** Nothing is ever added to it. */
const NONE_UNSEEN = new Set<string>();

/**
 * What of each server goes into the catalog: its live tools; before it is first connected, those that are remembered, where
 * a call gets them. A tool that changed since it was approved comes without the hints that it gives of itself, or not at all.
 */
export class CatalogFeed {
  readonly #ports: FeedPorts;
  #opened: Opened | undefined;
  readonly #rules = new WeakMap<ServerEntry, ToolRules>();
  readonly #shown = new Map<string, Shown>();
  /** What of each server is in the cache: as it was defined then. */
  readonly #saved = new Map<string, { readonly tools: readonly McpTool[]; readonly fingerprint: string }>();
  readonly #remembered = new Map<string, CachedServer>();
  readonly #firstAttempts = new WeakMap<ServerConnection, FirstAttempt>();

  constructor(ports: FeedPorts) {
    this.#ports = ports;
  }

  /** To be called before anything is shown: what was approved of the tools, the prompts and the skills. */
  open(opened: Opened): void {
    this.#opened = opened;
  }

  get #pins(): PinStore {
    return this.#open.pins;
  }

  /** The lists of prompts, without those that wait for a review. */
  get prompts(): PinnedItems {
    return this.#open.prompts;
  }

  /** The lists of skills, likewise. */
  get skills(): PinnedItems {
    return this.#open.skills;
  }

  get #open(): Opened {
    if (!this.#opened) throw new Error('the pins are not loaded');
    return this.#opened;
  }

  /** Does in slices what `refresh` needs of a list that comes; most lists need none. */
  prepare(tools: readonly McpTool[]): Promise<unknown> {
    return inSlices(this.#pins.prepare(tools));
  }

  /** Brings the catalog up to date on one server. */
  refresh(serverId: string): void {
    const { catalog, cache } = this.#ports;
    const definition = this.#ports.definition(serverId);
    if (!definition) {
      void cache.drop(serverId);
      this.#saved.delete(serverId);
      this.#remembered.delete(serverId);
    }
    const connection = this.#ports.connection(serverId);
    const listed = definition && connection && this.#listed(definition, connection);
    if (!definition || !listed) {
      this.#shown.delete(serverId);
      catalog.removeServer(serverId);
      return;
    }
    const { tools, blocked } = this.#examined(definition, listed);
    const preset = this.#ports.presetTools?.(definition);
    catalog.setServer(serverId, definition.name, tools, {
      rules: this.#rulesOf(definition.entry),
      ...(definition.entry.name === definition.name ? {} : { configuredName: definition.entry.name }),
      ...(blocked ? { blocked } : {}),
      ...(preset === undefined ? {} : { preset }),
      ...(listed.cachedAt === undefined ? {} : { cachedAt: listed.cachedAt }),
    });
  }

  /** Whether the tools of this server, as it is defined now, are known without connecting it. */
  isRemembered({ id, fingerprint }: ServerDefinition): boolean {
    return this.#ports.cache.load(id, fingerprint) !== undefined;
  }

  /** What is remembered of a server, as it is defined now. */
  rememberedOf(serverId: string): CachedServer | undefined {
    const definition = this.#ports.definition(serverId);
    return definition && this.#ports.cache.load(serverId, definition.fingerprint);
  }

  /** What of a server's tools changed since they were approved, by the server's own name of the tool. */
  changesOf(serverId: string): ReadonlyMap<string, OpenChange> {
    return this.#shown.get(serverId)?.open ?? NO_CHANGES;
  }

  /** What of a server's tools, instructions, prompts and skills waits for a review; none of a server that nothing is shown of. */
  openChangesOf(serverId: string): readonly OpenChange[] {
    const opened = this.#shown.has(serverId) ? this.#opened : undefined;
    const lists = [this, opened?.prompts, opened?.skills];
    return lists.flatMap((list) => [...(list?.changesOf(serverId).values() ?? [])]);
  }

  /** The names of what was approved of a server's tools, prompts and skills, its instructions as {@link INSTRUCTIONS}. */
  pinnedOf(serverId: string): Readonly<Record<'tools' | 'prompts' | 'skills', readonly string[]>> {
    const { pins, prompts, skills } = this.#open;
    const fingerprint = this.#ports.definition(serverId)?.fingerprint ?? '';
    return {
      tools: pins.pinnedOf(serverId, fingerprint),
      prompts: prompts.pinnedOf(serverId),
      skills: skills.pinnedOf(serverId),
    };
  }

  /** What the model gets of a server's instructions: those that were approved, until a change is reviewed. */
  instructionsOf(serverId: string): string | undefined {
    const open = this.changesOf(serverId).get(INSTRUCTIONS)?.change;
    if (open?.kind === 'changed') return open.pinned.description;
    return this.#shown.get(serverId)?.instructions.description;
  }

  /** Whether a tool came after its server was approved, and the user hasn't allowed a call of it yet. */
  isNew(serverId: string, toolName: string): boolean {
    return this.#shown.get(serverId)?.unseen.has(toolName) === true;
  }

  /** The user allowed a call of this tool. */
  acknowledge(serverId: string, toolName: string): void {
    const definition = this.#ports.definition(serverId);
    if (!definition || this.#shown.get(serverId)?.unseen.delete(toolName) !== true) return;
    this.#pins.acknowledge(serverId, definition.fingerprint, toolName);
  }

  /** Takes tools as they are now for approved. */
  accept(serverId: string, toolNames: readonly string[]): void {
    const definition = this.#ports.definition(serverId);
    const shown = this.#shown.get(serverId);
    if (!definition || !shown) return;
    const tools = pinnedIn(shown).filter(({ name }) => toolNames.includes(name));
    this.#pins.accept(serverId, definition.fingerprint, tools);
    this.#shown.delete(serverId);
    this.refresh(serverId);
  }

  /** What is compared of a tool. */
  pinOf(tool: McpTool): ToolPin {
    return this.#pins.pinOf(tool);
  }

  /** A digest of a server's list, to see whether the one that comes with the connection is what was decided by. */
  listDigest(serverId: string): string {
    const digests = (this.#shown.get(serverId)?.listed ?? []).map((tool) => [this.pinOf(tool).hash, tool.annotations]);
    return digests
      .map((digest) => JSON.stringify(digest))
      .toSorted((a, b) => (a < b ? -1 : 1))
      .join('\n');
  }

  #listed(definition: ServerDefinition, connection: ServerConnection): Listed | undefined {
    const { cache } = this.#ports;
    const { id, fingerprint } = definition;
    const { state } = connection;
    const attempt = firstAttempt(this.#firstAttempts.get(connection) ?? 'waiting', state.kind);
    this.#firstAttempts.set(connection, attempt);
    if (state.kind === 'connected') {
      const { tools } = connection;
      const saved = this.#saved.get(id);
      if (state.listError === undefined && (saved?.tools !== tools || saved.fingerprint !== fingerprint)) {
        this.#saved.set(id, { tools, fingerprint });
        const { version, protocolVersion, era, instructions, capabilities } = state.info;
        const own = instructions === undefined ? {} : { instructions };
        void cache.save(id, { fingerprint, serverVersion: version, protocolVersion, era, ...own, capabilities, tools });
      }
      return { tools, instructions: state.info.instructions };
    }
    const isOffered = offersRemembered(attempt, this.#ports.connectsOnDemand(definition));
    const loaded = isOffered ? cache.load(id, fingerprint) : undefined;
    if (!loaded) return undefined;
    // The same object for as long as the memory is the same: the store may give a copy each time.
    const known = this.#remembered.get(id);
    const isSame = known?.savedAt === loaded.savedAt && known.fingerprint === fingerprint;
    const remembered = isSame ? known : loaded;
    this.#remembered.set(id, remembered);
    const { tools, instructions, savedAt } = remembered;
    return { tools, instructions, cachedAt: savedAt };
  }

  #examined(definition: ServerDefinition, { tools: listed, instructions }: Listed): Shown {
    const { id, fingerprint } = definition;
    const mode = this.#ports.pinning();
    const key = `${fingerprint}\n${mode}\n${instructions ?? ''}`;
    const known = this.#shown.get(id);
    if (known?.listed === listed && known.key === key) return known;
    const pins = this.#pins;
    const said = { name: INSTRUCTIONS, description: instructions ?? '', inputSchema: {}, annotations: {} };
    const offered = offeredIn(listed);
    const open = pins.examine(id, fingerprint, pinnedIn({ listed, instructions: said }), mode);
    const tools = open.size === 0 ? offered : offered.map((tool) => (open.has(tool.name) ? withoutHints(tool) : tool));
    const blocked = new Set([...open].filter(([, { verdict }]) => verdict === 'block').map(([name]) => name));
    const names = pins.unseen(id, fingerprint);
    const unseen = names.length > 0 ? new Set(names) : NONE_UNSEEN;
    const shown = { listed, instructions: said, tools, key, open, unseen, ...(blocked.size > 0 ? { blocked } : {}) };
    this.#shown.set(id, shown);
    return shown;
  }

  /** The same object for the same entry, so that the catalog sees that nothing changed. */
  #rulesOf(entry: ServerEntry): ToolRules {
    let rules = this.#rules.get(entry);
    if (!rules) {
      rules = {
        overrides: entry.toolOverrides ?? new Map(),
        customTools: entry.customTools ?? [],
        ...entry.tools,
        ...(entry.alwaysLoad === true ? { alwaysLoad: true } : {}),
      };
      this.#rules.set(entry, rules);
    }
    return rules;
  }
}

/** Without what has the name under which the instructions are pinned. */
function offeredIn(listed: readonly McpTool[]): readonly McpTool[] {
  return listed.some(({ name }) => name === INSTRUCTIONS) ? listed.filter(({ name }) => name !== INSTRUCTIONS) : listed;
}

/** What is pinned of a server: its tools, and its instructions in the form of one. */
function pinnedIn({ listed, instructions }: Pick<Shown, 'listed' | 'instructions'>): readonly McpTool[] {
  return [...offeredIn(listed), instructions];
}

/** The user hasn't reviewed the changed tool, so its annotations don't count: the policy asks. */
function withoutHints(tool: McpTool): McpTool {
  return { ...tool, annotations: {} };
}
