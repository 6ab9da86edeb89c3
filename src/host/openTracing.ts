import { withTimeout } from '../base/async.ts';
import type { CallTracer } from '../calls/tracing/openSpanExport.ts';
import type { HostPorts } from './hostPorts.ts';

/** So long the end of the host waits for the last spans, in milliseconds. */
const LAST_MS = 1_000;

/** What makes the spans of calls while there is an address to send them to. */
export interface Tracing {
  /** `undefined`: nothing is traced. */
  tracer(): Promise<CallTracer> | undefined;
  /** Sends what waits, for a second at most, and ends. Never rejects. */
  close(): Promise<void>;
}

/** Follows the setting; what traces is loaded with the first call after it is set. */
export function openTracing(
  ports: Pick<HostPorts, 'settings' | 'environment' | 'clientInfo' | 'fetch' | 'clock' | 'log'>,
): Tracing {
  let open: { readonly endpoint: string; readonly tracer: Promise<CallTracer> } | undefined;
  const end = (): void => {
    void open?.tracer.then((tracer) => tracer.dispose());
    open = undefined;
  };
  const load = async (endpoint: string): Promise<CallTracer> => {
    const { openSpanExport } = await import('../calls/tracing/openSpanExport.ts');
    const refused = (why: string): void =>
      ports.log.log('warning', `Traces can’t be sent to the address of the setting tracing.endpoint: ${why}.`);
    return openSpanExport({
      ...{ endpoint, refused, fetch: ports.fetch, clock: ports.clock, version: ports.clientInfo.version },
      headers: ports.environment['OTEL_EXPORTER_OTLP_HEADERS'],
    });
  };
  return {
    tracer: () => {
      const { tracing } = ports.settings();
      const endpoint = typeof tracing === 'string' && tracing.trim() !== '' ? tracing : undefined;
      if (endpoint === open?.endpoint) return open?.tracer;
      end();
      if (endpoint !== undefined) open = { endpoint, tracer: load(endpoint) };
      return open?.tracer;
    },
    close: async () => {
      const last = open?.tracer.then((tracer) => tracer.flush());
      if (last) await withTimeout(last, LAST_MS, ports.clock, () => undefined);
      end();
    },
  };
}
