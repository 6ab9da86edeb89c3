import { VERSION_KEY } from '../protocol/ownMeta.ts';
import { withPlainNumbers } from '../../base/json/exactNumber.ts';
import { isRecord } from '../../base/json/json.ts';
import { MAX_MEMBERS } from '../../base/json/readingLimits.ts';
import { readableWithinSteps } from '../../base/text/modelText.ts';
import type { Mask } from '../../base/text/secrets.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';
import {
  cleanBlock,
  cleanCallResult,
  cleanContents,
  cutBlock,
  leftOutBlock,
  MAX_PARTS,
  textBlock,
} from './cleanBlocks.ts';
import { cleanDiscover, cleanInitialize } from './cleanHandshake.ts';
import { shownBlock, typedContents } from './cleanImages.ts';
import { carryTask, cleanTaskStatus, taskOf } from './cleanTask.ts';
import { withCleanQuestions } from './cleanQuestion.ts';
import { cleanItemList } from './cleanItems.ts';
import { withLeftOut } from './leftOut.ts';
import { carryCallResult, cleanToolListSteps, type ListRoom } from './cleanTools.ts';
import { mapSteps, type Steps } from '../../base/timeSlices.ts';
import { errorWithEnd } from './errorResult.ts';
import type { Tolerate } from '../protocol/guard/tolerances.ts';

type Members = Readonly<Record<string, unknown>>;

/** A request that waits for its answer. */
export interface AskedRequest {
  readonly method: string;
  readonly params: Members | undefined;
}

export interface CleaningOptions {
  /** What lists of tools have room for; used up. */
  readonly room: ListRoom;
  /** Masks the server's secrets in what it says of a failure. */
  readonly mask: Mask;
  readonly tolerate: Tolerate;
  /** How many members of objects in the answer were left out when it was read; absent: none. */
  readonly cut?: number;
}

export interface CleanAnswer {
  readonly result: Members;
  /** What was left out of a list, one sentence each. */
  readonly leftOut: readonly string[];
}

/** What says how long it may be kept (specification 2026-07-28: *Caching*). */
const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'skills/list',
  'skills/get',
  'server/discover',
]);
/** What comes of what the user answered is never kept (specification 2026-07-28: *Caching*). */
const NOT_KEPT: Members = { ttlMs: 0, cacheScope: 'private' };
/** Members that are sent back to the server as they came, and bytes. */
const AS_THEY_CAME: ReadonlySet<string> = new Set(['uri', 'uriTemplate', 'data', 'blob', '_meta', 'nextCursor']);
const READ_BY_MODELS = /^(?:initialize|server\/discover|prompts\/|resources\/(?:list|templates\/list)$)/;

/**
 * The result of a request, in steps, in the form that the protocol has for it: the SDK takes it whatever the server sent. Nothing is
 * lost but what can't be used; of lists that is said.
 * @param given the result as it came; `undefined` and `null` are an empty one
 */
export function* cleanAnswer(asked: AskedRequest, given: unknown, options: CleaningOptions): Steps<CleanAnswer> {
  const { method, params } = asked;
  const { tolerate } = options;
  const meta = params?.['_meta'];
  const isModern = isRecord(meta) && typeof meta[VERSION_KEY] === 'string';
  if (isRecord(given) && isUnfinished(given) && !isOfTask(method, given))
    return { result: withCleanQuestions(given), leftOut: [] };
  const { result, leftOut: left } =
    asked.method === 'tools/list'
      ? yield* cleanToolListSteps(given, options.room, tolerate)
      : yield* byMethod(asked, given, options);
  const isSaid = !options.cut || TOOL_RESULTS.has(method);
  const leftOut = isSaid ? left : [...left, `${options.cut} members of objects that have more than ${MAX_MEMBERS}.`];
  const clean = withLeftOut(withRightMeta(result, tolerate), method === 'tools/list' ? [] : leftOut);
  const readable = READ_BY_MODELS.test(method) ? yield* readableWithinSteps(clean, AS_THEY_CAME) : clean;
  // Of the probe, an answer in another form tells that the server speaks an earlier protocol.
  const isProbe = method === 'server/discover' && !Array.isArray(clean['supportedVersions']);
  if (!isModern || isProbe) return { result: readable, leftOut };
  const caching = CACHEABLE.has(method) ? cachingOf(isAnswered(params) ? NOT_KEPT : readable, tolerate) : {};
  return { result: { ...readable, ...caching, resultType: 'complete' }, leftOut };
}

/** Whether the request is made again with what the server needed first. */
function isAnswered(params: Members | undefined): boolean {
  return params !== undefined && ('inputResponses' in params || 'requestState' in params);
}

/** The server needs something first (specification 2026-07-28), or speaks of what isn't known. */
function isUnfinished({ resultType }: Members): boolean {
  return typeof resultType === 'string' && resultType !== 'complete';
}

/** A task, where a call may give one, is what was asked for; so is what `tasks/get` says of one. */
function isOfTask(method: string, { resultType }: Members): boolean {
  return resultType === 'task' && (method === 'tools/call' || method.startsWith('tasks/'));
}

/** The requests whose result is that of a tool. */
export const TOOL_RESULTS: ReadonlySet<string> = new Set(['tools/call', 'tasks/result']);

function* byMethod({ method, params }: AskedRequest, given: unknown, options: CleaningOptions): Steps<CleanAnswer> {
  const { tolerate, mask } = options;
  const task = method === 'tools/call' ? taskOf(given) : undefined;
  // Of a server that wasn't told to make a task, `task` is a member of the result.
  if (task && (task.form === 'extension' || isRecord(params?.['task'])))
    return { result: carryTask(task, mask), leftOut: [] };
  if (TOOL_RESULTS.has(method)) {
    const { cut = 0 } = options;
    const clean = yield* cleanCallResult(given, tolerate);
    const result = cut > 0 ? { ...clean, content: [...clean.content, cutBlock(cut)] } : clean;
    return { result: carryCallResult(result.isError ? maskedWithin(errorWithEnd(result), mask) : result), leftOut: [] };
  }
  const list = cleanItemList(method, given, tolerate);
  if (list) return list;
  const members = objectOf(given, tolerate);
  switch (method) {
    case 'tasks/get':
      return { result: yield* cleanTaskStatus(members, mask, tolerate), leftOut: [] };
    case 'initialize':
      return { result: cleanInitialize(members, tolerate), leftOut: [] };
    case 'server/discover':
      return { result: cleanDiscover(members, tolerate), leftOut: [] };
    case 'resources/read':
      return yield* readOf(given, typeof params?.['uri'] === 'string' ? params['uri'] : '', tolerate);
    case 'prompts/get':
      return { result: yield* promptOf(given, tolerate), leftOut: [] };
    case 'completion/complete':
      return { result: completionOf(members, tolerate), leftOut: [] };
    default:
      return { result: members, leftOut: [] };
  }
}

/** An empty array, `null` and what is no object stand for an object without members. */
function objectOf(given: unknown, tolerate: Tolerate): Members {
  if (isRecord(given)) return given;
  if (given !== undefined) tolerate(Array.isArray(given) ? 'array for object' : 'result of another form');
  return {};
}

function withRightMeta(result: Members, tolerate: Tolerate): Members {
  const { _meta, nextCursor, ...rest } = result;
  if (_meta === undefined && nextCursor === undefined) return result;
  const isRight = (_meta === undefined || isRecord(_meta)) && (nextCursor === undefined || nextCursor !== null);
  if (isRight) return result;
  tolerate('null for absent');
  return {
    ...rest,
    ...(isRecord(_meta) ? { _meta } : {}),
    ...(nextCursor === undefined || nextCursor === null ? {} : { nextCursor }),
  };
}

/** Absent means that it is stale at once; so does what isn't a number of milliseconds. */
function cachingOf({ ttlMs, cacheScope }: Members, tolerate: Tolerate): Members {
  const ms = typeof ttlMs === 'number' && ttlMs >= 0 ? Math.min(Math.floor(ttlMs), Number.MAX_SAFE_INTEGER) : 0;
  const scope = cacheScope === 'public' ? 'public' : 'private';
  if ((ttlMs !== undefined && ms !== ttlMs) || (cacheScope !== undefined && cacheScope !== scope)) {
    tolerate('caching of another form');
  }
  return { ttlMs: ms, cacheScope: scope };
}

function* readOf(given: unknown, uri: string, tolerate: Tolerate): Steps<CleanAnswer> {
  const members = isRecord(given) ? given : {};
  const contents = members['contents'] ?? members['content'] ?? (Array.isArray(given) ? given : undefined);
  const all: readonly unknown[] = Array.isArray(contents) ? contents : contents === undefined ? [] : [contents];
  const items = all.slice(0, MAX_PARTS);
  const leftOut: string[] = [];
  if (all.length > items.length) leftOut.push(`The rest of a resource: it has more than ${MAX_PARTS} contents.`);
  const read = yield* mapSteps(items, (item, index) => {
    const content = cleanContents(item, uri);
    if (content === undefined) leftOut.push(`Content number ${index + 1} of a resource: it has no text and no bytes.`);
    return content === undefined ? [] : [typedContents(content, tolerate)];
  });
  const clean = read.flat();
  const isRight =
    contents === members['contents'] &&
    clean.length === all.length &&
    clean.every((item, index) => item === items[index]);
  if (!isRight) tolerate('content of another form');
  const { content: _, ...rest } = members;
  return { result: { ...rest, contents: clean }, leftOut };
}

/** Messages with one block each, as the specification has them. */
function* promptOf(given: unknown, tolerate: Tolerate): Steps<Members> {
  const members = isRecord(given) ? given : {};
  const listed = members['messages'] ?? (Array.isArray(given) ? given : undefined);
  const messages: readonly unknown[] = Array.isArray(listed) ? listed : listed === undefined ? [] : [listed];
  if (!Array.isArray(members['messages'])) tolerate('list of another form');
  const { description, messages: _, ...rest } = members;
  const said = messages.flatMap((message) => {
    const { role, content = message } = isRecord(message) ? message : {};
    const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
    return blocks.map((block) => ({ role: role === 'assistant' ? 'assistant' : 'user', block }));
  });
  const clean = yield* mapSteps(said.slice(0, MAX_PARTS), ({ role, block }) => {
    const content = shownBlock(cleanBlock(block, tolerate), tolerate);
    const isKnown = /^(?:text|image|audio|resource|resource_link)$/.test(content.type);
    return { role, content: isKnown ? withPlainNumbers(content) : textBlock(content) };
  });
  const left = said.length - clean.length;
  return {
    ...withPlainNumbers(rest),
    ...(typeof description === 'string' ? { description } : {}),
    messages: left > 0 ? [...clean, { role: 'user', content: leftOutBlock(left, 'prompt') }] : clean,
  };
}

/** How many values a completion has (specification: *Completion*). */
const MAX_VALUES = 100;

function completionOf(members: Members, tolerate: Tolerate): Members {
  const given = members['completion'] ?? members;
  const { values, total, hasMore } = isRecord(given) ? given : { values: given };
  const texts = (Array.isArray(values) ? (values as readonly unknown[]) : [])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .map(String);
  if (!isRecord(members['completion']) || !Array.isArray(values) || texts.length !== values.length) {
    tolerate('list of another form');
  }
  return {
    ...members,
    completion: {
      values: texts.slice(0, MAX_VALUES),
      ...(Number.isSafeInteger(total) ? { total } : {}),
      ...(typeof hasMore === 'boolean' ? { hasMore } : texts.length > MAX_VALUES ? { hasMore: true } : {}),
    },
  };
}
