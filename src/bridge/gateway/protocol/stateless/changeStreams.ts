import { DisposableStore, type Disposable } from '../../../../base/disposable.ts';
import { isRecord, type JsonObject } from '../../../../base/json/json.ts';
import type { ServerNotification } from '../../../../connection/connectionTypes.ts';
import { RPC_CODES } from '../../../../connection/protocol/rpcCodes.ts';
import type { Upstream } from '../../upstream.ts';
import type { EventStream } from '../eventStream.ts';
import { resultMessage, RpcError, type RequestId } from '../jsonRpc.ts';
import { META } from './requestEnvelope.ts';

/** As many streams are open at a time, and as many resources can be watched by each. */
const MAX_STREAMS = 256;
const MAX_RESOURCES = 1_024;
/** What of the lists a client can want to be told of, by the capability that it takes. */
const LISTS = { tools: 'toolsListChanged', prompts: 'promptsListChanged', resources: 'resourcesListChanged' } as const;

interface Open extends Disposable {
  readonly methods: ReadonlySet<string>;
  readonly uris: ReadonlySet<string>;
  send(notification: ServerNotification): void;
}

/** Streams of what changes, each with what its client asked for (specification 2026-07-28: `subscriptions/listen`). */
export class ChangeStreams implements Disposable {
  readonly #upstream: Upstream;
  readonly #open = new Set<Open>();

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /**
   * Begins one, which lasts as long as its HTTP answer.
   * @throws RpcError where there are too many, or it isn't said what of
   */
  async listen(id: RequestId, { notifications }: JsonObject, clientName: string, stream: EventStream): Promise<void> {
    if (!isRecord(notifications)) throw new RpcError(RPC_CODES.invalidParams, '`notifications` must be an object.');
    if (this.#open.size >= MAX_STREAMS) throw new RpcError(RPC_CODES.internal, 'Too many subscriptions.');
    const ending = new DisposableStore();
    const honored = this.#listsOf(notifications);
    const uris = await this.#watch(notifications['resourceSubscriptions'], clientName, ending);
    const mark = { [META.subscription]: id };
    const send = ({ method, params = {} }: ServerNotification): void => {
      const meta = isRecord(params['_meta']) ? params['_meta'] : {};
      stream.send({ jsonrpc: '2.0', method, params: { ...params, _meta: { ...meta, ...mark } } });
    };
    const kept = uris.size > 0 ? { ...honored, resourceSubscriptions: [...uris] } : honored;
    send({ method: 'notifications/subscriptions/acknowledged', params: { notifications: kept } });
    const methods = new Set(Object.keys(LISTS).filter((list) => LISTS[list as keyof typeof LISTS] in honored));
    const dispose = (): void => {
      this.#open.delete(open);
      ending.dispose();
      stream.finish(resultMessage(id, { resultType: 'complete', _meta: mark }));
    };
    const open: Open = { methods: new Set([...methods].map((list) => `notifications/${list}/list_changed`)), uris, send, dispose }; // prettier-ignore
    if (Object.keys(kept).length === 0 || !stream.isOpen) return dispose();
    this.#open.add(open);
    stream.onClose(dispose);
  }

  /** Tells those of a change who asked for it. */
  tell(notification: ServerNotification): void {
    const { method, params } = notification;
    const uri = method === 'notifications/resources/updated' ? params?.['uri'] : undefined;
    for (const open of this.#open)
      if (open.methods.has(method) || (typeof uri === 'string' && open.uris.has(uri))) open.send(notification);
  }

  #listsOf(asked: JsonObject): JsonObject {
    const { capabilities } = this.#upstream.describe();
    const there = Object.entries(LISTS).filter(([list, key]) => {
      const capability = capabilities[list];
      return asked[key] === true && isRecord(capability) && capability['listChanged'] === true;
    });
    return Object.fromEntries(there.map(([, key]) => [key, true]));
  }

  /** Those that the server lets be watched; reading them is permitted. */
  async #watch(asked: unknown, clientName: string, ending: DisposableStore): Promise<ReadonlySet<string>> {
    const { resources } = this.#upstream.describe().capabilities;
    const uris = (Array.isArray(asked) ? (asked as readonly unknown[]) : []).filter((uri) => typeof uri === 'string');
    if (!isRecord(resources) || resources['subscribe'] !== true) return new Set();
    const watched = new Set<string>();
    for (const uri of new Set(uris.slice(0, MAX_RESOURCES))) {
      try {
        ending.add(await this.#upstream.subscribe(uri, clientName));
        watched.add(uri);
      } catch {
        // It isn't among those that are acknowledged.
      }
    }
    return watched;
  }

  dispose(): void {
    for (const open of [...this.#open]) open.dispose();
  }
}
