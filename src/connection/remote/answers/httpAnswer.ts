import { isSignInPage } from './htmlAnswer.ts';
import { answersRequest, isErrorWithoutId, refusesSession, saysSessionIsGone } from './answerText.ts';

/** What an HTTP request asked for. `list` is the list of tools, `stream` is the GET of a session, `sse` the GET that HTTP+SSE lives on. */
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

/** An HTTP answer that isn't a result, and what it answers. */
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
  /** It says how to be authorized (`WWW-Authenticate: Bearer` or `DPoP`). */
  readonly challenges?: boolean;
  /** The session had no account so far, and one can be signed in to. */
  readonly isAnonymous?: boolean;
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
  /** This request needs an account; those before it were answered without. */
  | { readonly kind: 'account' }
  /** This request failed, and nothing else. */
  | { readonly kind: 'failed' };

const IGNORE: HttpVerdict = { kind: 'ignore' };
const PASS: HttpVerdict = { kind: 'pass' };
const RENEW: HttpVerdict = { kind: 'renew' };
const MESSAGE: HttpVerdict = { kind: 'message' };
const SIGN_IN: HttpVerdict = { kind: 'sign-in' };
const ACCOUNT: HttpVerdict = { kind: 'account' };
const FAILED: HttpVerdict = { kind: 'failed' };

/** "Not now": a retry may help, so the status counts even where the body is an answer. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
/** How servers in use answer a session that they no longer know; 419 and 440 are the expired ones of their frameworks. */
const OF_LOST_SESSION: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 419, 422, 440]);
/** A server that answers a request like this does have the route. */
const OPTIONAL: ReadonlySet<Asked> = new Set(['stream', 'end', 'notification', 'ping', 'discover']);

/**
 * What an HTTP answer that isn't a result means. Pure; the whole table is in docs/http-answers.md. A status answers one
 * request: only a lost session ends more than that, and it is renewed once before a sign-in is asked for.
 */
export function judgeAnswer(answer: HttpAnswer): HttpVerdict {
  const { asked, status, worked, inSession, renewed } = answer;
  if (asked === 'sse') return PASS;
  if (isSuccess(status)) return judgeSuccess(answer);
  if (OPTIONAL.has(asked)) return judgeOptional(answer);
  if (isRedirect(status)) return PASS;
  if (!worked || asked === 'initialize') return status === 401 || status === 403 ? SIGN_IN : FAILED;
  // What the server lets anybody do stays: a request that is refused isn't the end of the others. Its tools come first.
  const isOfAccount = status === 401 && answer.isAnonymous === true && asked !== 'list';
  if (isOfAccount && (answer.challenges || renewed)) return ACCOUNT;
  const isAnswer = answersRequest(answer.body, answer.id);
  const namesSession = inSession && saysSessionIsGone(answer.body);
  if (!renewed) {
    if (status === 401) return RENEW;
    if (inSession && OF_LOST_SESSION.has(status) && (namesSession || !isAnswer)) return RENEW;
    // With any other status, if it says so; but a tool may speak of a session of its own.
    if (namesSession && (!isAnswer || refusesSession(answer.body))) return RENEW;
  }
  if (status === 401) return SIGN_IN;
  return isAnswer && !PASSING.has(status) ? MESSAGE : FAILED;
}

/** An answer with a status of success, to a request: an error, another text, or nothing. */
function judgeSuccess(answer: HttpAnswer): HttpVerdict {
  const { asked, id, status, worked, inSession, renewed } = answer;
  const body = status === 204 || status === 205 ? '' : answer.body;
  if (asked === 'stream' || asked === 'end' || asked === 'notification') return PASS;
  if (asked !== 'discover' && asked !== 'initialize' && worked) {
    if (!renewed && inSession && refusesSession(body)) return RENEW;
    if (asked !== 'ping' && isSignInPage(body)) return renewed ? SIGN_IN : RENEW;
  }
  if (answersRequest(body, id) || isErrorWithoutId(body)) return MESSAGE;
  if (asked === 'ping') return IGNORE;
  return asked === 'initialize' && isSignInPage(body) ? SIGN_IN : FAILED;
}

/** Whatever the answer to a ping is, the server is alive; and nothing else optional is worth a session. */
function judgeOptional(answer: HttpAnswer): HttpVerdict {
  const { asked, status, body, worked, inSession, renewed } = answer;
  const isLost = worked && inSession && !renewed && saysSessionIsGone(body);
  switch (asked) {
    case 'ping':
      return isLost ? RENEW : IGNORE;
    case 'discover':
      // Which versions the server speaks may be in its error.
      if (answersRequest(body, answer.id)) return MESSAGE;
      // An older server may refuse any unknown request like this, but doesn't say how to be authorized for it.
      if (status === 401 && answer.challenges) return SIGN_IN;
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

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isRedirect(status: number): boolean {
  return status > 300 && status < 400 && status !== 304;
}

/** What a POST with this message asks for. */
export function askedBy(message: { readonly id?: unknown; readonly method?: unknown }): Asked {
  const { id, method } = message;
  if (typeof method !== 'string' || id === undefined || id === null) return 'notification';
  if (method === 'ping') return 'ping';
  if (method === 'server/discover') return 'discover';
  if (method === 'initialize') return 'initialize';
  if (method === 'tools/list') return 'list';
  return method === 'tools/call' ? 'call' : 'other';
}
