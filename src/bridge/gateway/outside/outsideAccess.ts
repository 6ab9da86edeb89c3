import { randomBytes } from 'node:crypto';
import { Sequencer } from '../../../base/async.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors.ts';
import { sha256 } from '../../../base/json.ts';
import type { Logger } from '../../../base/log.ts';
import type { KeyValueStore } from '../../../base/store.ts';
import type { SecretStore } from '../../../servers/inputValues.ts';
import type { OutsideGateway } from './outsideGateway.ts';

/** Key of this workspace's port, and of its token among the secrets with the workspace's id. */
const PORT = 'outsideGatewayPort';
const TOKEN = 'outsideGateway.token';

export interface OutsideAccessPorts {
  readonly log: Logger;
  /** Of this workspace. */
  readonly store: KeyValueStore;
  readonly secrets: SecretStore;
  /** Tells this workspace from others; `undefined` where no folder is open. */
  readonly workspaceId: string | undefined;
  /** Opens the gateway, on a port that is free where the preferred one isn't. */
  open(token: string, preferredPort: number): Promise<{ readonly gateway: OutsideGateway; readonly port: number }>;
}

/** What an agent outside the editor is given. */
export interface OutsideAddress {
  readonly gateway: OutsideGateway;
  /** Present only when it has just been made: it isn't shown again. */
  readonly freshToken?: string;
}

/** Access for agents outside the editor: off until asked for; then on in this workspace, with one token, until revoked. */
export class OutsideAccess implements Disposable {
  readonly #ports: OutsideAccessPorts;
  #open: Promise<OutsideGateway | undefined> | undefined;
  #gateway: OutsideGateway | undefined;
  readonly #turns = new Sequencer();
  #disposed = false;

  constructor(ports: OutsideAccessPorts) {
    this.#ports = ports;
    if (this.isOn) this.#reopen().catch(() => undefined);
  }

  /** Whether it was asked for in this workspace. */
  get isOn(): boolean {
    return typeof this.#ports.store.get(PORT) === 'number';
  }

  /** Turns it on where it isn't, with a fresh token. One at a time, so that no second one is opened beside it. */
  address(): Promise<OutsideAddress> {
    return this.#turns.run(() => this.#address());
  }

  async #address(): Promise<OutsideAddress> {
    const gateway = this.isOn ? await this.#reopen() : undefined;
    if (gateway) return { gateway };
    const freshToken = randomBytes(32).toString('base64url');
    await this.#ports.secrets.set(this.#secretKey, freshToken);
    const opening = this.#listen(freshToken);
    this.#open = opening;
    return { gateway: await opening, freshToken };
  }

  /** The token is worth nothing from now on, and nothing is served. */
  revoke(): Promise<void> {
    return this.#turns.run(() => this.#revoke());
  }

  async #revoke(): Promise<void> {
    await this.#open?.catch(() => undefined);
    this.#open = undefined;
    this.#gateway?.dispose();
    this.#gateway = undefined;
    await this.#ports.store.set(PORT, undefined);
    await this.#ports.secrets.set(this.#secretKey, undefined);
  }

  /** With the token that it had; `undefined` where that is gone. One attempt at a time, and none after a success. */
  #reopen(): Promise<OutsideGateway | undefined> {
    this.#open ??= this.#ports.secrets
      .get(this.#secretKey)
      .then((token) => (token === undefined ? undefined : this.#listen(token)))
      .catch((error: unknown) => {
        this.#open = undefined;
        this.#ports.log.log('error', `The gateway for agents outside could not be opened: ${messageOf(error)}`);
        throw error;
      });
    return this.#open;
  }

  async #listen(token: string): Promise<OutsideGateway> {
    const known = this.#ports.store.get(PORT);
    const { gateway, port } = await this.#ports.open(token, typeof known === 'number' ? known : 0);
    if (this.#disposed) gateway.dispose();
    this.#gateway = gateway;
    if (known !== port) await this.#ports.store.set(PORT, port);
    return gateway;
  }

  get #secretKey(): string {
    return `${TOKEN}.${sha256(this.#ports.workspaceId ?? '').slice(0, 16)}`;
  }

  dispose(): void {
    this.#disposed = true;
    this.#gateway?.dispose();
  }
}
