import { say } from '../../base/say.ts';
import { messageOf, SwitchboardError } from '../../base/errors.ts';
import { isLoopback } from './packageRun.ts';
import { readPage, readVersion, type RegistryEntry, type RegistryPage } from './registryEntry.ts';

export const OFFICIAL_REGISTRY = 'https://registry.modelcontextprotocol.io';

const TIMEOUT_MS = 15_000;
/** Of an answer. A page of the official registry has some 60 KB. */
const MAX_BYTES = 4 * 1024 * 1024;
const PAGE_SIZE = 30;

export interface RegistryClientOptions {
  /** The base address, maybe with a path. */
  readonly url: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly timeoutMs?: number;
}

/**
 * Reads an MCP registry over its API (`/v0.1/servers`, OpenAPI of 2025-12-01). Only `https`, and `http` on this machine; no
 * credentials, no redirects, an answer of at most 4 MB within 15 s.
 */
export class RegistryClient {
  readonly #base: string;
  readonly #options: RegistryClientOptions;

  /** @throws SwitchboardError `unsupported` where the address is none that may be used */
  constructor(options: RegistryClientOptions) {
    this.#options = options;
    this.#base = baseOf(options.url);
  }

  /** For users. */
  get host(): string {
    return new URL(this.#base).host;
  }

  /** The base address, without a slash at its end. */
  get url(): string {
    return this.#base;
  }

  /** The latest versions of the servers whose names have `search` in them. @throws SwitchboardError `unreachable` */
  async search(search: string, cursor: string | undefined, signal: AbortSignal): Promise<RegistryPage> {
    const query = new URLSearchParams({ version: 'latest', limit: String(PAGE_SIZE) });
    if (search.trim() !== '') query.set('search', search.trim());
    if (cursor !== undefined) query.set('cursor', cursor);
    return this.#read(`/v0.1/servers?${query.toString()}`, readPage, signal);
  }

  /** Every version of a server, the newest first. @throws SwitchboardError `unreachable` */
  async versions(name: string, signal: AbortSignal): Promise<readonly RegistryEntry[]> {
    const page = await this.#read(`/v0.1/servers/${encodeURIComponent(name)}/versions`, readPage, signal);
    return page.entries.filter((entry) => entry.name === name);
  }

  /** @param version `latest` or one that it has @throws SwitchboardError `unreachable` */
  async version(name: string, version: string, signal: AbortSignal): Promise<RegistryEntry> {
    const path = `/v0.1/servers/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`;
    const entry = await this.#read(path, readVersion, signal);
    if (entry.name !== name) throw this.#error(say`It answers with “${entry.name}” in place of “${name}”.`);
    return entry;
  }

  async #read<T>(path: string, read: (value: unknown) => T, signal: AbortSignal): Promise<T> {
    const { fetch, timeoutMs = TIMEOUT_MS } = this.#options;
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(this.#base + path, {
        headers: { accept: 'application/json' },
        // What is asked for here is at this address.
        redirect: 'manual',
        credentials: 'omit',
        signal: AbortSignal.any([signal, limit]),
      });
      if (response.status >= 300 && response.status < 400) throw new Error(say`It redirects to another address.`);
      if (response.status === 404) throw new Error(say`It has no such server (HTTP 404).`);
      if (!response.ok) throw new Error(say`It answers with HTTP ${response.status}.`);
      return read(parsed(await bodyOf(response)));
    } catch (error) {
      if (signal.aborted) throw error;
      throw this.#error(limit.aborted ? say`No answer within ${timeoutMs / 1000} s.` : reasonOf(error), error);
    }
  }

  #error(reason: string, cause?: unknown): SwitchboardError {
    return new SwitchboardError('unreachable', say`The registry at ${this.host} can’t be read. ${reason}`, {
      remedy: say`Check \`mcpSwitchboard.registry.url\`, or try again.`,
      cause,
    });
  }
}

function baseOf(address: string): string {
  const url = URL.parse(address.trim());
  const isAllowed = url?.protocol === 'https:' || isLoopback(address.trim());
  if (!url || !isAllowed || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new SwitchboardError('unsupported', say`The address of the MCP registry can’t be used.`, {
      remedy: say`Set \`mcpSwitchboard.registry.url\` to an address that begins with https://, without user name and query.`,
    });
  // Given with or without the API's own path.
  return (url.origin + url.pathname).replace(/(?:\/v0(?:\.1)?(?:\/servers)?)?\/*$/, '');
}

async function bodyOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(pieces).toString('utf8');
    size += value.byteLength;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw new Error(say`Its answer is larger than 4 MB.`);
    }
    pieces.push(value);
  }
}

/** `fetch` only says that it failed; why, says its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof TypeError ? (error.cause as { readonly code?: unknown } | undefined) : undefined;
  return typeof cause?.code === 'string' ? `${messageOf(error)} (${cause.code})` : messageOf(error);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(say`Its answer isn’t JSON.`);
  }
}
