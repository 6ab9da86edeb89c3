import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { say } from '../base/say.ts';
import { Emitter, type Event } from '../base/event.ts';
import { ConnectError, toFailure } from './connectionFailure.ts';
import { GuardedTransport, type GuardOptions } from './protocol/guard/guardedTransport.ts';
import type { Link } from './serverLink.ts';
import type { SdkFault } from './protocol/sdk.ts';
import type { ConnectionFailure, InProcessServer } from './connectionTypes.ts';
import type { StopGrace } from './process/stopGrace.ts';

/** A server in this process that takes a transport (protocol 2025-11-25 and before). */
export class InProcessLink implements Link {
  readonly kind = 'in-process';
  readonly pid = undefined;
  readonly transport: GuardedTransport;
  readonly #onLost = new Emitter<ConnectionFailure>();
  readonly onLost: Event<ConnectionFailure> = this.#onLost.event;
  #stopping = false;
  #lost: ConnectionFailure | undefined;

  constructor(
    createPair: () => [Transport, Transport],
    server: Extract<InProcessServer, { kind: 'transport' }>,
    guardOptions: GuardOptions,
  ) {
    const [ours, theirs] = createPair();
    const send = theirs.send.bind(theirs);
    // A copy, as through any other transport: what the extension keeps can't change what was checked of it.
    theirs.send = async (message, options) => send(JSON.parse(JSON.stringify(message)) as JSONRPCMessage, options);
    const start = ours.start.bind(ours);
    ours.start = async () => {
      await server.connect(theirs);
      await start();
    };
    this.transport = new GuardedTransport(ours, guardOptions);
    this.transport.onclose = () => this.#closed();
  }

  get lost(): ConnectionFailure | undefined {
    return this.#lost;
  }

  stderrTail(): readonly string[] {
    return [];
  }

  async explainHandshake(_fault: SdkFault, error: unknown): Promise<ConnectError> {
    const why = error instanceof Error ? error.message : String(error);
    return new ConnectError('handshake-failed', say`The extension's server failed the handshake: ${why}`, {
      cause: error,
    });
  }

  async stop(_grace: StopGrace): Promise<void> {
    this.#stopping = true;
    await this.transport.close();
  }

  dispose(): void {
    this.#onLost.dispose();
  }

  #closed(): void {
    if (this.#stopping || this.#lost) return;
    this.#lost = toFailure(new ConnectError('connection-lost', say`The extension's server closed the connection.`));
    this.#onLost.fire(this.#lost);
  }
}
