import type { FetchLike } from '@modelcontextprotocol/client';
import { isRedirect } from './answers/httpAnswer.ts';

/**
 * Redirects of messages to the server are followed in the handshake only, by the SDK; where they led, all later messages
 * are sent. A later one that is redirected may have been acted on, so it isn't sent again: the connection is made anew.
 */
export class FollowedRedirects {
  readonly #onMoved: (status: number) => void;
  #address: string | URL | undefined;
  #isKept = false;

  /** @param onMoved called when a message was redirected after the handshake */
  constructor(onMoved: (status: number) => void) {
    this.#onMoved = onMoved;
  }

  /** The handshake is done: the address stays. */
  keep(): void {
    this.#isKept = true;
  }

  around(inner: FetchLike): FetchLike {
    return async (url, init) => {
      if (init?.method !== 'POST') return inner(url, init);
      if (!this.#isKept) {
        this.#address = url;
        return inner(url, init);
      }
      const response = await inner(this.#address ?? url, init);
      if (!isRedirect(response.status)) return response;
      this.#onMoved(response.status);
      // Without the address, nobody can follow it.
      return new Response(null, { status: response.status });
    };
  }
}
