import type { DisposableStore } from '../base/disposable.ts';
import { DEFAULT_RING, Recorder } from '../connection/recording/recorder.ts';
import type { ServerConnection } from '../connection/connectionTypes.ts';
import type { Host } from './host.ts';

/** Opens the recorder of a host, which is told of its connections. Loaded with the first start of a server. */
export function openRecorder({ pool }: Pick<Host, 'pool'>, disposables: DisposableStore): Recorder {
  const recorder = new Recorder(DEFAULT_RING);
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
  return disposables.add(recorder);
}
