import type { GatewayRig } from '../../gatewayRig.ts';

/** What keys of the protocol in `_meta` begin with. */
export const META = 'io.modelcontextprotocol/';

export type Answer = Readonly<Record<string, unknown>>;

/** A request of protocol 2026-07-28 as it goes over the wire, and what answers it. */
export class RawClient {
  readonly #rig: GatewayRig;
  readonly #server: string;
  capabilities: object = { elicitation: {}, sampling: {}, roots: {} };

  constructor(rig: GatewayRig, server: string) {
    this.#rig = rig;
    this.#server = server;
  }

  async open(method: string, params: Answer = {}, headers: Answer = {}, signal?: AbortSignal): Promise<Response> {
    const { _meta: more, ...rest } = params;
    const own = {
      [`${META}protocolVersion`]: '2026-07-28',
      [`${META}clientInfo`]: { name: 'raw', version: '1' },
      [`${META}clientCapabilities`]: this.capabilities,
    };
    const name = rest['name'] ?? rest['uri'];
    return fetch(this.#rig.endpoint(this.#server).url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#rig.gateway.token}`,
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
        ...headers,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method,
        params: { ...rest, _meta: { ...own, ...(more as object) } },
      }),
      ...(signal ? { signal } : {}),
    });
  }

  /** All messages of an answer, the result or the error last. */
  async messages(method: string, params?: Answer, headers?: Answer): Promise<readonly Answer[]> {
    const text = await (await this.open(method, params, headers)).text();
    if (text.startsWith('{')) return [JSON.parse(text) as Answer];
    return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = '']) => JSON.parse(data) as Answer);
  }

  async result(method: string, params?: Answer, headers?: Answer): Promise<Answer> {
    const { result, error } = (await this.messages(method, params, headers)).at(-1) ?? {};
    return (result ?? error) as Answer;
  }

  call(name: string, more: Answer = {}): Promise<Answer> {
    return this.result('tools/call', { name, arguments: {}, ...more });
  }
}
