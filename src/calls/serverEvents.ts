import type { ServerConnection } from '../connection/types.ts';
import type { SwitchboardEvent } from './events.ts';

/** Makes events of what connections go through: each once, however often a state is entered again. */
export class ServerEvents {
  readonly #tell: (event: SwitchboardEvent) => void;
  readonly #last = new WeakMap<ServerConnection, string>();

  constructor(tell: (event: SwitchboardEvent) => void) {
    this.#tell = tell;
  }

  /** The connection may be in another state. That it is on its way says nothing yet. */
  changed(connection: ServerConnection): void {
    const { name, state, tools } = connection;
    if (state.kind === 'connecting' || this.#last.get(connection) === state.kind) return;
    this.#last.set(connection, state.kind);
    if (state.kind === 'connected') this.#tell({ type: 'server.connected', serverName: name, toolCount: tools.length });
    else this.#tell({ type: 'server.disconnected', serverName: name, state: state.kind });
  }
}
