// Loaded when a registry's bundle is fetched.
import { say } from '../../base/say.ts';
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { SwitchboardError } from '../../base/errors.ts';
import { isLoopback } from '../registry/packageRun.ts';
import { ZIP_LIMITS } from './zipDirectory.ts';

/** Hosts of releases lead on to where the files are. */
const MAX_REDIRECTS = 5;

export interface FetchBundleOptions {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly signal: AbortSignal;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  readonly maxBytes?: number;
  readonly onProgress?: (bytes: number, all: number | undefined) => void;
}

/**
 * Fetches a bundle into a file that isn't there yet. Only from `https` addresses (`http` on this machine), without credentials.
 * @throws SwitchboardError `unreachable`, also where the file isn't the one that was published
 */
export async function fetchBundle(url: string, file: string, options: FetchBundleOptions): Promise<void> {
  const { signal, sha256, maxBytes = ZIP_LIMITS.fileBytes, onProgress } = options;
  const response = await request(url, options);
  if (!response.ok || !response.body) throw refused(url, say`It answers with HTTP ${response.status}.`);
  const all = Number(response.headers.get('content-length') ?? Number.NaN);
  const hash = createHash('sha256');
  const handle = await open(file, 'wx', 0o600);
  try {
    let size = 0;
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted();
      size += piece.byteLength;
      if (size > maxBytes) throw refused(url, say`The bundle is larger than ${maxBytes / 2 ** 20} MB.`);
      hash.update(piece);
      await handle.write(piece);
      onProgress?.(size, Number.isFinite(all) ? all : undefined);
    }
  } finally {
    await handle.close();
  }
  if (hash.digest('hex') !== sha256)
    throw refused(url, say`It isn’t the file that was published: its SHA-256 is another.`);
}

async function request(url: string, { fetch, signal }: FetchBundleOptions): Promise<Response> {
  let address = url;
  for (let count = 0; count <= MAX_REDIRECTS; count += 1) {
    if (URL.parse(address)?.protocol !== 'https:' && !isLoopback(address))
      throw refused(url, say`It leads to an address without \`https\`.`);
    const response = await fetch(address, { redirect: 'manual', credentials: 'omit', signal });
    const next = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (next === null) return response;
    await response.body?.cancel();
    // What is fetched over the network stays there.
    const isLocal = isLoopback(address);
    address = new URL(next, address).href;
    if (!isLocal && isLoopback(address)) throw refused(url, say`It leads to an address of this machine.`);
  }
  throw refused(url, say`It redirects too often.`);
}

function refused(url: string, reason: string): SwitchboardError {
  return new SwitchboardError(
    'unreachable',
    say`The bundle at ${URL.parse(url)?.host ?? ''} can’t be fetched. ${reason}`,
  );
}
