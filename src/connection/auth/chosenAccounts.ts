import type { KeyValueStore } from '../../base/keyValueStore.ts';
import type { Grant, Kept } from './grants/accountGrants.ts';

const PREFIX = 'signIn.account.';
/** A workspace that signed out isn't signed in again by what another one does. */
const SIGNED_OUT = 'signed-out';

/** Which account a workspace uses at each server. `binding`: what decides who gets the tokens of a server. */
export class ChosenAccounts {
  readonly #store: KeyValueStore;

  /** @param store of the workspace */
  constructor(store: KeyValueStore) {
    this.#store = store;
  }

  /**
   * The grant that this workspace uses: the one it chose, or the only one there is, which is its choice from then on. With
   * several and no choice nobody's is used: a call with the wrong account can't be taken back.
   */
  async of(binding: string, { grants }: Kept): Promise<Grant | undefined> {
    const chosen = this.#store.get(keyOf(binding));
    const grant = grants.find(({ id }) => id === chosen);
    if (grant || chosen === SIGNED_OUT) return grant;
    const [only, ...others] = grants;
    if (!only || others.length > 0) return undefined;
    await this.use(binding, only);
    return only;
  }

  async use(binding: string, { id }: Grant): Promise<void> {
    await this.#store.set(keyOf(binding), id);
  }

  /** No account is used until one is chosen. */
  async signOut(binding: string): Promise<void> {
    await this.#store.set(keyOf(binding), SIGNED_OUT);
  }

  /** Whether the workspace signed out, and in as nobody since. */
  isSignedOut(binding: string): boolean {
    return this.#store.get(keyOf(binding)) === SIGNED_OUT;
  }

  /** What was chosen at a server is chosen at the one that it has become. */
  async move(binding: string, to: string): Promise<void> {
    const chosen = this.#store.get(keyOf(binding));
    if (chosen === undefined) return;
    await this.#store.set(keyOf(to), chosen);
    await this.forget(binding);
  }

  /** Nothing was chosen. */
  async forget(binding: string): Promise<void> {
    await this.#store.set(keyOf(binding), undefined);
  }
}

function keyOf(binding: string): string {
  return PREFIX + binding;
}
