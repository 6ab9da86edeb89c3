import type { ToolCall } from './callTypes.ts';

/** The calls that servers are working on now. */
export class CallsInProgress {
  readonly #calls = new Map<string, Set<ToolCall>>();

  /** The only call that a server is working on; `undefined` where it works on none or on several. */
  only(serverId: string): ToolCall | undefined {
    const calls = this.#calls.get(serverId);
    return calls?.size === 1 ? [...calls][0] : undefined;
  }

  /** Does `work`, which is the server's on this call. */
  async during<T>(serverId: string, call: ToolCall, work: () => Promise<T>): Promise<T> {
    let calls = this.#calls.get(serverId);
    if (!calls) this.#calls.set(serverId, (calls = new Set()));
    calls.add(call);
    try {
      return await work();
    } finally {
      calls.delete(call);
    }
  }
}
