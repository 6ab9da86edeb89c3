import { atOnce } from '../../base/timeSlices.ts';
import { EventReader } from '../reading/eventReader.ts';
import { withBody } from './answers/limitedBody.ts';

/** Sees where a server of HTTP+SSE wants messages sent to: the SDK refuses another origin, but says so in a text only. */
export class EndpointWatch {
  readonly #url: URL;
  #otherOrigin: string | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  /** The origin that was refused; `undefined`: none was. */
  get otherOrigin(): string | undefined {
    return this.#otherOrigin;
  }

  around(inner: typeof fetch): typeof fetch {
    return async (input, init) => {
      const response = await inner(input, init);
      if (!response.ok || !response.body || (init?.method ?? 'GET') !== 'GET') return response;
      return withBody(response, response.body.pipeThrough(this.#watch()));
    };
  }

  #watch(): TransformStream<Uint8Array, Uint8Array> {
    const decoder = new TextDecoder();
    let isFound = false;
    const look = (name: string, data: string): undefined => {
      if (name !== 'endpoint') return;
      isFound = true;
      const endpoint = URL.canParse(data, this.#url.href) ? new URL(data, this.#url) : undefined;
      if (endpoint && endpoint.origin !== this.#url.origin) this.#otherOrigin = endpoint.origin;
    };
    const reader = new EventReader(
      // eslint-disable-next-line require-yield
      function* (name, data) {
        return look(name, data);
      },
      () => undefined,
    );
    return new TransformStream({
      transform: (chunk, controller) => {
        if (!isFound) atOnce(reader.push(decoder.decode(chunk, { stream: true })));
        controller.enqueue(chunk);
      },
    });
  }
}
