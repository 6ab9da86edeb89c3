import { hasExactNumbers, withPlainNumbers } from '../../base/json/exactNumber.ts';
import { isRecord, stableStringify, type JsonObject } from '../../base/json/json.ts';
import { jsonWeight } from '../../base/json/jsonWeight.ts';
import { readable, readableWithin } from '../../base/text/modelText.ts';
import { atOnce, type Steps } from '../../base/timeSlices.ts';
import type { McpTool, ToolAnnotations, ToolCallResult } from '../connectionTypes.ts';
import { cleanIcons } from './cleanIcons.ts';
import { listIn } from './cleanItems.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';

/**
 * Brings what servers send into a form that the SDK accepts, so that one invalid tool or content block costs itself
 * alone. What the SDK need not check travels under this key of `_meta`.
 */
const CARRIED = 'mcp-switchboard/carried';

/** The result of `tools/list` as the SDK gets it, and what was left out of it, one sentence each. */
export interface CleanToolList {
  readonly result: Record<string, unknown>;
  readonly leftOut: readonly string[];
}

/** What a list of tools has room for, over all its pages: numbers of tools, and their weight (see `jsonWeight`). */
export interface ListRoom {
  tools: number;
  weight: number;
}

export function roomForList(): ListRoom {
  return { tools: 20_000, weight: 32 * 1024 * 1024 };
}

/** What one tool may weigh. Of one that weighs more, long texts that only describe are cut. */
const MAX_TOOL_WEIGHT = 256 * 1024;
/** Of one that weighs more and has more values, none is looked at: that would hold everything up. */
const MAX_TOOL_VALUES = 64 * 1024;
const TOO_LARGE = 'its definition is too large.';
const MAX_TEXT_CHARS = 16 * 1024;
const DESCRIBING: ReadonlySet<string> = new Set(['description', 'title', '$comment']);
/** The specification recommends half as many. */
const MAX_NAME_CHARS = 256;
const MAX_SENTENCES = 100;

/** As `cleanToolListSteps`, at once. */
export function cleanToolList(result: unknown, room?: ListRoom, tolerate?: Tolerate): CleanToolList {
  return atOnce(cleanToolListSteps(result, room, tolerate));
}

/**
 * Cleans a page of `tools/list`, in steps.
 * @param room is used up; where there is none left, the list ends
 */
export function* cleanToolListSteps(
  result: unknown,
  room: ListRoom = roomForList(),
  tolerate: Tolerate = () => undefined,
): Steps<CleanToolList> {
  const page = isRecord(result) ? result : {};
  const given = listIn(result, 'tools', tolerate);
  const listed = given ?? [];
  const leftOut: string[] = [];
  if (!given) leftOut.push('The whole list: "tools" is not an array.');
  const tools: unknown[] = [];
  let isFull = false;
  for (const [index, given] of listed.entries()) {
    isFull = room.tools <= 0 || room.weight <= 0;
    if (isFull) break;
    yield;
    room.tools -= 1;
    if (jsonWeight(given, MAX_TOOL_WEIGHT) > MAX_TOOL_WEIGHT && hasMoreValues(given, MAX_TOOL_VALUES)) {
      room.weight -= MAX_TOOL_WEIGHT;
      leftOut.push(`Tool number ${index + 1}: ${TOO_LARGE}`);
      continue;
    }
    const isDeep = isTooDeep(given);
    const tool = lighter(isDeep ? shallow(given) : given, leftOut);
    const clean = cleanTool(tool, index, leftOut);
    if (!clean) continue;
    const weight = jsonWeight(clean, MAX_TOOL_WEIGHT);
    room.weight -= Math.min(weight, MAX_TOOL_WEIGHT);
    if (weight > MAX_TOOL_WEIGHT) {
      leftOut.push(`Tool "${clean.name}": ${TOO_LARGE}`);
      continue;
    }
    tools.push(carryTool(clean, tool as Record<string, unknown>));
    if (isDeep) leftOut.push(`The inside of tool "${clean.name}": it is nested more than ${MAX_DEPTH} levels deep.`);
  }
  const { nextCursor, tools: _, ...rest } = page;
  const hasMore = nextCursor !== undefined && nextCursor !== null && jsonWeight(nextCursor, MAX_CURSOR) <= MAX_CURSOR;
  const sentences = leftOut.length > MAX_SENTENCES ? [...leftOut.slice(0, MAX_SENTENCES), AND_MORE] : leftOut;
  return {
    result: { ...withPlainNumbers(rest), tools, ...(hasMore && !isFull ? { nextCursor } : {}) },
    leftOut: isFull ? [...sentences, 'The rest of the list: it has too many tools, or too long ones.'] : sentences,
  };
}

const AND_MORE = 'And more of the same list.';
const MAX_CURSOR = 16_384;

/** The clean tool that came back from the SDK. */
export function carriedTool(tool: { name: string; inputSchema: unknown; _meta?: unknown }): McpTool {
  const carried = isRecord(tool._meta) ? tool._meta[CARRIED] : undefined;
  // Not the SDK's, which is a copy: the list is kept as it came in the recording, too.
  return isRecord(carried)
    ? (carried as unknown as McpTool)
    : { name: tool.name, inputSchema: tool.inputSchema as JsonObject, annotations: {} };
}

/** A result of `tools/call` as the SDK gets it: nothing in it that could fail a check. */
export function carryCallResult(result: ToolCallResult): Record<string, unknown> {
  return { content: [], _meta: { [CARRIED]: result } };
}

/** The call's result that came back from the SDK. */
export function carriedCallResult(result: { readonly _meta?: unknown }): ToolCallResult {
  const carried = isRecord(result._meta) ? result._meta[CARRIED] : undefined;
  return isRecord(carried) ? (carried as unknown as ToolCallResult) : { content: [], isError: false };
}

/** What the APIs of models call a tool's `inputSchema`. */
const OTHER_NAMES = ['input_schema', 'parameters'];

/** An object that came as its text. */
function asObject(value: unknown): unknown {
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

function cleanTool(tool: unknown, index: number, leftOut: string[]): McpTool | undefined {
  if (!isRecord(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') {
    leftOut.push(`Tool number ${index + 1}: it has no name.`);
    return undefined;
  }
  const name = tool['name'];
  if (name.length > MAX_NAME_CHARS) {
    leftOut.push(`Tool number ${index + 1}: its name has more than ${MAX_NAME_CHARS} characters.`);
    return undefined;
  }
  const [own, ...others] = ['inputSchema', ...OTHER_NAMES].map((key) => asObject(tool[key]));
  const named = own === undefined || own === null ? others.find(isRecord) : undefined;
  const input = inputSchemaOf(named ?? own);
  if (!input) {
    leftOut.push(`Tool "${name}": its inputSchema is not an object.`);
    return undefined;
  }
  if (input['type'] !== undefined && ![input['type']].flat().includes('object')) {
    leftOut.push(`Tool "${name}": its inputSchema is not of type "object".`);
    return undefined;
  }
  const output = tool['outputSchema'];
  if (output !== undefined && output !== null && !isRecord(output))
    leftOut.push(`The outputSchema of tool "${name}": it is not an object.`);
  const clean: McpTool = {
    name,
    ...optionalString('title', tool['title']),
    ...optionalString('description', tool['description']),
    inputSchema: readableWithin(cleanRoot(input)),
    ...(isRecord(output) ? { outputSchema: readableWithin(output as JsonObject) } : {}),
    annotations: cleanAnnotations(tool['annotations'], name, leftOut),
    ...taskSupport(tool['execution']),
    ...(isRecord(tool['_meta']) && tool['_meta'][ALWAYS_LOAD] === true ? { alwaysLoad: true } : {}),
    ...cleanIcons(tool['icons']),
    ...(isRecord(tool['_meta']) ? { meta: tool['_meta'] as JsonObject } : {}),
  };
  return isShallowEqual(clean, tool) ? (tool as unknown as McpTool) : clean;
}

/** Whether two objects have the same members. */
function isShallowEqual(one: object, other: Readonly<Record<string, unknown>>): boolean {
  const members = Object.entries(one);
  return members.length === Object.keys(other).length && members.every(([key, value]) => other[key] === value);
}

function taskSupport(execution: unknown): Pick<McpTool, 'needsTask' | 'canTask'> {
  const support = isRecord(execution) ? execution['taskSupport'] : undefined;
  if (support === 'required') return { needsTask: true };
  return support === 'optional' ? { canTask: true } : {};
}

/** Without a schema, or with `null`, a boolean or an empty array, any object is valid. */
function inputSchemaOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null || typeof value === 'boolean') return {};
  if (Array.isArray(value) && value.length === 0) return {};
  return isRecord(value) ? value : undefined;
}

/** The root as the protocol has it, without `properties` and `required` of another type; the same object where it is so. */
function cleanRoot(input: Record<string, unknown>): JsonObject {
  const { type, properties, required, ...rest } = input;
  const isName = (name: unknown): name is string => typeof name === 'string';
  const hasProperties = isRecord(properties);
  const hasNames = Array.isArray(required) && required.every(isName);
  if (type === 'object' && (hasProperties || !('properties' in input)) && (hasNames || !('required' in input)))
    return input as JsonObject;
  return {
    ...(rest as JsonObject),
    type: 'object',
    ...(hasProperties ? { properties: properties as JsonObject } : {}),
    ...(Array.isArray(required) ? { required: required.filter(isName) } : {}),
  };
}

/** Key of a tool's `_meta` by which a server says that the model should always have it. */
const ALWAYS_LOAD = 'anthropic/alwaysLoad';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

/** An annotation of the wrong type counts as absent (specification: *ToolAnnotations*). The same object where there is nothing else in it. */
function cleanAnnotations(value: unknown, tool: string, leftOut: string[]): ToolAnnotations {
  if (!isRecord(value)) return {};
  if (Object.entries(value).every(([key, hint]) => typeof hint === 'boolean' && HINTS.some((known) => known === key)))
    return value;
  for (const key of [...HINTS, 'title']) {
    const wanted = key === 'title' ? 'string' : 'boolean';
    if (value[key] !== undefined && typeof value[key] !== wanted) {
      leftOut.push(`The annotation "${key}" of tool "${tool}": it is not a ${wanted}.`);
    }
  }
  const hints = HINTS.filter((key) => typeof value[key] === 'boolean').map((key) => [key, value[key]]);
  return { ...optionalString('title', value['title']), ...Object.fromEntries(hints) };
}

function carryTool(tool: McpTool, raw: Record<string, unknown>): Record<string, unknown> {
  const { name, inputSchema, outputSchema } = tool;
  const meta = isRecord(raw['_meta']) ? raw['_meta'] : {};
  const carried = hasExactNumbers([inputSchema, outputSchema]) ? { ...tool, exactSchemas: exactSchemasOf(tool) } : tool;
  return { name, inputSchema: withPlainNumbers(inputSchema), _meta: { ...meta, [CARRIED]: carried } };
}

function exactSchemasOf({ inputSchema, outputSchema }: McpTool): NonNullable<McpTool['exactSchemas']> {
  const output = outputSchema && stableStringify(outputSchema);
  return { input: stableStringify(inputSchema), ...(output === undefined ? {} : { output }) };
}

function optionalString<K extends string>(key: K, value: unknown): { readonly [P in K]?: string } {
  return (typeof value === 'string' ? { [key]: readable(value) } : {}) as { readonly [P in K]?: string };
}

/** Whether there are more than so many values in a value, of any depth; no more are looked at. */
function hasMoreValues(value: unknown, most: number): boolean {
  const waiting: unknown[] = [value];
  for (let count = 0; waiting.length > 0;) {
    const next = waiting.pop();
    count += 1;
    if (typeof next !== 'object' || next === null) continue;
    const values: readonly unknown[] = Array.isArray(next) ? next : Object.values(next);
    if (count + waiting.length + values.length > most) return true;
    for (const each of values) waiting.push(each);
  }
  return false;
}

function lighter(tool: unknown, leftOut: string[]): unknown {
  if (jsonWeight(tool, MAX_TOOL_WEIGHT) <= MAX_TOOL_WEIGHT) return tool;
  const name = isRecord(tool) && typeof tool['name'] === 'string' ? tool['name'].slice(0, MAX_NAME_CHARS) : '';
  leftOut.push(`The ends of long descriptions in tool "${name}".`);
  return withShortTexts(tool);
}

function withShortTexts(value: unknown, key = ''): unknown {
  if (typeof value === 'string') return DESCRIBING.has(key) ? value.slice(0, MAX_TEXT_CHARS) : value;
  if (Array.isArray(value)) return value.map((item) => withShortTexts(item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withShortTexts(member, name)]));
}

/** How deep a tool may be nested, in objects and arrays; deeper values overflow the stack of recursive code. */
const MAX_DEPTH = 128;

/** Whether a value is nested deeper than that. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth > MAX_DEPTH) return true;
  return Object.values(value).some((member) => isTooDeep(member, depth + 1));
}

/** The value with deeper objects emptied. Its own values still fit such a schema. */
function shallow(value: unknown, depth = 0): unknown {
  // An array of schemas is left whole, since an empty one may mean that nothing fits.
  if (Array.isArray(value)) return depth > MAX_DEPTH ? [] : value.map((item) => shallow(item, depth + 1));
  if (!isRecord(value)) return value;
  if (depth >= MAX_DEPTH) return {};
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shallow(member, depth + 1)]));
}
