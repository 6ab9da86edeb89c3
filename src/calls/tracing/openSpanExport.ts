// Loaded once an address for traces is set.
import type { Clock } from '../../base/clock.ts';
import type { ToolCall } from '../callTypes.ts';
import type { RecordedEvent } from '../../connection/recording/recordedEvent.ts';
import type { PlaceRequest } from '../../connection/recording/recorder.ts';
import { CallSpans } from './callSpans.ts';
import { ConnectionSpans, type ConnectionSpansPorts } from './connectionSpans.ts';
import { otlpAddress, type OtlpAddress } from './otlpAddress.ts';
import type { Span } from './span.ts';
import { SpanExport } from './spanExport.ts';

/** So long a receiver may take, in milliseconds. */
const LIMIT_MS = 10_000;

export interface TracingPorts extends Pick<ConnectionSpansPorts, 'serverOf'> {
  /** The setting: the receiver's address. */
  readonly endpoint: string;
  /** `OTEL_EXPORTER_OTLP_HEADERS` of the environment. */
  readonly headers: string | undefined;
  /** Of this extension. */
  readonly version: string;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** Told once why spans can't be sent there. */
  readonly refused: (why: string) => void;
}

/** Makes the spans of calls and connections, and sends them. */
export interface CallTracer {
  /** The spans of a call that begins; `method`: of a request that is no tool's. */
  begin(call: Pick<ToolCall, 'surface' | 'meta' | 'script'>, method?: string): CallSpans;
  /** Something happened at a connection: handshakes and lists have spans of their own. */
  readonly heard: (event: RecordedEvent) => void;
  /** Says in each of those where it belongs, before it is sent. */
  readonly placed: PlaceRequest;
  /** Sends what waits. Never rejects. */
  flush(): Promise<void>;
  dispose(): void;
}

/** Opens the export of spans by OTLP to one address. */
export function openSpanExport(ports: TracingPorts): CallTracer {
  let address: OtlpAddress | undefined;
  const send = async (spans: readonly Span[]): Promise<void> => {
    address ??= otlpAddress(ports.endpoint, ports.headers);
    const { otlpBody } = await import('./otlpRequest.ts');
    await post(address, otlpBody(spans, ports.version), ports.fetch);
  };
  const exported = new SpanExport({ send, refused: ports.refused, clock: ports.clock });
  const { heard, placed } = new ConnectionSpans({ tell: exported.add, serverOf: ports.serverOf });
  return {
    begin: (call, method) => new CallSpans(call, method, exported.add),
    ...{ heard, placed },
    flush: () => exported.flush(),
    dispose: () => exported.dispose(),
  };
}

/** @throws Error that says why it wasn't taken: never with the address, which may have a key in it */
async function post({ url, headers }: OtlpAddress, body: Uint8Array, send: typeof fetch): Promise<void> {
  let answer: Response;
  try {
    answer = await send(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-protobuf' },
      body: body as Uint8Array<ArrayBuffer>,
      // Spans and headers are for the address that the user chose.
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    });
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { readonly code?: unknown };
    throw new Error(typeof code === 'string' ? code : 'it doesn’t answer', { cause: error });
  }
  void answer.body?.cancel().catch(() => undefined);
  if (!answer.ok) throw new Error(`it answers with HTTP status ${answer.status}`);
}
