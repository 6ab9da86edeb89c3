import { SwitchboardError } from '../base/errors.ts';
import type { JsonObject } from '../base/json/json.ts';
import { jsonTextSteps } from '../base/json/jsonPieces.ts';
import { inSlices } from '../base/timeSlices.ts';
import type { BrokerPorts, BrokerState } from './brokerTypes.ts';
import { READY_WAIT_MS } from './callSettings.ts';
import { cleanProgress } from './scheduling/callSender.ts';
import { cancelledByUser, CallTrace } from './callTrace.ts';
import type { CallOutcome } from './callTypes.ts';
import { NO_VERDICT, type HookVerdict } from './hooks/hookTypes.ts';
import { asCall, hasValues, HOOK_URI, isLocalFile, type ItemMethod, type ItemRequest } from './itemRequest.ts';
import { callerOf } from './policy/permissionScope.ts';
import type { CallGate } from './policy/callGate.ts';
import { forModel } from './results/cleanText.ts';
import { withVerdict } from './results/resultParts.ts';

/**
 * What sends the request; gives the protocol's result. `checkUnchanged` throws where it was permitted for another server;
 * the signal is that of the request, and aborts when the user cancels it, too.
 */
type Send<T> = (params: JsonObject, checkUnchanged: () => void, signal: AbortSignal) => Promise<T>;

type TracedSend<T> = (...args: [...Parameters<Send<T>>, trace: CallTrace]) => Promise<T>;

/** Requests for resources, prompts and completion: hooks → policy → plan mode → question → server → hooks → history. */
export class ItemCalls {
  readonly #ports: BrokerPorts;
  readonly #state: BrokerState;
  readonly #gate: CallGate;

  constructor(ports: BrokerPorts, state: BrokerState, gate: CallGate) {
    this.#ports = ports;
    this.#state = state;
    this.#gate = gate;
  }

  /** As `Broker.request`. */
  async request(request: ItemRequest): Promise<JsonObject> {
    const { serverId, method, meta, onProgress } = request;
    const { call } = asCall(request, this.#ports.serverOf(serverId), false);
    return this.#permitted(request, async (params, checkUnchanged, signal, { spans }) => {
      const session = await this.#ports.session(serverId, READY_WAIT_MS, signal);
      checkUnchanged();
      // What is proposed while the user types says nothing about the lists.
      if (request.isUsersAct && method !== 'completion/complete') session.forgetAnswers();
      const options = { signal, ...(onProgress ? { onProgress: cleanProgress(onProgress) } : {}) };
      const send = (sent: JsonObject | undefined): Promise<JsonObject> => {
        const whole = { ...params, ...(sent ? { _meta: sent } : {}) };
        return session.request(method, whole, this.#ports.callTimeoutMs(serverId), options);
      };
      // Where somebody can be asked within it, what the server needs for it is theirs to say.
      const sendAsking: typeof send = (sent) => this.#state.inProgress.during(serverId, call, () => send(sent));
      const sending = request.surfaceContext === undefined ? send : sendAsking;
      const { name } = params;
      const target = method === 'prompts/get' && typeof name === 'string' ? { target: name } : {};
      const about = { ...target, info: session.info, attempt: 1 };
      const given = await (spans ? spans.request(about, meta, sending) : sending(meta));
      const result = request.check ? await request.check(given) : given;
      if (!this.#state.hooks.any) return result;
      const { tool } = asCall(request, this.#ports.serverOf(serverId), false);
      const { names: known } = this.#ports;
      return withNotes(
        method,
        result,
        await this.#state.hooks.after({ tool, args: params, response: result, known, signal }),
      );
    });
  }

  /** As `Broker.permitted`. */
  permitted<T>(request: ItemRequest, send: Send<T>): Promise<T> {
    return this.#permitted(request, (params, checkUnchanged, signal) => send(params, checkUnchanged, signal));
  }

  async #permitted<T>(request: ItemRequest, send: TracedSend<T>): Promise<T> {
    const server = this.#ports.serverOf(request.serverId);
    const trace = new CallTrace(asCall(request, server, false).call, this.#ports.clock.now());
    trace.serverName = server.name;
    const tracer = this.#ports.tracer?.();
    if (tracer) trace.spans = (await tracer)?.begin(request, request.method);
    return this.#state.inProgress.whole(trace, request.signal, (signal) =>
      this.#recorded({ ...request, signal }, send, trace),
    );
  }

  async #recorded<T>(request: ItemRequest, send: TracedSend<T>, trace: CallTrace): Promise<T> {
    const { serverId, method, signal, isUsersAct } = request;
    const server = this.#ports.serverOf(serverId);
    const asked = asCall(request, server, false);
    let outcome: CallOutcome | { readonly error: unknown } = { parts: [] };
    try {
      const fingerprint = this.#ports.fingerprintOf(serverId);
      const hooks = this.#state.hooks.any
        ? await this.#state.hooks.before({ ...asked, args: request.params, known: this.#ports.names, signal })
        : NO_VERDICT;
      const args = hooks.input ?? request.params;
      trace.args = args;
      // A hook can have put another address into it.
      const sent = { ...request, params: args };
      const { tool, call } = asCall(sent, server, await this.#isOpen(sent));
      const started = isUsersAct === true ? {} : undefined;
      const verdict = await this.#verdictOf(sent);
      const [isChanged, isUnseen] = [verdict === 'warn', verdict === 'new'];
      // Nobody waits for a question while typing.
      const asks = method !== 'completion/complete';
      await this.#gate.authorize({ tool, args, call, hooks, started, asks, isChanged, isUnseen }, trace);
      const isAnswered = isUnseen && trace.answer !== undefined && callerOf(call).reach === 'workspace';
      if (isAnswered) this.#ports.acknowledgeItem?.(sent);
      const checkUnchanged = (): void => {
        if (this.#ports.fingerprintOf(serverId) !== fingerprint)
          throw new SwitchboardError('denied', `${server.name} changed while its permission was checked.`);
      };
      checkUnchanged();
      trace.phase = 'running';
      trace.attempts += 1;
      const result = await send(args, checkUnchanged, signal, trace);
      outcome = { parts: [{ kind: 'text', text: await inSlices(jsonTextSteps(result)) }] };
      return result;
    } catch (thrown) {
      const error = trace.isCancelledByUser ? cancelledByUser(trace) : thrown;
      outcome = { error };
      throw forModel(error);
    } finally {
      this.#state.history.add(
        trace.entry(outcome, this.#ports.settings().historyContent ? this.#state.mask : undefined),
      );
    }
  }

  /** @throws SwitchboardError `denied`, where the prompt or the skill isn't given before a review */
  async #verdictOf(request: ItemRequest): Promise<'ok' | 'new' | 'warn'> {
    const verdict = (await this.#ports.itemVerdict?.(request)) ?? 'ok';
    if (verdict !== 'block') return verdict;
    // The user looks at a file of a skill, to decide on it.
    if (request.isUsersAct === true && request.check) return 'ok';
    const { name, uri } = request.params;
    const [what, noun] = typeof name === 'string' ? [name, 'prompt'] : [typeof uri === 'string' ? uri : '', 'skill'];
    throw new SwitchboardError(
      'denied',
      `The ${noun} ${what} changed since the user approved it. It was not fetched.`,
      {
        remedy: `The user must review the change first (command: Review Changed Tools). Continue without this ${noun}.`,
      },
    );
  }

  /** A resource that is neither a file nor in the server's own list can be an address that data leaves by. */
  async #isOpen({ serverId, method, params, surface, signal, check }: ItemRequest): Promise<boolean> {
    if (check) return false;
    // At the editor's endpoints, prompts are picked by the user (specification: prompts are user-controlled).
    if (method === 'prompts/get') return surface !== 'gateway' && hasValues(params);
    // While somebody types in the editor, what they typed is completed.
    if (method === 'completion/complete') return surface === 'outside';
    const { uri } = params;
    if (method === 'resources/directory/read') return true;
    if (method === 'skills/get') return this.#ports.listsSkill?.(serverId, uri) !== true;
    if (method !== 'resources/read' || typeof uri !== 'string' || isLocalFile(uri)) return false;
    return !(await this.#ports.listsResource(serverId, uri, signal).catch(() => false));
  }
}

/** What hooks made of a result after the request. */
function withNotes(method: ItemMethod, result: JsonObject, verdict: HookVerdict): JsonObject {
  const texts = withVerdict([], verdict).flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  if (texts.length === 0 || method === 'completion/complete') return result;
  const [key, items] =
    method === 'resources/read'
      ? (['contents', texts.map((text) => ({ uri: HOOK_URI, text }))] as const)
      : (['messages', texts.map((text) => ({ role: 'user', content: { type: 'text', text } }))] as const);
  const before = result[key];
  return { ...result, [key]: [...(verdict.output === undefined && Array.isArray(before) ? before : []), ...items] };
}
