/** Sees where a server of HTTP+SSE wants messages sent to: the SDK refuses another origin, but says so in a text only. */
export class EndpointWatch {
  readonly #url: URL;
  #isFound = false;
  #otherOrigin: string | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  /** Whether it was said at all. */
  get isFound(): boolean {
    return this.#isFound;
  }

  /** The origin that was refused; `undefined`: none was. */
  get otherOrigin(): string | undefined {
    return this.#otherOrigin;
  }

  /** An event of the stream: the first one of this name counts. */
  see(name: string, data: string): void {
    if (name !== 'endpoint' || this.#isFound) return;
    this.#isFound = true;
    const endpoint = URL.canParse(data, this.#url.href) ? new URL(data, this.#url) : undefined;
    if (endpoint && endpoint.origin !== this.#url.origin) this.#otherOrigin = endpoint.origin;
  }
}
