import { type Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { TransportSpec } from '../../config/configTypes.ts';
import type { ConnectionSpec } from '../connectionTypes.ts';
import type { RequestAuthorization } from './authorization.ts';
import type { SignInPorts } from './signInPorts.ts';
import type { Account, SignInOptions, SignIns, SignInView } from './signIns.ts';
import type { SignInService, SignInServicePorts } from './signInService.ts';

export interface LazySignInPorts extends Omit<SignInServicePorts, 'signIn' | 'changed'> {
  readonly signIn: SignInPorts | undefined;
  /** What a server is reached with, as written. */
  transportOf(serverId: string): TransportSpec | undefined;
  /** What is kept of a server was changed elsewhere. */
  changedElsewhere(serverId: string): void;
}

/** Signing in. Its code is loaded with the first use; the views are known without it. */
export class LazySignIns implements SignIns, Disposable {
  readonly #ports: LazySignInPorts;
  readonly #changed = new Emitter<string>();
  readonly #accounts = new Map<string, Account>();
  #service: Promise<SignInService> | undefined;
  #loaded: SignInService | undefined;
  #isDisposed = false;

  readonly onDidChange: Event<string> = this.#changed.event;

  constructor(ports: LazySignInPorts) {
    this.#ports = ports;
  }

  /** Whether requests to a server are authorized by a sign-in. */
  isFor(transport: TransportSpec): boolean {
    return this.#ports.signIn !== undefined && isRemote(transport) && offOf(transport) === undefined;
  }

  view(serverId: string): SignInView | undefined {
    const transport = this.#ports.transportOf(serverId);
    if (!transport || !isRemote(transport) || !this.#ports.signIn) return undefined;
    const off = offOf(transport);
    const account = this.#accounts.get(serverId);
    return {
      ...(off ? { off } : {}),
      ...(account && !off ? { account } : {}),
      ...(this.#loaded?.isRunning(serverId) ? { inProgress: true } : {}),
    };
  }

  async authorizationFor(serverId: string, spec: ConnectionSpec): Promise<RequestAuthorization | undefined> {
    if (!this.#ports.signIn || !('url' in spec)) return undefined;
    return (await this.#load()).authorizationFor(serverId, spec);
  }

  /** Whether the workspace has an account for the server that calls can be made with. */
  async isSignedIn(serverId: string): Promise<boolean> {
    return (await this.#load()).isSignedIn(serverId);
  }

  async accountsOf(serverId: string): Promise<readonly Account[]> {
    return (await this.#load()).accountsOf(serverId);
  }

  async signIn(serverId: string, options?: SignInOptions): Promise<Account> {
    return (await this.#load()).signIn(serverId, options);
  }

  async switchAccount(serverId: string, accountId: string): Promise<void> {
    return (await this.#load()).switchAccount(serverId, accountId);
  }

  async signOut(serverId: string, accountId?: string): Promise<{ readonly revoked: boolean }> {
    return (await this.#load()).signOut(serverId, accountId);
  }

  async resetRegistration(serverId: string): Promise<void> {
    return (await this.#load()).resetRegistration(serverId);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#loaded?.dispose();
    this.#changed.dispose();
  }

  #load(): Promise<SignInService> {
    const { signIn } = this.#ports;
    if (!signIn) throw new SwitchboardError('unsupported', 'Nobody can sign in here.');
    this.#service ??= Promise.all([import('./signInService.ts'), import('../protocol/sdk.ts')]).then(
      ([{ SignInService: Loaded }, sdk]) => {
        const ports = { ...this.#ports, signIn, changed: this.#note.bind(this) };
        this.#loaded = new Loaded(ports, sdk);
        if (this.#isDisposed) this.#loaded.dispose();
        return this.#loaded;
      },
    );
    return this.#service;
  }

  #note(serverId: string, account: Account | undefined, isNews = false): void {
    if (account) this.#accounts.set(serverId, account);
    else this.#accounts.delete(serverId);
    this.#changed.fire(serverId);
    if (isNews) this.#ports.changedElsewhere(serverId);
  }
}

type Remote = Extract<TransportSpec, { readonly url: string }>;

function isRemote(transport: TransportSpec): transport is Remote {
  return 'url' in transport && transport.type !== 'ws';
}

function offOf({ headers, oauth }: Remote): SignInView['off'] {
  if (Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) return 'headers';
  return oauth === false ? 'entry' : undefined;
}
