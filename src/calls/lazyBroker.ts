import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { Broker } from './broker.ts';
import type { SwitchboardEvent } from './switchboardEvents.ts';
import type { ItemRequest } from './itemRequest.ts';
import type { RunningTasks } from './tasks/runningTasks.ts';
import type { ResultPart } from './results/resultParts.ts';
import type { CallOutcome, ToolCall } from './callTypes.ts';
import type { ScriptCaller } from './script/scriptRun.ts';

/** The broker as everybody else sees it: the way that calls go, loaded with the first one. */
export class LazyBroker implements Disposable {
  readonly #load: () => Promise<Broker>;
  readonly #events = new Emitter<SwitchboardEvent>();
  readonly #kept = new Emitter<void>();
  #broker: Promise<Broker> | undefined;
  #loaded: Broker | undefined;

  constructor(load: () => Promise<Broker>) {
    this.#load = load;
  }

  /** Calls as they begin, and as they end. */
  get onDidCall(): Event<SwitchboardEvent> {
    return this.#events.event;
  }

  /** How many requests went to servers, repeated ones counted each time. */
  get sent(): number {
    return this.#loaded?.sent ?? 0;
  }

  /** See `Broker.call`. */
  call(call: ToolCall): Promise<CallOutcome> {
    return this.#loaded?.call(call) ?? this.#ready().then((broker) => broker.call(call));
  }

  /** See `Broker.callForUser`. */
  async callForUser(call: ToolCall, stamp?: string): Promise<CallOutcome> {
    return (this.#loaded ?? (await this.#ready())).callForUser(call, stamp);
  }

  /** The calls that go on as tasks. */
  async tasks(): Promise<RunningTasks> {
    return (await this.#ready()).tasks;
  }

  /** See `Broker.resumeTasks`. */
  async resumeTasks(): Promise<void> {
    return (await this.#ready()).resumeTasks();
  }

  /** Fires when there is a task that a caller may ask for. */
  get onDidKeepTask(): Event<void> {
    return this.#kept.event;
  }

  /** See `Broker.runScript`. */
  async runScript(source: string, caller: ScriptCaller): Promise<CallOutcome> {
    return (await this.#ready()).runScript(source, caller);
  }

  /** See `Broker.request`. */
  async request(request: ItemRequest): Promise<JsonObject> {
    return (await this.#ready()).request(request);
  }

  /** See `Broker.permitted`. */
  async permitted<T>(request: ItemRequest, send: (params: JsonObject) => Promise<T>): Promise<T> {
    return (await this.#ready()).permitted(request, send);
  }

  /** See `Broker.checkList`. */
  async checkList(...[serverId, method, params]: Parameters<Broker['checkList']>): Promise<void> {
    (await this.#ready()).checkList(serverId, method, params);
  }

  /** See `Broker.withFiles`. */
  async withFiles(parts: readonly ResultPart[]): Promise<readonly ResultPart[]> {
    return (await this.#ready()).withFiles(parts);
  }

  /** See `Broker.limited`. */
  async limited(parts: readonly ResultPart[]): Promise<readonly ResultPart[]> {
    return (await this.#ready()).limited(parts);
  }

  #ready(): Promise<Broker> {
    this.#broker ??= this.#load().then((broker) => {
      broker.onDidCall((event) => this.#events.fire(event));
      broker.tasks.onDidKeep(() => this.#kept.fire());
      this.#loaded = broker;
      return broker;
    });
    return this.#broker;
  }

  dispose(): void {
    this.#loaded?.dispose();
    this.#events.dispose();
    this.#kept.dispose();
  }
}
