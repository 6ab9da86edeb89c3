import { say } from '../base/say.ts';
import type { McpTool } from '../connection/connectionTypes.ts';
import { effectOf, type CatalogTool, type ToolEffect } from './catalogTool.ts';
import { isRecord } from '../base/json/json.ts';
import { DESCRIPTION_LIMIT } from './exposure/descriptions.ts';

const MIN_DESCRIPTION = 20;
const MAX_BONUS = 10;

/** One thing about a tool's definition that makes it harder, or easier, to use well. */
export interface QualityFinding {
  readonly code:
    | 'short-description'
    | 'no-parameter-descriptions'
    | 'required-not-marked'
    | 'unusual-name'
    | 'examples'
    | 'long-description'
    | 'ambiguous-twin';
  /** Points; below 0 for what is missing. */
  readonly points: number;
  /** What to do about it, for authors of servers. */
  readonly advice: string;
}

export interface ToolQuality {
  /** 0 to 100. */
  readonly score: number;
  readonly findings: readonly QualityFinding[];
}

/**
 * How well a tool is described for a model, from 0 to 100.
 * @param siblings all tools of the same server, the tool itself included or not; the same list for as long as it is the same
 */
export function assessTool(tool: McpTool, siblings: readonly McpTool[]): ToolQuality {
  const findings = [
    shortDescription(tool),
    parameterDescriptions(tool),
    requiredMarked(tool),
    unusualName(tool),
    longDescription(tool),
    ambiguousTwin(tool, siblings),
    examples(tool),
  ].filter((finding) => finding !== undefined);
  const sum = findings.reduce((total, { points }) => total + points, 100);
  return { score: Math.max(0, Math.min(100, sum)), findings };
}

function shortDescription({ description = '' }: McpTool): QualityFinding | undefined {
  const { length } = description.trim();
  if (length >= MIN_DESCRIPTION) return undefined;
  // Without the length: of a thousand tools, each would say a text of its own, and `say` remembers the latest thousand.
  const advice =
    length === 0
      ? say`No description: describe what the tool does, when to use it and what it returns.`
      : say`The description is very short: describe what the tool does, when to use it and what it returns.`;
  return { code: 'short-description', points: -40, advice };
}

function parameterDescriptions({ inputSchema }: McpTool): QualityFinding | undefined {
  const properties = propertiesOf(inputSchema);
  if (properties.length === 0 || properties.some(([, property]) => textOf(property, 'description') !== ''))
    return undefined;
  return {
    code: 'no-parameter-descriptions',
    points: -20,
    advice: say`No parameter has a description: describe the meaning and format of each.`,
  };
}

function requiredMarked({ inputSchema }: McpTool): QualityFinding | undefined {
  const properties = propertiesOf(inputSchema);
  if (properties.length === 0 || Array.isArray(inputSchema['required'])) return undefined;
  const isOptional = ([, property]: [string, unknown]): boolean =>
    isRecord(property) && ('default' in property || /\boptional\b/i.test(textOf(property, 'description')));
  if (properties.every(isOptional)) return undefined;
  return {
    code: 'required-not-marked',
    points: -10,
    advice: say`The schema has no "required": list the parameters that must be given.`,
  };
}

function unusualName({ name }: McpTool): QualityFinding | undefined {
  if (/^[a-z][a-z0-9]*(?:_[a-z0-9]+)+$/.test(name)) return undefined;
  return {
    code: 'unusual-name',
    points: -5,
    advice: say`Name the tool in snake_case with a verb and a noun, such as create_issue.`,
  };
}

function longDescription({ description = '' }: McpTool): QualityFinding | undefined {
  if (description.length <= DESCRIPTION_LIMIT) return undefined;
  const advice = say`The description has ${description.length} characters and is cut at ${DESCRIPTION_LIMIT}: move details into the parameters.`;
  return { code: 'long-description', points: -10, advice };
}

function ambiguousTwin(tool: McpTool, siblings: readonly McpTool[]): QualityFinding | undefined {
  const twins = twinsAmong(siblings);
  const alike = twinKeys(tool).flatMap((key) => twins.get(key) ?? []);
  const twin = alike.find((name) => name !== tool.name);
  if (twin === undefined) return undefined;
  const advice = say`The name or description is the same as that of ${twin}: describe how they differ.`;
  return { code: 'ambiguous-twin', points: -10, advice };
}

/** Names of tools by what twins have in common; made once for each list. */
function twinsAmong(tools: readonly McpTool[]): ReadonlyMap<string, readonly string[]> {
  let found = knownTwins.get(tools);
  if (!found) {
    found = new Map();
    for (const tool of tools) {
      for (const key of twinKeys(tool)) {
        const names = found.get(key);
        // Two tell every tool of another one.
        if (names === undefined) found.set(key, [tool.name]);
        else if (names.length < 2 && !names.includes(tool.name)) names.push(tool.name);
      }
    }
    knownTwins.set(tools, found);
  }
  return found;
}

const knownTwins = new WeakMap<readonly McpTool[], Map<string, string[]>>();

function twinKeys({ name, description = '' }: McpTool): string[] {
  const said = squeezed(description);
  return [...(said === '' ? [] : [`description ${said}`]), `name ${squeezed(name)}`];
}

function examples(tool: McpTool): QualityFinding | undefined {
  const { description = '', inputSchema } = tool;
  const inText = /\b(?:e\.g\.|for example|examples?:|usage:|use (?:this|it) (?:when|to))|```/i.test(description);
  const inSchema = propertiesOf(inputSchema).some(
    ([, property]) => isRecord(property) && Array.isArray(property['examples']),
  );
  const points = Math.min(MAX_BONUS, (inText ? 5 : 0) + (inSchema ? 5 : 0));
  return points > 0 ? { code: 'examples', points, advice: say`Has examples or says when to use it.` } : undefined;
}

function propertiesOf(schema: unknown): [string, unknown][] {
  return isRecord(schema) && isRecord(schema['properties']) ? Object.entries(schema['properties']) : [];
}

function textOf(value: unknown, key: string): string {
  const text = isRecord(value) ? value[key] : undefined;
  return typeof text === 'string' ? text.trim() : '';
}

function squeezed(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** A tool as *List Tools* shows it, and as its JSON says. */
export interface ReportedTool {
  readonly name: string;
  readonly server: string;
  readonly effect: ToolEffect;
  /** 0 to 100. */
  readonly score: number;
  /** The score is below the threshold. */
  readonly isMarked: boolean;
  readonly findings: readonly QualityFinding[];
}

/** How well tools are described, computed once for each. */
export class QualityCache {
  readonly #known = new WeakMap<CatalogTool, ToolQuality>();
  readonly #siblings = new WeakMap<readonly CatalogTool[], readonly McpTool[]>();

  /** @param siblings all tools of the same server */
  of(entry: CatalogTool, siblings: readonly CatalogTool[]): ToolQuality {
    let quality = this.#known.get(entry);
    if (!quality) {
      quality = assessTool(entry.tool, this.#toolsOf(siblings));
      this.#known.set(entry, quality);
    }
    return quality;
  }

  #toolsOf(siblings: readonly CatalogTool[]): readonly McpTool[] {
    let tools = this.#siblings.get(siblings);
    if (!tools) {
      tools = siblings.map(({ tool }) => tool);
      this.#siblings.set(siblings, tools);
    }
    return tools;
  }
}

/** All tools with their findings, sorted by lowest quality. */
export function reportTools(tools: readonly CatalogTool[], threshold: number): readonly ReportedTool[] {
  const book = new QualityCache();
  const siblings = Map.groupBy(tools, ({ serverId }) => serverId);
  return tools
    .map((entry): ReportedTool => {
      const { score, findings } = book.of(entry, siblings.get(entry.serverId) ?? []);
      const effect = effectOf(entry.tool.annotations);
      return { name: entry.name, server: entry.serverName, effect, score, isMarked: score < threshold, findings };
    })
    .toSorted((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1));
}
