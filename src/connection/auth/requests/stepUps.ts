import type { AuthorizationHooks } from './authorization.ts';

type Sdk = typeof import('../../protocol/sdk.ts');

/** Asks the person for more scopes where a server wants them (403, `insufficient_scope`): once for the same, all callers together. */
export class StepUps {
  readonly #sdk: Sdk;
  readonly #stepUp: (scope: string) => Promise<boolean>;
  #running: { readonly scope: string; readonly done: Promise<boolean> } | undefined;
  /** Scopes that were asked for already: nobody is asked for them again. */
  readonly #asked = new Set<string>();
  /** The person wanted no more: a server that thinks up others isn't listened to. */
  #isDeclined = false;

  /** @param stepUp asks for these scopes, the granted ones among them; `false`: not granted */
  constructor(sdk: Sdk, stepUp: (scope: string) => Promise<boolean>) {
    this.#sdk = sdk;
    this.#stepUp = stepUp;
  }

  /**
   * @param wanted scopes that the server says it wants
   * @returns whether they are granted now
   */
  async ask(
    scopes: readonly string[] | undefined,
    wanted: string | undefined,
    hooks: AuthorizationHooks,
  ): Promise<boolean> {
    const granted = scopes?.join(' ');
    const union = this.#sdk.computeScopeUnion(granted, wanted);
    if (wanted === undefined || union === undefined || !this.#sdk.isStrictScopeSuperset(union, granted)) return false;
    if (this.#running?.scope === union) return this.#running.done;
    if (this.#isDeclined || this.#asked.has(union)) return false;
    this.#asked.add(union);
    const resume = hooks.onWaiting();
    const done = this.#stepUp(union)
      .then((isGranted) => {
        this.#isDeclined = !isGranted;
        return isGranted;
      })
      .finally(() => {
        this.#running = undefined;
        resume();
      });
    this.#running = { scope: union, done };
    return done;
  }

  /** Somebody signed in or out: what was asked before says no more. */
  forget(): void {
    this.#asked.clear();
    this.#isDeclined = false;
  }
}
