import { oneLine } from '../../../base/text/showInvisible.ts';
import { isRecord } from '../../../base/json/json.ts';
import { isPage } from './htmlAnswer.ts';

/** Whether a body is the JSON-RPC answer to the request with this id. */
export function answersRequest(body: string, id: string | number | undefined): boolean {
  const message = messageIn(body);
  if (!isRecord(message) || id === undefined || String(message['id']) !== String(id)) return false;
  return isRecord(message['error']) || 'result' in message;
}

/** Whether a body is a JSON-RPC error that doesn't say which request it answers. */
export function isErrorWithoutId(body: string): boolean {
  const message = messageIn(body);
  if (!isRecord(message) || (message['id'] !== undefined && message['id'] !== null)) return false;
  return message['jsonrpc'] !== undefined && isRecord(message['error']);
}

function messageIn(body: string): unknown {
  const parsed = jsonOf(body);
  return Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
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

/** Codes of errors with which servers refuse a session; with another, a tool may speak of a session of its own. */
const OF_SESSIONS: ReadonlySet<unknown> = new Set([-32000, -32001, -32600]);

/** Whether an answer with a status of success says that the session isn't there. */
export function refusesSession(body: string): boolean {
  const message = messageIn(body);
  if (isRecord(message) && 'result' in message && !message['error']) return false;
  const error = isRecord(message) && message['jsonrpc'] !== undefined ? message['error'] : undefined;
  if (isRecord(error) && !OF_SESSIONS.has(error['code'])) return false;
  return saysSessionIsGone(body);
}

/** How much of what a server says of an error is passed on. */
const MAX_SAID_CHARS = 1000;
/** Where servers put the sentence, in the order in which it is looked for. */
const SAID_IN = ['message', 'error_description', 'detail', 'details', 'msg', 'error', 'errors', 'reason', 'title'];

/** The server's own sentence in the body of an error: of JSON in any common form, or a text. None of a web page. */
export function saidIn(body: string): string | undefined {
  const text = body.replace(/^\ufeff/, '').trim();
  if (text === '' || isPage(text)) return undefined;
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
