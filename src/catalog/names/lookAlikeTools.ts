import { inSlices } from '../../base/timeSlices.ts';
import {
  looksLike,
  NameIndex,
  neighboursOf,
  oddLetters,
  skeletonOf,
  type NameWarning,
} from '../../servers/trust/lookAlikeNames.ts';
import { configuredNameOf, underlyingOf, type CatalogTool } from '../catalogTool.ts';

/** A warning about the name of a tool or of its server. */
export interface ToolWarning {
  readonly of: 'server' | 'tool';
  readonly warning: NameWarning;
  /** The server of the tool that it looks like. */
  readonly server?: string;
}

/** What look-alikes are looked for among; the same list of tools for as long as it is the same. */
export interface NamesInUse {
  tools(): readonly CatalogTool[];
  /** Names of all servers, those without tools included. */
  servers(): readonly string[];
}

/** The look-alikes among the tools as they are now. */
export class LookAlikeCache {
  readonly #names: NamesInUse;
  #made: { readonly tools: readonly CatalogTool[]; readonly servers: string; readonly found: LookAlikes } | undefined;

  constructor(names: NamesInUse) {
    this.#names = names;
  }

  /** Makes what `of` needs, in slices. */
  async ready(): Promise<void> {
    await inSlices(this.#lookAlikes().work);
  }

  of(tool: CatalogTool): readonly ToolWarning[] {
    return this.#lookAlikes().of(tool);
  }

  #lookAlikes(): LookAlikes {
    const tools = this.#names.tools();
    const names = this.#names.servers();
    const servers = names.join('\n');
    if (this.#made?.tools !== tools || this.#made.servers !== servers)
      this.#made = { tools, servers, found: new LookAlikes(tools, names) };
    return this.#made.found;
  }
}

/** Finds tools and servers whose names could be taken for those of others. */
class LookAlikes {
  readonly #servers: NameIndex;
  readonly #near = new Map<string, CatalogTool[]>();
  readonly #known = new WeakMap<CatalogTool, readonly ToolWarning[]>();
  /** Sorts the tools by what is near their names, one at a step. */
  readonly work: Iterator<void>;

  /**
   * @param tools those of all servers
   * @param servers the names of all servers, those without tools included
   */
  constructor(tools: readonly CatalogTool[], servers: readonly string[]) {
    this.#servers = new NameIndex([...servers, ...tools.map(configuredNameOf)]);
    this.work = this.#sort(tools);
  }

  *#sort(tools: readonly CatalogTool[]): Iterator<void> {
    for (const tool of tools) {
      for (const key of neighboursOf(skeletonOf(underlyingOf(tool).name))) {
        const list = this.#near.get(key);
        if (list) list.push(tool);
        else this.#near.set(key, [tool]);
      }
      yield;
    }
  }

  /** A tool of another server counts; one of its own doesn't, nor does one with exactly the same name. */
  of(tool: CatalogTool): readonly ToolWarning[] {
    let known = this.#known.get(tool);
    if (!known) {
      while (this.work.next().done !== true);
      known = this.#warningsOf(tool);
      this.#known.set(tool, known);
    }
    return known;
  }

  #warningsOf(tool: CatalogTool): readonly ToolWarning[] {
    const { name } = underlyingOf(tool);
    const candidates = neighboursOf(skeletonOf(name)).flatMap((key) => this.#near.get(key) ?? []);
    const like = [...new Set(candidates)].filter(
      (other) => other.serverId !== tool.serverId && looksLike(name, underlyingOf(other).name),
    );
    return [
      ...this.#servers.warningsOf(configuredNameOf(tool)).map((warning) => ({ of: 'server', warning }) as const),
      ...like.map(
        (other) =>
          ({
            of: 'tool',
            warning: { kind: 'like', other: underlyingOf(other).name },
            server: other.serverName,
          }) as const,
      ),
      ...oddLetters(name).map((warning) => ({ of: 'tool', warning }) as const),
    ];
  }
}
