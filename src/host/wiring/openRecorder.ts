import type { DisposableStore } from '../../base/disposable.ts';
import type { RingLimits } from '../../connection/recording/eventRing.ts';
import { DEFAULT_RING, Recorder } from '../../connection/recording/recorder.ts';
import type { ServerConnection } from '../../connection/connectionTypes.ts';
import type { Host } from '../host.ts';
import type { HostPorts } from '../hostPorts.ts';
import { openTracing, type Tracing } from './openTracing.ts';

/** What passes the connections of a host, and what traces it. */
export interface Recording {
  readonly recorder: Recorder;
  readonly tracing: Tracing;
}

/** Opens the recorder of a host, which is told of its connections, and tracing. Loaded with the first start of a server. */
export function openRecorder(
  { pool, servers, onDidChange }: Pick<Host, 'pool' | 'servers' | 'onDidChange'>,
  ports: HostPorts,
  disposables: DisposableStore,
): Recording {
  const limits = (): RingLimits => {
    const { ring } = ports.settings();
    return ring ? { maxAgeMs: ring.minutes * 60_000, maxBytes: ring.megabytes * 2 ** 20 } : DEFAULT_RING;
  };
  const recorder = new Recorder(limits);
  let known = limits();
  const states = new WeakMap<ServerConnection, string>();
  const note = (connection: ServerConnection): void => {
    const { state } = connection;
    const reason = 'failure' in state ? state.failure.message : undefined;
    const told = `${state.kind} ${reason}`;
    if (states.get(connection) === told) return;
    states.set(connection, told);
    recorder.note(connection.id, { kind: 'state', state: state.kind, ...(reason === undefined ? {} : { reason }) });
  };
  for (const connection of pool.all) note(connection);
  disposables.add(pool.onDidChangeState(note));
  const serverOf = (id: string): { readonly name: string; readonly transport: string } | undefined => {
    const entry = servers.get(id)?.entry;
    return entry && { name: entry.name, transport: entry.transport.type };
  };
  const tracing = openTracing(ports, recorder, serverOf);
  recorder.onClose(() => tracing.close());
  // Settings that changed are among what it tells of.
  disposables.add(
    onDidChange(() => {
      tracing.settingsChanged();
      const { maxAgeMs, maxBytes } = limits();
      if (known.maxAgeMs === maxAgeMs && known.maxBytes === maxBytes) return;
      known = limits();
      recorder.limitsChanged();
    }),
  );
  return { recorder: disposables.add(recorder), tracing };
}
