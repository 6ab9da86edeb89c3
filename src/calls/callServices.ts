import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { messageOf } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { Logger } from '../base/log.ts';
import type { Mask } from '../base/text/secrets.ts';
import type { KeyValueStore, ListedStore } from '../base/keyValueStore.ts';
import type { AuditFile } from './history/auditFile.ts';
import type { BrokerPorts } from './brokerTypes.ts';
import { CallsInProgress } from './scheduling/callsInProgress.ts';
import { FailedCalls } from './history/failedCalls.ts';
import type { SwitchboardEvent } from './switchboardEvents.ts';
import { Grants } from './policy/permissionGrants.ts';
import { History } from './history/callHistory.ts';
import { HookRegistry } from './hooks/hookRegistry.ts';
import { LazyBroker } from './lazyBroker.ts';
import { PlanMode } from './plan/planMode.ts';
import type { StoredCalls } from './plan/storedCalls.ts';
import type { ResultFiles } from './results/resultFiles.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from './callSettings.ts';
import type { CallOutcome } from './callTypes.ts';
import type { ScriptSwitch } from './script/scriptSwitch.ts';

/** Options for calls. */
export interface CallServicesOptions {
  settings?(): CallSettings;
  /** A folder of the extension's own, for results that are too large. */
  readonly resultsFolder?: string;
  /** Of the workspace: keeps what goes on as tasks; without it, that lasts as long as the window. */
  readonly taskStore?: ListedStore;
  /** The extension's storage, where hooks of the user run. */
  readonly stateDir?: string;
  /** The project's folder. */
  cwd?(): string;
  /** Masks the secrets that servers were given, in what is kept of calls; absent: none are known. */
  readonly mask?: Mask;
  /** Whether the user trusts that folder; absent: yes. */
  isTrusted?(): boolean;
  /** Why the allow and deny lists don't let a command line run. */
  denialOf?(commandLine: string): Promise<string | undefined>;
}

/** What a call needs of the rest of the core. */
export type CallPorts = Omit<BrokerPorts, 'settings' | 'storeResult' | 'storeFile' | 'store' | 'taskStore'>;

/** Calls and everything about them: broker, permissions, plan, hooks, history, failed calls. */
export class CallServices implements Disposable {
  readonly broker: LazyBroker;
  readonly grants: Grants;
  readonly inProgress = new CallsInProgress();
  readonly plan: PlanMode;
  readonly hooks: HookRegistry;
  readonly history: History;
  readonly failedCalls: FailedCalls;
  /** Absent before the first call that is written down. */
  audit: Promise<AuditFile> | undefined;
  readonly mask: Mask;
  #results: Promise<ResultFiles> | undefined;
  #stored: Promise<StoredCalls> | undefined;
  readonly #resultsFolder: string | undefined;
  readonly #taskStore: ListedStore | undefined;
  readonly #loadScripts: () => Promise<ScriptSwitch>;
  #scripts: Promise<ScriptSwitch> | undefined;
  readonly #clock: Clock;
  readonly #disposables = new DisposableStore();
  readonly #events = this.#disposables.add(new Emitter<SwitchboardEvent>());

  constructor(
    loadPorts: () => Promise<CallPorts>,
    clock: Clock,
    store: KeyValueStore,
    log: Logger,
    surroundings: CallServicesOptions = {},
  ) {
    const settings = (): CallSettings => surroundings.settings?.() ?? DEFAULT_CALL_SETTINGS;
    this.#loadScripts = async () =>
      this.#disposables.add(
        new (await import('./script/scriptSwitch.ts')).ScriptSwitch(store, () => surroundings.isTrusted?.() ?? true),
      );
    this.mask = surroundings.mask ?? ((text) => text);
    this.grants = this.#disposables.add(new Grants(store, this.mask));
    this.plan = this.#disposables.add(new PlanMode(store));
    this.history = this.#disposables.add(new History());
    this.failedCalls = this.#disposables.add(new FailedCalls(store, this.mask));
    this.#resultsFolder = surroundings.resultsFolder;
    const { taskStore } = surroundings;
    this.#taskStore = taskStore;
    this.#clock = clock;
    this.hooks = new HookRegistry({
      settings,
      cwd: () => surroundings.cwd?.() ?? process.cwd(),
      isTrusted: () => surroundings.isTrusted?.() ?? true,
      stateDir: surroundings.stateDir,
      denialOf: async (command) => surroundings.denialOf?.(command),
      sessionId: randomUUID(),
    });
    let isAuditTold = false;
    this.#disposables.add(
      this.history.onDidAdd((entry) => {
        if (settings().auditFile === undefined) return;
        this.audit ??= import('./history/auditFile.ts').then(({ openAuditFile }) =>
          openAuditFile(() => settings().auditFile, log),
        );
        const { audit } = this;
        audit.then(
          (file) => file.write(entry),
          (error: unknown) => {
            // The next call tries again.
            if (this.audit === audit) this.audit = undefined;
            if (!isAuditTold) log.log('warning', `No audit file: ${messageOf(error)}`);
            isAuditTold = true;
          },
        );
      }),
    );
    const storeResult: BrokerPorts['storeResult'] = (text) => this.#store(log, (results) => results.store(text));
    const storeFile: BrokerPorts['storeFile'] = (file) => this.#store(log, (results) => results.storeFile(file));
    this.broker = this.#disposables.add(
      new LazyBroker(async () => {
        const [{ Broker }, ports] = await Promise.all([import('./broker.ts'), loadPorts()]);
        return new Broker({ ...ports, settings, storeResult, storeFile, store, taskStore }, this);
      }),
    );
    this.#disposables.add(this.broker.onDidCall((event) => this.#events.fire(event)));
  }

  /** Whether models may run scripts; loaded when that is first of interest. */
  scripts(): Promise<ScriptSwitch> {
    return (this.#scripts ??= this.#loadScripts());
  }

  /** All events of calls, searches and connections. */
  get onDidHappen(): Event<SwitchboardEvent> {
    return this.#events.event;
  }

  /** Goes on with the tasks that earlier windows left, where there are any. */
  async resumeTasks(): Promise<void> {
    await this.#taskStore?.load();
    if (this.#taskStore?.keys().length) await this.broker.resumeTasks();
  }

  /** Where results that are too large for a model are stored; `undefined` without a folder for them. */
  async results(): Promise<ResultFiles | undefined> {
    const folder = this.#resultsFolder;
    if (folder === undefined) return undefined;
    this.#results ??= import('./results/resultFiles.ts').then(
      ({ ResultFiles: Loaded }) => new Loaded(folder, () => this.#clock.now()),
    );
    return this.#results;
  }

  /** Fires an event of another part: a search, a connection. */
  tell(event: SwitchboardEvent): void {
    this.#events.fire(event);
  }

  /** See `StoredCalls.runPlanned`. */
  async runPlanned(...args: Parameters<StoredCalls['runPlanned']>): Promise<CallOutcome> {
    return (await this.#storedCalls()).runPlanned(...args);
  }

  /** See `StoredCalls.runPlan`. */
  async runPlan(...args: Parameters<StoredCalls['runPlan']>): ReturnType<StoredCalls['runPlan']> {
    return (await this.#storedCalls()).runPlan(...args);
  }

  /** See `StoredCalls.retryFailed`. */
  async retryFailed(...args: Parameters<StoredCalls['retryFailed']>): Promise<CallOutcome | undefined> {
    return (await this.#storedCalls()).retryFailed(...args);
  }

  /** See `StoredCalls.runAgain`. */
  async runAgain(...args: Parameters<StoredCalls['runAgain']>): Promise<CallOutcome | undefined> {
    return (await this.#storedCalls()).runAgain(...args);
  }

  #storedCalls(): Promise<StoredCalls> {
    return (this.#stored ??= import('./plan/storedCalls.ts').then((loaded) => new loaded.StoredCalls(this)));
  }

  async #store(log: Logger, store: (results: ResultFiles) => Promise<string>): Promise<string | undefined> {
    try {
      const results = await this.results();
      return results && (await store(results));
    } catch (error) {
      log.log('warning', `A large result could not be stored: ${messageOf(error)}`);
      return undefined;
    }
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
