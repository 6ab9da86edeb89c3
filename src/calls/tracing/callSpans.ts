import { SwitchboardError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/json.ts';
import type { CatalogTool } from '../../catalog/catalogTool.ts';
import type { ServerInfo } from '../../connection/connectionTypes.ts';
import type { HistoryEntry } from '../history/callHistory.ts';
import type { CallPhase, ToolCall } from '../callTypes.ts';
import { networkAttributes, OWN, part, shown, type Attributes, type Span } from './span.ts';
import { parentOf, withContext, type TraceContext } from './traceContext.ts';

/** A request that is sent to a server for a call. */
export interface SentForCall {
  /** The server's own name of the tool or prompt; absent: it is about something else. */
  readonly target?: string;
  readonly info: ServerInfo | undefined;
  /** How many requests were sent for the call, with this one. */
  readonly attempt: number;
}

/** What the spans of a call tell of it at its end. */
export interface TracedCall extends Pick<HistoryEntry, 'serverName' | 'surface' | 'attempts' | 'result'> {
  /** `undefined`: there was none of the name. */
  readonly tool: CatalogTool | undefined;
  readonly decision: string | undefined;
  readonly answer: string | undefined;
}

/** What is traced where no other method is named. */
const TOOL_CALL = 'tools/call';
/**
 * The spans of one call: itself, the question about it, its turn, and each request to its server, whose own spans are part of
 * that. They are told as they end.
 */
export class CallSpans {
  readonly #method: string;
  readonly #tell: (span: Span) => void;
  readonly #parent: TraceContext | undefined;
  /** The call's own span. */
  readonly context: TraceContext;
  /** It came from a client of ours. */
  readonly #isServed: boolean;
  readonly #began = performance.now();
  readonly #beganAt = Date.now();
  #phase: { readonly name: string; readonly startMs: number } | undefined;

  /** @param method of the protocol, as which the call is sent; of a tool's, where absent */
  constructor(
    call: Pick<ToolCall, 'surface' | 'meta' | 'script'>,
    method: string | undefined,
    tell: (span: Span) => void,
  ) {
    this.#method = method ?? TOOL_CALL;
    this.#tell = tell;
    const { script } = call;
    this.#isServed = !script && (call.surface === 'gateway' || call.surface === 'outside');
    this.#parent = this.#isServed ? parentOf(call.meta) : script?.span;
    this.context = part(this.#parent);
  }

  /** The call gets to a phase. */
  enter(phase: CallPhase): void {
    const now = this.#now();
    if (this.#phase) this.#within({ ...this.#phase, endMs: now, kind: 'internal', attributes: {}, isError: false });
    const name = phase === 'asking' ? 'question' : phase === 'queued' ? 'queue' : undefined;
    this.#phase = name === undefined ? undefined : { name, startMs: now };
  }

  /**
   * Sends a request for the call, as part of the trace.
   * @param meta what the call came with; `send` gets it with the request's own place in the trace
   */
  async request<T extends object>(
    sent: SentForCall,
    meta: JsonObject | undefined,
    send: (meta: JsonObject) => Promise<T>,
  ): Promise<T> {
    const context = part(this.context);
    const startMs = this.#now();
    const told = (error: Attributes): void =>
      this.#within({
        context,
        name: named(this.#method, sent.target),
        kind: 'client',
        startMs,
        endMs: this.#now(),
        attributes: { ...requestAttributes(this.#method, sent), ...error },
        isError: 'error.type' in error,
      });
    try {
      const result = await send(withContext(meta, context));
      told('isError' in result && result.isError === true ? { 'error.type': 'tool_error' } : {});
      return result;
    } catch (error) {
      told(errorAttributes(error));
      throw error;
    }
  }

  /** The call has ended. */
  end({ tool, serverName, surface, attempts, result, decision, answer }: TracedCall): void {
    this.enter('checking');
    const isError = result !== 'ok' && result !== 'queued' && result !== CANCELLED;
    const name = tool && shown(tool.name);
    this.#tell({
      context: this.context,
      ...(this.#parent ? { parentId: this.#parent.spanId } : {}),
      ...(this.#parent && this.#isServed ? { isParentRemote: true } : {}),
      name: this.#method === TOOL_CALL && !this.#isServed ? named('execute_tool', name) : named(this.#method, name),
      kind: this.#isServed ? 'server' : 'internal',
      startMs: this.#beganAt,
      endMs: this.#now(),
      attributes: {
        'mcp.method.name': this.#method,
        ...(this.#method === TOOL_CALL ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
        ...(name === undefined ? {} : { 'gen_ai.tool.name': name }),
        ...(serverName === '' ? {} : { [`${OWN}.server`]: shown(serverName) }),
        [`${OWN}.surface`]: surface,
        [`${OWN}.outcome`]: result,
        [`${OWN}.attempts`]: attempts,
        ...(decision === undefined ? {} : { [`${OWN}.decision`]: decision }),
        ...(answer === undefined ? {} : { [`${OWN}.answer`]: answer }),
        ...(result === CANCELLED ? { [`${OWN}.cancelled`]: true } : {}),
        ...(isError ? { 'error.type': result === 'tool-error' ? 'tool_error' : result } : {}),
      },
      isError,
    });
  }

  #within(span: Omit<Span, 'context' | 'parentId'> & { readonly context?: TraceContext }): void {
    this.#tell({ context: part(this.context), ...span, parentId: this.context.spanId });
  }

  #now(): number {
    return this.#beganAt + performance.now() - this.#began;
  }
}

function named(what: string, target: string | undefined): string {
  return target === undefined ? what : `${what} ${shown(target)}`;
}

function requestAttributes(method: string, { target, info, attempt }: SentForCall): Attributes {
  const isTool = method === TOOL_CALL;
  const transport = info?.transport;
  return {
    'mcp.method.name': method,
    ...(isTool ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(target === undefined ? {} : { [`gen_ai.${isTool ? 'tool' : 'prompt'}.name`]: shown(target) }),
    [`${OWN}.attempt`]: attempt,
    ...(info ? { 'mcp.protocol.version': shown(info.protocolVersion), [`${OWN}.era`]: info.era } : {}),
    ...(transport === undefined ? {} : { [`${OWN}.transport`]: transport }),
    ...networkAttributes(transport),
  };
}

/** Whoever made the call wanted no answer any more: nothing failed. */
const CANCELLED = 'call-cancelled';

/** The class of an error: what the server answered, by its number, or ours. */
function errorAttributes(error: unknown): Attributes {
  if (!(error instanceof SwitchboardError)) return { 'error.type': '_OTHER' };
  if (error.code === CANCELLED) return { [`${OWN}.cancelled`]: true };
  const { code, status } = (error.cause ?? {}) as { readonly code?: unknown; readonly status?: unknown };
  if (error.code === 'http-status' && typeof status === 'number')
    return { 'error.type': String(status), 'http.response.status_code': String(status) };
  if (error.code === 'call-failed' && typeof code === 'number')
    return { 'error.type': String(code), 'rpc.response.status_code': String(code) };
  return { 'error.type': error.code };
}
