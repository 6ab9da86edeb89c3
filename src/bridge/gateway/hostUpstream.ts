import type { Event } from '../../base/event.ts';
import { SwitchboardError, messageOf } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { READY_WAIT_MS } from '../../calls/settings.ts';
import { protocolResult } from '../../calls/protocolResult.ts';
import type { Question, Reply } from '../../calls/types.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../../catalog/summaries.ts';
import type { LiveSession, ServerInfo, Session } from '../../connection/types.ts';
import type { Host } from '../../host.ts';
import type { Choice } from './elicitation.ts';
import type { InCallContext } from './inCallAsker.ts';
import { capabilitiesOf } from './methods.ts';
import { RPC_CODES, RpcError } from './jsonRpc.ts';
import type { ListedTool, Upstream, UpstreamCall } from './upstream.ts';

/** How long a request that is passed on may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;

/** How the broker's question is put in words. */
export interface QuestionWording {
  choiceOf(question: Question): Choice;
  /** `undefined` for any text that is none of ours. */
  answerOf(label: string | undefined, question: Question): Reply | undefined;
}

export interface HostUpstreamParts {
  readonly host: Host;
  readonly serverId: string;
  /** What `serverInfo.name` is. */
  readonly name: string;
  readonly wording: QuestionWording;
  readonly version: string;
  tools(): readonly ListedTool[];
  readonly onDidChangeTools: Event<void>;
}

/** A server of the host behind an endpoint. */
export class HostUpstream implements Upstream {
  readonly #parts: HostUpstreamParts;
  readonly onDidChangeTools: Event<void>;

  constructor(parts: HostUpstreamParts) {
    this.#parts = parts;
    this.onDidChangeTools = parts.onDidChangeTools;
  }

  describe(): ReturnType<Upstream['describe']> {
    const info = this.#info();
    return {
      serverInfo: { name: this.#parts.name, version: info?.version || this.#parts.version },
      ...(info?.instructions ? { instructions: cutAtWord(info.instructions, DESCRIPTION_LIMIT) } : {}),
      capabilities: capabilitiesOf(info?.capabilities ?? {}),
    };
  }

  tools(): readonly ListedTool[] {
    return this.#parts.tools();
  }

  async call(callableName: string, args: JsonObject, { signal, ask }: UpstreamCall): Promise<JsonObject> {
    try {
      const outcome = await this.#parts.host.broker.call({
        name: callableName,
        args,
        surface: 'gateway',
        signal,
        ...(ask ? { surfaceContext: this.#context(ask) } : {}),
      });
      return protocolResult(outcome);
    } catch (error) {
      // A denial is an answer, not a failure of the tool. Everything else is the tool's error, so that the model reads it.
      const isDenial = error instanceof SwitchboardError && error.code === 'denied';
      return { content: [{ type: 'text', text: messageOf(error) }], isError: !isDenial };
    }
  }

  async request(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { host, serverId } = this.#parts;
    if (method === 'resources/read') {
      const uri = typeof params['uri'] === 'string' ? params['uri'] : '';
      const serverName = host.servers.get(serverId)?.name ?? serverId;
      return host.broker.readResource({
        serverId,
        serverName,
        uri,
        surface: 'gateway',
        signal,
        surfaceContext: undefined,
      });
    }
    const session = await host.pool.ready(serverId, READY_WAIT_MS, signal);
    if (!isLive(session)) throw new RpcError(RPC_CODES.methodNotFound, `${method} is not offered here.`);
    return session.request(method, params, REQUEST_TIMEOUT_MS);
  }

  #context(ask: NonNullable<UpstreamCall['ask']>): InCallContext {
    const { wording } = this.#parts;
    return {
      askInCall: async (question) => wording.answerOf(await ask(wording.choiceOf(question), question.signal), question),
    };
  }

  #info(): ServerInfo | undefined {
    const state = this.#parts.host.pool.get(this.#parts.serverId)?.state;
    return state?.kind === 'connected' ? state.info : undefined;
  }
}

function isLive(session: Session): session is LiveSession {
  return 'request' in session;
}
