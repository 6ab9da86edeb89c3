import type { FetchLike } from '@modelcontextprotocol/client';
import { withBody } from './answers/limitedBody.ts';

/** Counts the streams that don't answer a request (GET): on those, an answer may still come. */
export class OpenStreams {
  #open = 0;

  get any(): boolean {
    return this.#open > 0;
  }

  around(inner: FetchLike): FetchLike {
    return async (url, init) => {
      const response = await inner(url, init);
      if (init?.method === 'POST' || init?.method === 'DELETE' || !response.ok || !response.body) return response;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      this.#open += 1;
      const over = (): void => void (this.#open -= 1);
      // However it ends.
      response.body.pipeTo(writable).then(over, over);
      return withBody(response, readable);
    };
  }
}
