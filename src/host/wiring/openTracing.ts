import { withTimeout } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { messageOf } from '../../base/errors.ts';
import type { CallTracer, TracingPorts } from '../../calls/tracing/openSpanExport.ts';
import type { Recorder } from '../../connection/recording/recorder.ts';
import type { HostPorts } from '../hostPorts.ts';

/** So long the end of the host waits for the last spans, in milliseconds. */
const LAST_MS = 1_000;

/** What makes the spans of calls while there is an address to send them to. */
export interface Tracing {
  /** `undefined`: nothing is traced; nor is it where what traces can't be loaded. Never rejects. */
  tracer(): Promise<CallTracer | undefined> | undefined;
  /** The setting may be another. */
  settingsChanged(): void;
  /** Sends what waits, for a second at most, and ends. Never rejects. */
  close(): Promise<void>;
}

type Exporting = Pick<typeof import('../../calls/tracing/openSpanExport.ts'), 'openSpanExport'>;

interface Open {
  readonly endpoint: string;
  readonly tracer: Promise<CallTracer | undefined>;
  readonly listening: Disposable;
}

/**
 * Follows the setting: while there is an address, what traces is loaded, and told of what passes the connections.
 * @param serverOf what is said of a server, by its id
 * @param load what traces
 */
export function openTracing(
  ports: Pick<HostPorts, 'settings' | 'environment' | 'clientInfo' | 'fetch' | 'clock' | 'log'>,
  recorder: Pick<Recorder, 'onEvent' | 'place'>,
  serverOf: TracingPorts['serverOf'],
  load: () => Promise<Exporting> = () => import('../../calls/tracing/openSpanExport.ts'),
): Tracing {
  const { fetch, clock, log } = ports;
  let open: Open | undefined;
  let isClosed = false;
  /** Those of former addresses send what waited. */
  const ending = new Set<Promise<void>>();

  const begin = (endpoint: string): Open => {
    const refused = (why: string): void =>
      log.log('warning', `Traces can’t be sent to the address of the setting tracing.endpoint: ${why}.`);
    const headers = ports.environment['OTEL_EXPORTER_OTLP_HEADERS'];
    const { version } = ports.clientInfo;
    const tracer = load().then(
      ({ openSpanExport }) => openSpanExport({ endpoint, refused, headers, version, fetch, clock, serverOf }),
      (error: unknown) => {
        log.log('warning', `Nothing is traced, since what traces can’t be loaded: ${messageOf(error)}`);
        return undefined;
      },
    );
    let loaded: CallTracer | undefined;
    void tracer.then((it) => (loaded = it));
    recorder.place = (request) => loaded?.placed(request) ?? request;
    return { endpoint, tracer, listening: recorder.onEvent((event) => void tracer.then((it) => it?.heard(event))) };
  };
  const end = ({ tracer, listening }: Open): void => {
    listening.dispose();
    recorder.place = undefined;
    const ended = tracer.then(async (it) => {
      await it?.flush();
      it?.dispose();
    });
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  };
  const follow = (): Open | undefined => {
    const { tracing } = ports.settings();
    const endpoint = !isClosed && typeof tracing === 'string' && tracing.trim() !== '' ? tracing : undefined;
    if (endpoint === open?.endpoint) return open;
    if (open) end(open);
    return (open = endpoint === undefined ? undefined : begin(endpoint));
  };
  follow();
  return {
    tracer: () => follow()?.tracer,
    settingsChanged: () => void follow(),
    close: async () => {
      isClosed = true;
      follow();
      if (ending.size > 0) await withTimeout(Promise.all(ending), LAST_MS, clock, () => undefined);
    },
  };
}
