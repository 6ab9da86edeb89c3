import { Sequencer } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import type { KeyValueStore } from '../../../base/keyValueStore.ts';
import type { OutsideGateway } from './outsideGateway.ts';

/** Whether access is on in this workspace. */
const IS_ON = 'outsideAccess';

export interface OutsideAccessPorts {
  readonly log: Logger;
  /** Of this workspace. */
  readonly store: KeyValueStore;
  /** Opens the gateway. */
  open(): Promise<OutsideGateway>;
}

/** Access for agents outside the editor: off until asked for; then on in this workspace until revoked. */
export class OutsideAccess implements Disposable {
  readonly #ports: OutsideAccessPorts;
  readonly #turns = new Sequencer();
  #gateway: OutsideGateway | undefined;
  #disposed = false;

  constructor(ports: OutsideAccessPorts) {
    this.#ports = ports;
    if (!this.isOn) return;
    this.gateway().catch((error: unknown) =>
      ports.log.log('error', `The gateway for agents outside the editor could not be opened: ${messageOf(error)}`),
    );
  }

  /** Whether it was asked for in this workspace. */
  get isOn(): boolean {
    return this.#ports.store.get(IS_ON) === true;
  }

  /** The gateway if it is open. */
  get opened(): OutsideGateway | undefined {
    return this.#gateway;
  }

  /** Turns it on where it isn't. One at a time, so that no second one is opened beside it. */
  gateway(): Promise<OutsideGateway> {
    return this.#turns.run(async () => {
      if (!this.#gateway) {
        const gateway = await this.#ports.open();
        if (this.#disposed) gateway.dispose();
        this.#gateway = gateway;
        await this.#ports.store.set(IS_ON, true);
      }
      return this.#gateway;
    });
  }

  /** Nothing is served from now on. */
  revoke(): Promise<void> {
    return this.#turns.run(async () => {
      await this.#ports.store.set(IS_ON, undefined);
      this.#gateway?.dispose();
      this.#gateway = undefined;
    });
  }

  dispose(): void {
    this.#disposed = true;
    this.#gateway?.dispose();
  }
}
