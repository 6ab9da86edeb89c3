import { Sequencer } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors.ts';
import type { Logger } from '../../../base/log.ts';
import type { KeyValueStore } from '../../../base/keyValueStore.ts';
import type { OutsideGateway } from './outsideGateway.ts';

/** Whether access is on in this workspace: `true`, or for whom alone. */
const IS_ON = 'outsideAccess';
const FOR_PORTABLE = 'portable';

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
    this.#turns
      .run(() => this.#opened(undefined))
      .catch((error: unknown) =>
        ports.log.log('error', `The gateway for agents outside the editor could not be opened: ${messageOf(error)}`),
      );
  }

  /** Whether it was asked for in this workspace. */
  get isOn(): boolean {
    const isOn = this.#ports.store.get(IS_ON);
    return isOn === true || isOn === FOR_PORTABLE;
  }

  /** Whether it was asked for with a portable entry alone. */
  get isForPortable(): boolean {
    return this.#ports.store.get(IS_ON) === FOR_PORTABLE;
  }

  /** The gateway if it is open. */
  get opened(): OutsideGateway | undefined {
    return this.#gateway;
  }

  /** Turns it on where it isn't, for good. One at a time, so that no second one is opened beside it. */
  gateway(): Promise<OutsideGateway> {
    return this.#turns.run(() => this.#opened(true));
  }

  /**
   * Lets agents in for portable entries, which find this window from now on.
   * @returns takes that back; access that was on, or that was asked for otherwise since, stays on
   * @throws where agents can't be let in: then access is as it was
   */
  async letInPortable(): Promise<() => Promise<void>> {
    const wasOn = this.isOn;
    const takeBack = async (): Promise<void> => {
      if (!wasOn) await this.revokePortable();
    };
    try {
      const gateway = await this.#turns.run(() => this.#opened(wasOn ? undefined : FOR_PORTABLE));
      await gateway.publish();
    } catch (error) {
      await takeBack();
      throw error;
    }
    return takeBack;
  }

  /** Nothing is served from now on, where it was turned on for portable entries alone. */
  async revokePortable(): Promise<void> {
    if (this.isForPortable) await this.revoke();
  }

  /** @param isOn what is kept; absent: as it is */
  async #opened(isOn: true | typeof FOR_PORTABLE | undefined): Promise<OutsideGateway> {
    if (!this.#gateway) {
      const gateway = await this.#ports.open();
      if (this.#disposed) gateway.dispose();
      this.#gateway = gateway;
    }
    if (isOn !== undefined && this.#ports.store.get(IS_ON) !== isOn) await this.#ports.store.set(IS_ON, isOn);
    return this.#gateway;
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
