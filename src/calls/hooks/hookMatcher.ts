// Loaded when there are hooks.
import { matchesGlob } from '../../base/text/glob.ts';
import { isComplex } from '../../base/text/patternCost.ts';
import { OutOfTime, timeLimited } from '../../base/timeLimit.ts';
import { configuredNameOf, underlyingOf, type CatalogTool } from '../../catalog/catalogTool.ts';
import { editDistance } from '../../base/text/editDistance.ts';
import { say } from '../../base/say.ts';
import { readableParts } from '../../servers/nameParts.ts';
import { asWord, serverOf, serverSpellings, toolSpellings } from '../../catalog/names/serverNames.ts';
import type { NamesInUse } from '../../catalog/names/lookAlikeTools.ts';
import { ITEM_METHODS } from '../itemRequest.ts';

/** A pattern may take this long, in milliseconds: a workspace's can be made to backtrack for ever, and a server chooses names. */
const MATCH_LIMIT_MS = 50;
/** In UTF-16 units. A server's own name of a tool may be of any length. */
const SHORT_NAME = 128;
/** Shorter words are too often one letter away from another. */
const SHORTEST_NEAR = 4;

/** What is wrong with a matcher. */
export interface MatcherFault {
  readonly message: string;
  readonly fix: string;
}

/**
 * The matcher of a hook, as Claude Code's settings have it: a regular expression for the whole name of a tool; empty or
 * `*`: every tool.
 */
export class HookMatcher {
  readonly #text: string;
  /** For the whole name. */
  #whole: RegExp | undefined;
  /** For a part of it, in any case. */
  #part: RegExp | undefined;
  #fault: MatcherFault | undefined;
  #known: { readonly tools: readonly CatalogTool[]; readonly servers: string; readonly fits: boolean } | undefined;
  readonly #tried = new WeakMap<readonly string[], boolean>();

  constructor(text: string) {
    this.#text = text === '*' ? '' : text;
    if (this.#text === '') return;
    if (isComplex(text)) this.#fail(say`is too complex`);
    else this.#compile(text);
  }

  #compile(text: string): void {
    try {
      this.#part = new RegExp(text, 'i');
      this.#whole = new RegExp(`^(?:${text})$`, 's');
    } catch {
      this.#fail(say`isn’t a regular expression`);
    }
  }

  /** Why it can't be used; it then fits nothing. */
  get fault(): MatcherFault | undefined {
    return this.#fault;
  }

  /** Whether it fits one of a tool's names: the same list for the same tool, which is then known. */
  fits(names: readonly string[]): boolean {
    if (this.#text === '') return true;
    let fits = this.#tried.get(names);
    if (fits === undefined) this.#tried.set(names, (fits = this.#test(this.#whole, names)));
    return fits;
  }

  /** Why it fits no tool that there is, where it doesn't. A server whose tools aren't known may have what it names. */
  faultAmong(known: NamesInUse): MatcherFault | undefined {
    if (this.#text === '' || this.#fault) return this.#fault;
    const all = known.tools();
    const names = known.servers();
    const key = names.join('\n');
    if (this.#known?.tools !== all || this.#known.servers !== key)
      this.#known = { tools: all, servers: key, fits: this.#fitsAny(all, names) };
    if (this.#fault || this.#known.fits) return this.#fault;
    return { message: say`The matcher "${this.#text}" fits no tool.`, fix: FIX };
  }

  /** Whether its author may have meant the tool: read as a glob or as part of the name, in any case, or by its server alone. */
  mayMean(tool: CatalogTool): boolean {
    const names = hookNamesOf(tool);
    const globs = this.#text.toLowerCase().split('|');
    return (
      names.some((name) => globs.some((glob) => matchesGlob(name.toLowerCase(), glob.trim()))) ||
      this.#names([configuredNameOf(tool), tool.serverPart]) ||
      this.#test(this.#part, names)
    );
  }

  #fitsAny(tools: readonly CatalogTool[], servers: readonly string[]): boolean {
    const all = new Set([...servers.flatMap(serverWords), ...tools.flatMap((tool) => serverSpellings(serverOf(tool)))]);
    const items = [...all].flatMap((server) => ITEM_METHODS.map((method) => `mcp__${server}__${method}`));
    if (this.#test(this.#whole, [...tools.flatMap(hookNamesOf), ...items])) return true;
    const listed = new Set(tools.map(({ serverName }) => serverName));
    return this.#names(servers.filter((server) => !listed.has(server)));
  }

  /** Whether a word of it is the name of one of the servers, or nearly. */
  #names(servers: readonly string[]): boolean {
    const words = this.#text.toLowerCase().split(/__|[^\p{L}\p{N}_-]+/u);
    return servers.some((server) => {
      const names = serverWords(server).map((name) => asWord(name).toLowerCase());
      return names.some((name) => name !== '' && words.some((word) => word === name || isNear(word, name)));
    });
  }

  #test(pattern: RegExp | undefined, names: readonly string[]): boolean {
    if (!pattern) return false;
    const isAny = (): boolean => names.some((name) => pattern.test(name));
    if (isCheap(this.#text) && names.every(({ length }) => length <= SHORT_NAME)) return isAny();
    let fits = false;
    try {
      timeLimited(MATCH_LIMIT_MS)(() => (fits = isAny()));
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.#fail(say`takes too long`);
    }
    return fits;
  }

  #fail(why: string): void {
    this.#whole = undefined;
    this.#part = undefined;
    this.#fault = { message: say`The matcher "${this.#text}" ${why}.`, fix: FIX };
  }
}

const FIX = say`Write a regular expression for the whole name, e.g. "mcp__github__.*" or "mcp__github__(create|delete)_.*".`;

const namesOfTools = new WeakMap<CatalogTool, readonly string[]>();

/** The names that matchers are held against: all that the tool that is called, and the tool as it is shown, can be called. */
export function hookNamesOf(tool: CatalogTool): readonly string[] {
  let names = namesOfTools.get(tool);
  if (!names) {
    names = [...new Set([realNameOf(tool), ...toolSpellings(tool)])];
    namesOfTools.set(tool, names);
  }
  return names;
}

/** The callable name of what is called: of a custom or renamed tool, with the server's own name of it. */
export function realNameOf(tool: CatalogTool): string {
  const real = underlyingOf(tool).name;
  if (real === tool.tool.name) return tool.name;
  return `${tool.name.startsWith('mcp__') ? 'mcp__' : ''}${tool.serverPart}__${real}`;
}

/**
 * Whether a pattern takes no time worth a limit, for short names: at most two repetitions, options or groups, and no group is
 * repeated. Most are so, and the limit counts what the machine does meanwhile, too.
 */
function isCheap(pattern: string): boolean {
  return !/\)[*+?{]|\\[\dk]/.test(pattern) && (pattern.match(/[*+?{(]/g) ?? []).length <= 2;
}

/** What a server can be called where its tools aren't known. */
function serverWords(configuredName: string): readonly string[] {
  return [configuredName, ...readableParts(configuredName)];
}

function isNear(word: string, name: string): boolean {
  return Math.min(word.length, name.length) >= SHORTEST_NEAR && editDistance(word, name, 2) <= 2;
}
