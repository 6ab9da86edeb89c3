import type { ToolCall } from './callTypes.ts';

/** The calls that are running on servers now. */
export class CallsInProgress {
  readonly #calls = new Map<string, Set<ToolCall>>();

  /** The only call that is running on a server; `undefined` if there is none or more than one. */
  only(serverId: string): ToolCall | undefined {
    const calls = this.#calls.get(serverId);
    return calls?.size === 1 ? [...calls][0] : undefined;
  }

  /** Runs `work`, and counts the call as in progress until it ends. */
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
