import type { FetchLike } from '@modelcontextprotocol/client';
import { withBody } from './answers/limitedBody.ts';

/** Counts the streams that don't answer a request (GET): on those, an answer may still come. */
export class OpenStreams {
  readonly #onChange: (anyOpen: boolean) => void;
  #open = 0;

  /** @param onChange told when a stream was opened or ended */
  constructor(onChange: (anyOpen: boolean) => void) {
    this.#onChange = onChange;
  }

  get any(): boolean {
    return this.#open > 0;
  }

  around(inner: FetchLike): FetchLike {
    return async (url, init) => {
      const response = await inner(url, init);
      if (init?.method === 'POST' || init?.method === 'DELETE' || !response.ok || !response.body) return response;
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      this.#count(1);
      const over = (): void => this.#count(-1);
      // However it ends.
      response.body.pipeTo(writable).then(over, over);
      return withBody(response, readable);
    };
  }

  #count(change: number): void {
    this.#open += change;
    this.#onChange(this.any);
  }
}
