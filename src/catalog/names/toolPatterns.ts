import { Glob, WILDCARD, type Effort } from '../../base/text/glob.ts';
import type { McpTool } from '../../connection/connectionTypes.ts';
import { withoutServer, type NamedServer } from './serverNames.ts';
import { readableToolPart, roomFor } from './toolNames.ts';

/** What the tools of a server can be called in the rules of its entry. */
export class NamesInRules {
  readonly #listed: readonly McpTool[];
  readonly #server: NamedServer | undefined;
  readonly #room: number;
  #taken: ReadonlySet<string> | undefined;

  /** @param server what the rules may put before the names of tools */
  constructor(listed: readonly McpTool[], server?: NamedServer) {
    this.#listed = listed;
    this.#server = server;
    this.#room = server ? roomFor(`mcp__${server.part}__`) : 0;
  }

  /** A pattern as those for the tools' own names: as it is, and without the server. */
  withoutServer(pattern: string): readonly string[] {
    return this.#server ? withoutServer(pattern, this.#server) : [pattern];
  }

  /** A tool's part of its callable name, after a server's; `undefined` where another tool has it as its own. */
  readableOf(name: string): string | undefined {
    this.#taken ??= new Set(this.#listed.map((tool) => tool.name));
    const readable = readableToolPart(name, this.#room);
    return readable === undefined || this.#taken.has(readable) ? undefined : readable;
  }
}

interface Part {
  /** Which of the patterns it is of. */
  readonly at: number;
  readonly pattern: string;
  /** It had the server before it, so the readable name is meant, too. */
  readonly isCallable: boolean;
}

/** A list of patterns in an entry, which the names of the server's tools are held against. */
export class ToolPatterns {
  readonly #names: NamesInRules;
  readonly #effort: Effort;
  readonly #hasCallable: boolean;
  readonly #plain: ReadonlyMap<string, readonly Part[]>;
  readonly #globs: readonly { readonly glob: Glob; readonly part: Part }[];

  /** @param effort where it runs out, no pattern with wildcards fits; without it, `*` and `?` are no wildcards */
  constructor(patterns: readonly string[], names: NamesInRules, effort?: Effort) {
    this.#names = names;
    this.#effort = effort ?? { left: 0 };
    const parts = patterns.flatMap((written, at) =>
      names.withoutServer(written).map((pattern, index) => ({ at, pattern, isCallable: index > 0 })),
    );
    this.#hasCallable = parts.some(({ isCallable }) => isCallable);
    this.#plain = Map.groupBy(parts, ({ pattern }) => pattern);
    const globs = effort ? parts.filter(({ pattern }) => WILDCARD.test(pattern)) : [];
    this.#globs = globs.map((part) => ({ glob: new Glob(part.pattern), part }));
  }

  /** The places of the patterns that are for the tool of this name, in order. */
  fitting(name: string): readonly number[] {
    const readable = this.#hasCallable ? this.#names.readableOf(name) : undefined;
    const asReadable = readable === undefined || readable === name ? [] : (this.#plain.get(readable) ?? []);
    const plain = [...(this.#plain.get(name) ?? []), ...asReadable.filter(({ isCallable }) => isCallable)];
    const globs = this.#globs.filter(
      ({ glob, part: { isCallable } }) =>
        this.#effort.left >= 0 &&
        (glob.matches(name, this.#effort) ||
          (isCallable && readable !== undefined && glob.matches(readable, this.#effort))),
    );
    const places = new Set([...plain, ...globs.map(({ part }) => part)].map(({ at }) => at));
    return [...places].sort((one, other) => one - other);
  }
}
