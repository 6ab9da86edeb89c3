import type { Clock } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json/json.ts';
import type { Logger } from '../../base/log.ts';
import { SecretValues } from '../../base/text/secrets.ts';
import type { KeyValueStore } from '../../base/keyValueStore.ts';
import { say } from '../../base/say.ts';

const TIMEOUT_MS = 10_000;
const MAX_LENGTH = 1_048_576;
const KEY = 'config.cloud';

/** What reading from the cloud needs of its surroundings. */
export interface CloudPorts {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Lasts over restarts; keeps the last good copy. */
  readonly store: KeyValueStore;
  /** A bearer token, if one was given. */
  token(): Promise<string | undefined>;
}

/** The last good copy. */
interface Copy {
  readonly url: string;
  readonly etag?: string;
  readonly text: string;
}

/**
 * Fetches the text of the servers that a configured address gives (design: *Scopes*, `cloud`). The address is asked with
 * the tag of the last good copy, and that copy is what counts when it doesn't answer.
 * @throws where there is neither an answer nor a copy
 */
export async function readCloud(url: string, ports: CloudPorts, clock: Clock, log: Logger): Promise<string> {
  const copy = copyFor(url, ports.store.get(KEY));
  try {
    const fresh = await request(url, copy, ports, clock);
    if (!fresh) return copy?.text ?? '';
    await ports.store.set(KEY, fresh);
    return fresh.text;
  } catch (error) {
    if (!copy) throw error;
    log.log('warning', `${new URL(url).host} can't be read; its last copy is used: ${messageOf(error)}`);
    return copy.text;
  }
}

/** The last good copy of what an address gave, if there is one. */
export function lastCopy(url: string, store: KeyValueStore): string | undefined {
  return copyFor(url, store.get(KEY))?.text;
}

/** @returns `undefined` where nothing has changed since `copy` */
async function request(
  url: string,
  copy: Copy | undefined,
  ports: CloudPorts,
  clock: Clock,
): Promise<Copy | undefined> {
  const token = await ports.token();
  const secrets = new SecretValues();
  secrets.add('url', url);
  if (token !== undefined) secrets.add('token', token);
  const aborter = new AbortController();
  const timer = clock.schedule(TIMEOUT_MS, () => aborter.abort(new Error(say`no answer within ${TIMEOUT_MS} ms`)));
  try {
    const response = await ports.fetch(url, {
      headers: {
        accept: 'application/json',
        ...(copy?.etag === undefined ? {} : { 'if-none-match': copy.etag }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      // The token and the trust belong to this address alone.
      redirect: 'error',
      signal: aborter.signal,
    });
    if (response.status === 304 && copy) return undefined;
    if (!response.ok) throw new Error(say`it answers with HTTP ${response.status}`);
    const text = await response.text();
    if (text.length > MAX_LENGTH) throw new Error(say`its answer is too long`);
    if (!isServers(text)) throw new Error(say`its answer isn't an object with \`mcpServers\``);
    const etag = response.headers.get('etag');
    return { url, text, ...(etag === null ? {} : { etag }) };
  } catch (error) {
    // What refuses an address or a header repeats it.
    throw new Error(secrets.mask(messageOf(error)), { cause: error });
  } finally {
    timer.dispose();
  }
}

/** A copy only takes the place of another if it is one: a sign-in page must not empty the list. */
function isServers(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && isRecord(value['mcpServers']);
  } catch {
    return false;
  }
}

function copyFor(url: string, stored: unknown): Copy | undefined {
  if (!isRecord(stored) || stored['url'] !== url || typeof stored['text'] !== 'string') return undefined;
  const etag = stored['etag'];
  return { url, text: stored['text'], ...(typeof etag === 'string' ? { etag } : {}) };
}
