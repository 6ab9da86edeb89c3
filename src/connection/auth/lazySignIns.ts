import type { Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { TransportSpec } from '../../config/configTypes.ts';
import type { ConnectionTarget } from '../connectionTypes.ts';
import type { Account, SignIns, SignInView } from './signIns.ts';
import type { SignInService, SignInServicePorts } from './signInService.ts';

export interface LazySignInPorts {
  /** Loads what signs in; absent: nobody can sign in here. */
  readonly open: ((changed: SignInServicePorts['changed']) => Promise<SignInService>) | undefined;
  /** What a server is reached with, as written. */
  transportOf(serverId: string): TransportSpec | undefined;
}

type Verb = Exclude<keyof SignIns, 'view' | 'onDidChange'>;

/** Signing in. Its code is loaded with the first use; the views are known without it. */
export class LazySignIns implements SignIns, Disposable {
  readonly #ports: LazySignInPorts;
  readonly #changed = new Emitter<string>();
  readonly #accounts = new Map<string, Account>();
  #service: Promise<SignInService> | undefined;
  #loaded: SignInService | undefined;

  readonly onDidChange: SignIns['onDidChange'] = this.#changed.event;

  constructor(ports: LazySignInPorts) {
    this.#ports = ports;
  }

  /** What a connection needs to be authorized by a sign-in; nothing where its definition leaves no room for that. */
  targetOf(serverId: string): Pick<ConnectionTarget, 'authorization' | 'isSignedIn'> {
    const view = this.view(serverId);
    if (!view || view.off) return {};
    return {
      authorization: async (spec) => (await this.#load()).authorizationFor(serverId, spec),
      isSignedIn: async () => (await this.#load()).isSignedIn(serverId),
    };
  }

  view(serverId: string): SignInView | undefined {
    const transport = this.#ports.transportOf(serverId);
    if (!this.#ports.open || !transport || !('url' in transport) || transport.type === 'ws') return undefined;
    if (Object.keys(transport.headers).some((name) => /^authorization$/i.test(name))) return { off: 'headers' };
    if (transport.oauth === false) return { off: 'entry' };
    const account = this.#accounts.get(serverId);
    return { ...(account ? { account } : {}), ...(this.#loaded?.isRunning(serverId) ? { inProgress: true } : {}) };
  }

  readonly accountsOf = this.#verb('accountsOf');
  readonly signIn = this.#verb('signIn');
  readonly switchAccount = this.#verb('switchAccount');
  readonly signOut = this.#verb('signOut');
  readonly resetRegistration = this.#verb('resetRegistration');

  dispose(): void {
    void this.#service?.then((service) => service.dispose());
    this.#changed.dispose();
  }

  #verb<K extends Verb>(name: K): SignIns[K] {
    type Call = (...args: unknown[]) => Promise<unknown>;
    const call: Call = async (...args) => ((await this.#load()) as unknown as Record<K, Call>)[name](...args);
    return call as SignIns[K];
  }

  #load(): Promise<SignInService> {
    const { open } = this.#ports;
    if (!open) throw new SwitchboardError('unsupported', 'There is no sign-in here.');
    this.#service ??= open((serverId, account) => {
      if (account) this.#accounts.set(serverId, account);
      else this.#accounts.delete(serverId);
      this.#changed.fire(serverId);
    }).then((service) => (this.#loaded = service));
    return this.#service;
  }
}
