import type { Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Account, SignInOptions, SignIns, SignInView } from './signIns.ts';

/** Signing in, before its code is loaded. */
export class LazySignIns implements SignIns, Disposable {
  readonly #changed = new Emitter<string>();

  readonly onDidChange: Event<string> = this.#changed.event;

  view(_serverId: string): SignInView | undefined {
    return undefined;
  }

  async accountsOf(_serverId: string): Promise<readonly Account[]> {
    return [];
  }

  async signIn(_serverId: string, _options?: SignInOptions): Promise<Account> {
    throw notAvailable();
  }

  async switchAccount(_serverId: string, _accountId: string): Promise<void> {
    throw notAvailable();
  }

  async signOut(_serverId: string, _accountId?: string): Promise<{ readonly revoked: boolean }> {
    throw notAvailable();
  }

  async resetRegistration(_serverId: string): Promise<void> {
    throw notAvailable();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function notAvailable(): SwitchboardError {
  return new SwitchboardError('unsupported', 'Signing in is not available.');
}
