import { oneLine } from '../../base/invisible.ts';
import { isRecord } from '../../base/json.ts';

/** What an HTTP request asked for. `stream` is the GET of a session, `sse` the GET that HTTP+SSE lives on. */
export const ASKED = [
  'stream',
  'sse',
  'end',
  'notification',
  'ping',
  'discover',
  'initialize',
  'list',
  'call',
  'other',
] as const;
export type Asked = (typeof ASKED)[number];

/** An HTTP answer that isn't a success, and what it answers. */
export interface HttpAnswer {
  readonly asked: Asked;
  /** The id of the request, where it is one. */
  readonly id: string | number | undefined;
  readonly status: number;
  readonly body: string;
  /** The handshake is done: what the server takes as a session has worked. */
  readonly worked: boolean;
  /** The request named a session. */
  readonly inSession: boolean;
  /** The session was made anew a short while ago because of this kind of request, which hasn't succeeded since. */
  readonly renewed: boolean;
}

/** What an HTTP answer means. */
export type HttpVerdict =
  /** Nothing: what it refuses is optional. */
  | { readonly kind: 'ignore' }
  /** The SDK deals with it: redirects, and what the transport was opened with. */
  | { readonly kind: 'pass' }
  /** It is the JSON-RPC answer to the request; its status adds nothing. */
  | { readonly kind: 'message' }
  /** The session is gone: it is made anew, before anybody is asked anything. */
  | { readonly kind: 'renew' }
  | { readonly kind: 'sign-in' }
  /** This request failed, and nothing else. */
  | { readonly kind: 'failed' };

const IGNORE: HttpVerdict = { kind: 'ignore' };
const PASS: HttpVerdict = { kind: 'pass' };
const RENEW: HttpVerdict = { kind: 'renew' };
const FAILED: HttpVerdict = { kind: 'failed' };

/** "Not now": a retry may help, so the status counts even where the body is an answer. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
/** How servers in use answer a session that they no longer know. */
const OF_LOST_SESSION: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 422]);
/** A server that answers a request like this does have the route. */
const OPTIONAL: ReadonlySet<Asked> = new Set(['stream', 'end', 'notification', 'ping', 'discover']);

/**
 * What an HTTP answer that isn't a success means. Pure; the whole table is in docs/http-answers.md. A status answers one
 * request: only a lost session ends more than that, and it is renewed once before a sign-in is asked for.
 */
export function judgeAnswer(answer: HttpAnswer): HttpVerdict {
  const { asked, status, worked, inSession, renewed } = answer;
  if (asked === 'sse') return PASS;
  if (OPTIONAL.has(asked)) return judgeOptional(answer);
  if (isRedirect(status)) return PASS;
  if (!worked || asked === 'initialize') return status === 401 || status === 403 ? { kind: 'sign-in' } : FAILED;
  const isAnswer = answersRequest(answer.body, answer.id);
  const namesSession = inSession && saysSessionIsGone(answer.body);
  if (!renewed) {
    if (status === 401) return RENEW;
    if (inSession && OF_LOST_SESSION.has(status) && (namesSession || !isAnswer)) return RENEW;
  }
  if (status === 401) return { kind: 'sign-in' };
  return isAnswer && !PASSING.has(status) ? { kind: 'message' } : FAILED;
}

/** Whatever the answer to a ping is, the server is alive; and nothing else optional is worth a session. */
function judgeOptional(answer: HttpAnswer): HttpVerdict {
  const { asked, status, body, worked, inSession, renewed } = answer;
  const isLost = worked && inSession && !renewed && OF_LOST_SESSION.has(status) && saysSessionIsGone(body);
  switch (asked) {
    case 'ping':
      return isLost ? RENEW : IGNORE;
    case 'discover':
      // Which versions the server speaks may be in its error.
      if (answersRequest(body, answer.id)) return { kind: 'message' };
      return isRedirect(status) || PASSING.has(status) ? PASS : IGNORE;
    case 'stream':
      // Later, it may be there.
      return isRedirect(status) || PASSING.has(status) || status === 500 ? PASS : IGNORE;
    case 'notification':
      return isRedirect(status) && !worked ? PASS : IGNORE;
    default:
      return IGNORE;
  }
}

/** Whether a body is the JSON-RPC error that answers the request with this id. */
function answersRequest(body: string, id: string | number | undefined): boolean {
  const parsed = jsonOf(body);
  const message: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (!isRecord(message) || id === undefined || String(message['id']) !== String(id)) return false;
  return isRecord(message['error']) || 'result' in message;
}

const SESSION = /\bsessions?\b|session[-_ ]?id|\binitiali[sz]e/i;
const GONE =
  /\bnot\b|\bno\b|n't|\bunknown|\binvalid|\bexpire|\bmissing|\brequire|\bterminat|\bclosed|\bended|\bgone|\bmismatch|\bstale|\bexpect|\bunrecogni[sz]ed|\bwithout|\bfirst\b|\blost\b/i;
/** In a longer text, the words meet by chance. */
const MAX_SESSION_TEXT_CHARS = 500;

/** Whether an error speaks of a session that isn't there, in any of the wordings in use. */
export function saysSessionIsGone(body: string): boolean {
  const said = saidIn(body);
  if (said === undefined || said.length > MAX_SESSION_TEXT_CHARS) return false;
  // Some servers send names: `session_not_found`, `SessionNotFound`.
  const words = said.replaceAll('_', ' ').replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return SESSION.test(words) && GONE.test(words);
}

/** How much of what a server says of an error is passed on. */
const MAX_SAID_CHARS = 1000;
/** Where servers put the sentence, in the order in which it is looked for. */
const SAID_IN = ['message', 'error_description', 'detail', 'details', 'msg', 'error', 'errors', 'reason', 'title'];

/** The server's own sentence in the body of an error: of JSON in any common form, or a text. None of a web page. */
export function saidIn(body: string): string | undefined {
  const text = body.replace(/^\ufeff/, '').trim();
  if (text === '' || /^<(?:!doctype|html|head|body|\?xml|h\d|center|title)\b/i.test(text)) return undefined;
  const parsed = jsonOf(text);
  const said = parsed === undefined ? text : sentenceIn(parsed, 0);
  const clean = said === undefined ? undefined : oneLine(said.replaceAll(/\s+/g, ' ').trim());
  if (clean === undefined || clean === '') return undefined;
  return clean.length > MAX_SAID_CHARS ? `${clean.slice(0, MAX_SAID_CHARS)} …` : clean;
}

/** What the server says of it, as the end of a sentence. */
export function ending(said: string | undefined): string {
  if (said === undefined || said === '') return '.';
  return /[.!?…]$/.test(said) ? `: ${said}` : `: ${said}.`;
}

function sentenceIn(value: unknown, depth: number): string | undefined {
  if (depth > 4) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value)) {
    const all = value.slice(0, 5).map((each) => sentenceIn(each, depth + 1));
    return all.filter((each) => each !== undefined).join('; ') || undefined;
  }
  if (!isRecord(value)) return undefined;
  // A JSON-RPC error or an `error` object holds the sentence further in.
  if (isRecord(value['error'])) return sentenceIn(value['error'], depth + 1);
  for (const key of SAID_IN) {
    const said = sentenceIn(value[key], depth + 1);
    if (said !== undefined) return said;
  }
  return undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}

export function isRedirect(status: number): boolean {
  return status > 300 && status < 400 && status !== 304;
}

const LISTS: ReadonlySet<string> = new Set([
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'prompts/list',
]);

/** What a POST with this message asks for. */
export function askedBy(message: { readonly id?: unknown; readonly method?: unknown }): Asked {
  const { id, method } = message;
  if (typeof method !== 'string' || id === undefined || id === null) return 'notification';
  if (method === 'ping') return 'ping';
  if (method === 'server/discover') return 'discover';
  if (method === 'initialize') return 'initialize';
  if (LISTS.has(method)) return 'list';
  return method === 'tools/call' ? 'call' : 'other';
}
