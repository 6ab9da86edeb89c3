import type { Client } from '@modelcontextprotocol/client';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { SwitchboardError } from '../../../base/errors.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import type { CallProgress, RequestOptions, ServerInfo } from '../../connectionTypes.ts';
import { ownMeta } from '../../protocol/ownMeta.ts';
import { AS_IT_CAME } from '../../protocol/protocolClient.ts';
import { AnswerCache } from '../answerCache.ts';
import type { ServerNotifications } from '../notifications/serverNotifications.ts';
import { TOTAL_TIMEOUTS } from './callTimer.ts';
import { ProgressTeller } from './progressTeller.ts';

/** What these requests need of their session. */
export interface ItemRequestPorts {
  readonly client: Client;
  readonly info: ServerInfo;
  readonly clock: Clock;
  readonly notifications: ServerNotifications;
  /** What the session throws for an error of the SDK. */
  readonly explain: (method: string, error: unknown, timeoutMs: number, aborted: boolean) => Promise<SwitchboardError>;
  /** A message is sent. */
  onTraffic(): void;
}

/** The requests of a session that aren't calls of tools: for resources, prompts, completion, skills, and their lists. */
export class ItemRequests implements Disposable {
  readonly #ports: ItemRequestPorts;
  /** Absent where servers can't say how long an answer holds. */
  readonly #answers: AnswerCache | undefined;
  readonly #subscription: Disposable | undefined;

  constructor(ports: ItemRequestPorts) {
    this.#ports = ports;
    if (ports.info.era !== 'modern') return;
    const answers = (this.#answers = new AnswerCache(ports.clock));
    this.#subscription = ports.notifications.onNotification((notification) => answers.heard(notification));
  }

  /** See `Session.request`. */
  request(method: string, params: JsonObject, timeoutMs: number, options: RequestOptions): Promise<JsonObject> {
    const ask = (): Promise<JsonObject> => this.#request(method, params, timeoutMs, options);
    return this.#answers?.answer(method, params, ask) ?? ask();
  }

  /** See `Session.forgetAnswers`. */
  forgetAnswers(): void {
    this.#answers?.forget();
  }

  async #request(
    method: string,
    params: JsonObject,
    timeoutMs: number,
    { signal, onProgress }: RequestOptions,
  ): Promise<JsonObject> {
    const { client, clock, notifications, explain } = this.#ports;
    // Only `callTool` calls tools, and only the broker calls that (a contract test checks).
    if (method === 'tools/call') throw new SwitchboardError('unsupported', 'tools/call is sent by callTool only.');
    this.#ports.onTraffic();
    const told = onProgress && new ProgressTeller(onProgress, clock);
    try {
      const result = (await client.request({ method, params: withOwnMeta(params) }, AS_IT_CAME, {
        timeout: timeoutMs,
        ...(signal ? { signal } : {}),
        ...(told
          ? {
              onprogress: (progress: CallProgress) => told.tell(progress),
              resetTimeoutOnProgress: true,
              maxTotalTimeout: timeoutMs * TOTAL_TIMEOUTS,
            }
          : {}),
      })) as JsonObject;
      if (params['cursor'] === undefined) await notifications.listed(method, result);
      return result;
    } catch (error) {
      throw await explain(method, error, timeoutMs, signal?.aborted === true);
    } finally {
      told?.dispose();
    }
  }

  dispose(): void {
    this.#subscription?.dispose();
  }
}

/** The parameters without what only the connection says in `_meta`. */
function withOwnMeta({ _meta, ...rest }: JsonObject): JsonObject {
  const meta = ownMeta(_meta);
  return Object.keys(meta).length > 0 ? { ...rest, _meta: meta } : rest;
}
