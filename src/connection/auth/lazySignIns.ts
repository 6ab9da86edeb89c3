import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { TransportSpec } from '../../config/configTypes.ts';
import type { ConnectionTarget } from '../connectionTypes.ts';
import type { SignInPorts } from './signInPorts.ts';
import type { SignIns, SignInView } from './signIns.ts';
import type { SignInService } from './signInService.ts';

export interface LazySignInPorts {
  /** Absent: nobody can sign in here. */
  readonly signIn: (() => Promise<SignInPorts>) | undefined;
  /** Loads what signs in. @throws SwitchboardError `unsupported` where nobody can */
  open(changed: (serverId: string) => void): Promise<SignInService>;
  /** What a server is reached with, as written. */
  transportOf(serverId: string): TransportSpec | undefined;
}

type Verb = Exclude<keyof SignIns, 'view' | 'onDidChange'>;

/** Signing in. Its code is loaded with the first use; the views are known without it. */
export class LazySignIns implements SignIns, Disposable {
  readonly #ports: LazySignInPorts;
  readonly #changed = new Emitter<string>();
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
    if (!this.#ports.signIn || !transport || !('url' in transport)) return undefined;
    if (Object.keys(transport.headers).some((name) => /^authorization$/i.test(name))) return { off: 'headers' };
    if (transport.oauth === false) return { off: 'entry' };
    return { ...this.#loaded?.viewOf(serverId) };
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
    this.#service ??= this.#ports.open((id) => this.#changed.fire(id)).then((service) => (this.#loaded = service));
    return this.#service;
  }
}
