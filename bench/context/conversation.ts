/** What a provider takes for a token that its cache has, of a whole one; the cache holds as far as nothing has changed. */
const CACHED_PRICE = 0.1;
/** Tools that were found and are native, at most. */
const MAX_LOADED = 20;

/** One request: what stands before the conversation, and the conversation so far, in tokens. */
export interface Request {
  readonly head: number;
  readonly talk: number;
}

/** A conversation of calls: which tools are native from its beginning, and whether those that are found become so. */
export class Conversation {
  readonly requests: Request[] = [];
  readonly #head: number;
  readonly #loaded = new Map<string, number>();
  #talk = 0;

  constructor(head: number) {
    this.#head = head;
  }

  /** A request, and what it adds. */
  ask(tokens: number): void {
    this.requests.push({ head: this.#head + sumOf([...this.#loaded.values()]), talk: this.#talk });
    this.#talk += tokens;
  }

  load(name: string, tokens: number): void {
    this.#loaded.delete(name);
    this.#loaded.set(name, tokens);
    for (const oldest of this.#loaded.keys()) if (this.#loaded.size > MAX_LOADED) this.#loaded.delete(oldest);
  }
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** What requests take, in tokens. */
export function whole(requests: readonly Request[]): number {
  return sumOf(requests.map(({ head, talk }) => head + talk));
}

/** The same where the provider has a cache. The definitions stand before the conversation: where they change, nothing of the cache holds. */
export function cached(requests: readonly Request[]): number {
  const kept = (request: Request, before?: Request): number =>
    before?.head === request.head ? before.head + before.talk : 0;
  return sumOf(
    requests.map((request, at) => request.head + request.talk - kept(request, requests[at - 1]) * (1 - CACHED_PRICE)),
  );
}
