import { toDisposable, type Disposable } from '../../base/disposable.ts';
import type { NamesInUse } from '../../catalog/names/lookAlikeTools.ts';
import type { ConfigProblem } from '../../config/configTypes.ts';
import type { HookedCall, CallHooks } from './callHooks.ts';
import { hasHooks } from './hookSettings.ts';
import type { CodeHook, HookPorts, HookVerdict } from './hookTypes.ts';

/** The hooks of the settings and of other extensions; what runs them is loaded when there is one. */
export class HookRegistry {
  readonly #ports: HookPorts;
  readonly #code = new Set<CodeHook>();
  #rounds: Promise<CallHooks> | undefined;

  constructor(ports: HookPorts) {
    this.#ports = ports;
  }

  /** Adds a hook of another extension: it can tighten, never allow. Disposing the result takes it away. */
  register(hook: CodeHook): Disposable {
    this.#code.add(hook);
    return toDisposable(() => this.#code.delete(hook));
  }

  /** Whether there is any hook at all. */
  get any(): boolean {
    return this.#code.size > 0 || hasHooks(this.#ports.settings().hooks);
  }

  /**
   * What the hooks before a call say together: the strictest decision, the last arguments. One that fails denies, unless
   * the setting says that failures are ignored; one that is missing or may have been meant for the call asks.
   */
  async before(call: HookedCall): Promise<HookVerdict> {
    return (await this.#load()).before(call);
  }

  /** What the hooks after a call make of its result. One that fails leaves a note, unless failures are ignored. */
  async after(call: HookedCall): Promise<HookVerdict> {
    return (await this.#load()).after(call);
  }

  /** What is wrong with the hooks of the settings, among the tools and servers that there are. */
  async problems(known: NamesInUse): Promise<readonly ConfigProblem[]> {
    return this.any ? (await this.#load()).problems(known) : [];
  }

  #load(): Promise<CallHooks> {
    return (this.#rounds ??= import('./callHooks.ts').then((loaded) => new loaded.CallHooks(this.#ports, this.#code)));
  }
}
