import type { JsonObject } from '../../base/json/json.ts';
import { say } from '../../base/say.ts';
import { conventionsOf } from '../clients/clientConventions.ts';
import { readEntry } from './readEntry.ts';
import { readInputs } from './readInputs.ts';
import { readJsonc, tooDeep, type ParsedText, type SyntaxFault } from '../syntax/readJsonc.ts';
import { layoutHints } from './layoutHints.ts';
import { containerOf, findServerMaps } from './serverMaps.ts';
import { duplicate, MAX_PROBLEMS, mostOf, notAMap, notAnObject, syntaxProblems } from './sourceProblems.ts';
import { valueAt, type ConfigNode } from '../syntax/configNode.ts';
import { isOverBudget } from '../syntax/textBudget.ts';
import { isClaudeSettings, readClaudeSettings } from '../rules/claudeSettings.ts';
import type { PermissionRule } from '../rules/permissionRules.ts';
import { hasRuleLists, readFileRules, ruleLists } from '../rules/fileServerRules.ts';
import { SourceText, syntaxOf, type Span } from '../syntax/sourceText.ts';
import type { BrokenEntry, ConfigProblem, ConfigSource, ServerEntry, ServerRules } from '../configTypes.ts';

/** The servers and problems of a text. */
export interface ParsedSource {
  /** The text as a whole can be read. If not, `entries` are those that stand, whole, before its first error. */
  readonly parsed: boolean;
  readonly entries: readonly ServerEntry[];
  readonly broken: readonly BrokenEntry[];
  readonly problems: readonly ConfigProblem[];
  /** See `SourceResult.switchedOff`. */
  readonly switchedOff?: readonly string[];
  /** See `SourceResult`. */
  readonly projectServersOff?: readonly string[];
  readonly toolRules?: readonly PermissionRule[];
  readonly hooks?: JsonObject;
  /** The allow and deny list of a managed file, or of Claude Code's settings. */
  readonly rules?: ServerRules;
}

/**
 * As `parseSource`, of a source of either syntax: the reader of TOML is loaded with the first such text, since few users
 * have any.
 */
export async function parseAnySource(source: ConfigSource, text: string): Promise<ParsedSource> {
  if (syntaxOf(source) === 'jsonc') return parseSource(source, text);
  const { readToml } = await import('../syntax/readToml.ts');
  return parseSource(source, text, readToml);
}

/** What turns TOML into nodes. */
export type ReadToml = (text: string) => ParsedText;

/**
 * Reads the servers of one source (design: *Config*). Never throws; one bad entry never costs another. A file whose name
 * ends in `.toml` is TOML, any other text JSON with comments.
 * @param text with or without a byte order mark; white space alone means no servers
 * @param readToml `readToml` of readToml.ts, where the source is TOML; `parseAnySource` loads it by itself
 * @param platform where the servers would run; this machine's when absent
 */
export function parseSource(
  source: ConfigSource,
  text: string,
  readToml?: ReadToml,
  platform?: NodeJS.Platform,
): ParsedSource {
  if (isWrittenByOthers(source) && isOverBudget(text, syntaxOf(source))) return tooLarge(source, text);
  const sourceText = new SourceText(source, text, platform);
  try {
    return parseText(sourceText, readToml);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // What the parser's stack was just deep enough for can still be too deep for what walks its tree.
    return { ...nothing, parsed: false, problems: syntaxProblems(sourceText, [tooDeep]) };
  }
}

function parseText(sourceText: SourceText, readToml: ReadToml | undefined): ParsedSource {
  const { source, syntax } = sourceText;
  if (syntax === 'toml' && !readToml) throw new Error('A source in TOML needs the reader of TOML.');
  const parsed = syntax === 'toml' && readToml ? readToml(sourceText.text) : readJsonc(sourceText.text);
  const isSound = !parsed.faults.some((fault) => fault.scope === 'file');
  const { root } = parsed;
  if (root && root.type !== 'object') return { ...nothing, parsed: false, problems: [notAnObject(sourceText, root)] };
  const container = root && containerOf(root, source.within ?? []);
  if (!container)
    return { ...nothing, parsed: isSound, problems: syntaxProblems(sourceText, parsed.faults.slice(0, MAX_PROBLEMS)) };
  return { parsed: isSound, ...readContainer(sourceText, container, parsed) };
}

/** Not by the user or the administrator of the machine. */
function isWrittenByOthers({ scope }: ConfigSource): boolean {
  return scope === 'project' || scope === 'workspace' || scope === 'cloud';
}

const SERVERS_KEY = /"(?:mcp|mcpServers|mcp_servers|mcp\.servers|context_servers)"\s{0,9}:/;

/** What is said of a text that isn't read because it would take too long. Settings of other kinds cost nothing. */
function tooLarge(source: ConfigSource, text: string): ParsedSource {
  if (source.format === 'settings' && !SERVERS_KEY.test(text)) return { ...nothing, parsed: true, problems: [] };
  const problem = new SourceText(source, '').problem({ offset: 0, length: 0 }, 'too-large', 'error', {
    message: say`The file contains too many values, so its servers are not read.`,
    fix: say`Keep at most some hundreds of servers in one file.`,
  });
  return { ...nothing, parsed: false, problems: [problem] };
}

const nothing = { entries: [], broken: [] } as const;

function readContainer(text: SourceText, container: ConfigNode, { faults }: ParsedText): Omit<ParsedSource, 'parsed'> {
  const soundEnd = endOfSoundPart(text, faults);
  const conventions = conventionsOf(text.source);
  const maps = findServerMaps(container, text.source.format, conventions?.mergesByName);
  const { inputs, problems: inputProblems } = readInputs([container, valueAt(container, 'mcp')], text);
  const entries = new Map<string, ServerEntry>();
  const broken = new Map<string, BrokenEntry>();
  const switchedOff = new Set<string>();
  const problems: ConfigProblem[] = [...inputProblems];
  const sweep = new FaultSweep(faults);
  for (const map of maps) {
    if (map.value.type !== 'object') {
      if (map.value.type !== 'null') problems.push(notAMap(text, map));
      continue;
    }
    for (const member of map.members) {
      if (endOf(member.span) > soundEnd) continue;
      const own = sweep.takeWithin(member.span);
      const result = readEntry(member, { text, conventions, section: map.section, faults: own, inputs });
      for (const problem of result.problems) problems.push(problem);
      // Of two of the same name the last counts, as in every JSON parser.
      const isSecond = [entries.delete(member.key), broken.delete(member.key)].includes(true);
      if (isSecond) problems.push(duplicate(text, member));
      if (result.entry) entries.set(member.key, result.entry);
      if (result.broken) broken.set(member.key, result.broken);
      if (result.switchedOff) switchedOff.add(member.key);
    }
  }
  const syntax = syntaxProblems(text, sweep.outside().slice(0, MAX_PROBLEMS));
  const claude = isClaudeSettings(text.source) ? readClaudeSettings(container, text) : undefined;
  const hasRules = text.source.scope === 'enterprise' || (claude !== undefined && hasRuleLists(container));
  // Of a text that goes wrong in the middle nobody knows yet what its keys will be.
  if (soundEnd === Number.POSITIVE_INFINITY)
    problems.push(...layoutHints(container, maps, text, hasRules ? ruleLists(container) : []));
  if (claude) problems.push(...claude.problems);
  const rules = hasRules ? readFileRules(container, text) : undefined;
  if (rules) problems.push(...rules.problems);
  return {
    entries: [...entries.values()],
    broken: [...broken.values()],
    problems: mostOf([...syntax, ...problems], text),
    ...(switchedOff.size > 0 ? { switchedOff: [...switchedOff] } : {}),
    ...(claude && claude.projectServersOff.length > 0 ? { projectServersOff: claude.projectServersOff } : {}),
    ...(claude && claude.toolRules.length > 0 ? { toolRules: claude.toolRules } : {}),
    ...(claude?.hooks ? { hooks: claude.hooks } : {}),
    ...(rules ? { rules: rules.rules } : {}),
  };
}

/**
 * Where the part of the text ends that can be trusted. What is never closed reaches to the end of the text, so an entry
 * that does isn't whole.
 */
function endOfSoundPart(text: SourceText, faults: readonly SyntaxFault[]): number {
  const fault = faults.find((item) => item.scope === 'file');
  return fault ? Math.min(fault.span.offset, text.text.trimEnd().length - 1) : Number.POSITIVE_INFINITY;
}

function endOf(span: Span): number {
  return span.offset + span.length;
}

/** Assigns syntax faults to the entries that contain them, in one pass over both. */
class FaultSweep {
  readonly #faults: readonly SyntaxFault[];
  readonly #outside: SyntaxFault[] = [];
  #next = 0;

  /** @param faults in the order of the text */
  constructor(faults: readonly SyntaxFault[]) {
    this.#faults = faults;
  }

  /** The faults within `span`; ask in the order of the text. */
  takeWithin(span: Span): SyntaxFault[] {
    const within: SyntaxFault[] = [];
    for (; this.#next < this.#faults.length; this.#next += 1) {
      const fault = this.#faults[this.#next];
      if (!fault || fault.scope === 'file' || fault.span.offset >= span.offset + span.length) break;
      if (fault.span.offset < span.offset) this.#outside.push(fault);
      else within.push(fault);
    }
    return within;
  }

  /** The faults that no entry has taken. */
  outside(): readonly SyntaxFault[] {
    return [...this.#outside, ...this.#faults.slice(this.#next)];
  }
}
