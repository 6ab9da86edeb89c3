import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { Mask } from '../base/text/secrets.ts';
import { nextTurn } from '../base/timeSlices.ts';
import { CallServices, type CallPorts } from '../calls/callServices.ts';
import { serverEvent } from '../calls/switchboardEvents.ts';
import type { Grants } from '../calls/policy/permissionGrants.ts';
import type { LazyBroker } from '../calls/lazyBroker.ts';
import type { ArgumentValidator } from '../calls/arguments/argumentValidator.ts';
import { Catalog } from '../catalog/catalog.ts';
import { CatalogCache } from '../catalog/catalogCache.ts';
import { CatalogFeed } from '../catalog/catalogFeed.ts';
import type { PinningMode } from '../catalog/pinningModes.ts';
import type { OpenChange } from '../catalog/toolPins.ts';
import { DEFAULT_LOADING, LoadedTools } from '../catalog/exposure/loadedTools.ts';
import type { NamesInUse } from '../catalog/names/lookAlikeTools.ts';
import type { SearchQuery } from '../catalog/search/toolSearch.ts';
import { ConfigLoader } from '../config/configLoader.ts';
import type { ConfigProblem, ServerEntry } from '../config/configTypes.ts';
import { LazySignIns } from '../connection/auth/lazySignIns.ts';
import type { SignIns } from '../connection/auth/signIns.ts';
import type { ConnectionPool } from '../connection/connectionPool.ts';
import type { Recorder } from '../connection/recording/recorder.ts';
import type { HostPorts } from './hostPorts.ts';
import type { Recording } from './wiring/openRecorder.ts';
import { variableContext, type ResolveContext } from '../servers/resolveEntry.ts';
import { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import { ServerValues } from '../servers/inputAnswers.ts';
import { viewOf, type ServerView } from './views/serverView.ts';
import { openFoldersOf, ReadyServers } from './wiring/readyServers.ts';
import { withFileRules } from './fileRules.ts';
import { problemsOf } from './hostProblems.ts';
import { openConnectionPool } from './wiring/openConnectionPool.ts';
import { WorkspacePreset } from './workspacePreset.ts';
import { ToolFinder, type FoundTools } from './toolFinder.ts';
import { STOP_GRACE, type StopGrace } from '../connection/process/stopGrace.ts';

/**
 * The core: definitions, connections, catalog and calls, wired in one direction. Runs in plain Node; the extension, the
 * tests and the benchmarks all drive this.
 */
export class Host implements Disposable {
  readonly servers: ServerRegistry;
  readonly config: ConfigLoader;
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  /** What of each server is in the catalog, and what of it changed. */
  readonly feed: CatalogFeed;
  /** What of the tools is in the model's own list for itself. */
  readonly loaded: LoadedTools;
  readonly calls: CallServices;
  readonly broker: LazyBroker;
  readonly grants: Grants;
  /** Signs in to servers, and knows their accounts. */
  readonly signIns: SignIns;
  /** Absent if there is no one to ask. */
  readonly values: ServerValues | undefined;
  /** Which servers and tools the user wants to use in this workspace. */
  readonly preset: WorkspacePreset;
  readonly #finder: ToolFinder;
  readonly #ready: ReadyServers;
  readonly #ports: HostPorts;
  readonly #disposables = new DisposableStore();
  readonly #changed = new Emitter<void>();
  #recording: Promise<Recording> | undefined;
  #validator: ArgumentValidator | Promise<ArgumentValidator> | undefined;
  #started: Promise<void> | undefined;

  constructor(ports: HostPorts) {
    this.#ports = ports;
    this.preset = new WorkspacePreset({
      store: ports.store,
      settings: () => ports.presets?.(),
      parts: () => this.catalog.parts,
      changed: () => {
        this.servers.refresh();
        this.#ready.reconcile();
      },
    });
    this.catalog = this.#disposables.add(new Catalog());
    this.feed = new CatalogFeed({
      catalog: this.catalog,
      cache: new CatalogCache(ports.toolStore ?? ports.store, ports.clock),
      definition: (serverId) => this.servers.get(serverId),
      connection: (serverId) => this.pool.get(serverId),
      connectsOnDemand: ({ entry }) => this.#ready.startModeOf(entry) === 'onDemand',
      pinning: this.#pinning,
      presetTools: (definition) => this.preset.toolsOf(definition),
    });
    this.config = this.#disposables.add(
      new ConfigLoader(ports.config, ports.clock, ports.log, (entry) => variableContext(entry, this.#ready.context)),
    );
    this.servers = this.#disposables.add(
      new ServerRegistry({
        config: this.config,
        store: ports.store,
        editor: ports.editor,
        clock: ports.clock,
        policies: () => ports.policies?.() ?? [],
        openFolders: () => openFoldersOf(ports),
        scopeOrder: () => ports.scopeOrder?.() ?? [],
        narrowed: (definitions) => this.preset.narrowed(definitions),
      }),
    );
    this.pool = this.#disposables.add(openConnectionPool(ports, this));
    this.values = ports.values && new ServerValues(ports.values);
    const signIns = this.#disposables.add(
      new LazySignIns({
        signIn: ports.signIn,
        open: async (changed) =>
          (await import('./signIn/signInTargets.ts')).openSignIns(ports, this, this.#ready, changed),
        transportOf: (serverId) => this.servers.get(serverId)?.entry.transport,
      }),
    );
    this.signIns = signIns;
    this.#ready = new ReadyServers({
      ...ports,
      servers: this.servers,
      pool: this.pool,
      catalog: this.catalog,
      feed: this.feed,
      values: this.values,
      signIns,
      reload: () => void this.config.reload(),
      changed: () => this.#changed.fire(),
    });
    this.#finder = this.#disposables.add(
      new ToolFinder({
        catalog: this.catalog,
        feed: this.feed,
        pool: this.pool,
        clock: ports.clock,
        views: () => this.views,
      }),
    );
    this.calls = this.#disposables.add(
      new CallServices(() => this.#callPorts(), ports.clock, ports.store, ports.log, {
        ...(ports.stateDir === undefined ? {} : { stateDir: ports.stateDir }),
        isTrusted: () => ports.editor.workspaceTrusted(),
        denialOf: async (line) => (await this.servers.denialOfLine(line))?.reason,
        mask: (text) => this.pool.mask(text),
        ...withFileRules(ports.calls, () => this.config.snapshot),
      }),
    );
    this.loaded = this.#disposables.add(
      new LoadedTools({
        catalog: this.catalog,
        rules: () => ports.settings().loading ?? DEFAULT_LOADING,
        onDidLoad: (names) => this.calls.tell({ type: 'tool.dynamicLoad', names }),
      }),
    );
    this.#disposables.add(
      // At the end of the call, when a server that it had to connect is there.
      this.calls.onDidHappen((event) => event.type === 'tool.result' && this.loaded.use([event.name])),
    );
    this.broker = this.calls.broker;
    this.grants = this.calls.grants;
    this.#disposables.add(this.#changed);
    this.#disposables.add(this.#ready.follow());
    this.#disposables.add(this.signIns.onDidChange(() => this.#changed.fire()));
    this.#disposables.add(this.pool.onDidEvent((event) => this.calls.tell(serverEvent(event))));
  }

  readonly #pinning = (): PinningMode => this.#ports.settings().toolPinning ?? 'warn';

  /** What a name could be taken for. */
  readonly namesInUse: NamesInUse = {
    tools: () => this.catalog.tools,
    servers: () => this.servers.definitions.map(({ entry }) => entry.name),
  };

  /** Fires when anything that a view of the servers shows may have changed. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** Reads the configuration and starts what may start. Doesn't wait for the servers. Idempotent. */
  start(): Promise<void> {
    this.#started ??= this.#begin();
    return this.#started;
  }

  async #begin(): Promise<void> {
    // In a slice of its own, after who activates this.
    await nextTurn();
    // What was approved of the tools has to be known before the first server lists any.
    const [{ openCatalog }] = await Promise.all([
      import('./wiring/openCatalog.ts'),
      this.#ports.toolStore?.load(),
      this.preset.open(),
    ]);
    const { prompts, skills } = openCatalog(this.#ports, this, this.#pinning);
    for (const each of [prompts, skills]) this.#disposables.add(each.onDidChange(() => this.#changed.fire()));
    if (this.#disposables.isDisposed) return;
    await this.config.start();
    await this.servers.judged();
    this.#ready.reconcile();
    void this.calls.resumeTasks();
  }

  /** Stops every server, and writes down what is to be remembered; a second call escalates. */
  async stop(grace: StopGrace = STOP_GRACE.orderly): Promise<void> {
    await Promise.all([
      this.pool.stopAll(grace),
      this.#ports.toolStore?.flush(),
      this.#recording?.then(({ recorder }) => recorder.close()),
    ]);
  }

  /** Every server that any source defines, in the order of the definitions. */
  get views(): readonly ServerView[] {
    return this.servers.definitions.map((definition) => this.#viewOf(definition));
  }

  /** Everything that is wrong in the sources, variables without a value and rules that fit no tool included. */
  get problems(): readonly ConfigProblem[] {
    return problemsOf(this.config.snapshot, this.servers.definitions, this.variables, this);
  }

  /** What variables are replaced by, and where. */
  get variables(): ResolveContext {
    return this.#ready.context;
  }

  /** The files of the open folders that a server is started with: they can change after it was approved. */
  async filesOf(entry: ServerEntry): Promise<readonly string[]> {
    return (await import('../servers/trust/folderFiles.ts')).filesOfServer(entry, this.#ready.context);
  }

  #viewOf(definition: ServerDefinition): ServerView {
    const view = viewOf(definition, this.pool.get(definition.id));
    return this.preset.seen(view, this.catalog);
  }

  view(id: string): ServerView | undefined {
    const definition = this.servers.get(id);
    return definition && this.#viewOf(definition);
  }

  /**
   * Searches the tools of all connected servers, waiting a moment for those still connecting.
   * @throws SwitchboardError `invalid-arguments` for a pattern that isn't one
   */
  search(query: SearchQuery, signal?: AbortSignal): Promise<FoundTools> {
    return this.#finder.search(query, signal);
  }

  /** Resolves when no server is connecting, or after 3 seconds. */
  settled(signal?: AbortSignal): Promise<void> {
    return this.#finder.settled(signal);
  }

  /** What a server offers may be another: the catalog and the views follow. */
  refreshTools(serverId: string): void {
    this.#ready.refreshTools(serverId);
  }

  /** A setting may be another one: about the catalog, or about when servers start. */
  settingsChanged(): void {
    this.preset.settingsChanged();
    this.#ready.reconcile();
  }

  /** The user has reviewed a change as it is now. @returns whether it still was the one that waits */
  acceptChange(serverId: string, open: OpenChange): boolean {
    const { name } = open.change;
    if (!this.feed.openChangesOf(serverId).includes(open)) return false;
    if (open.of === 'tool') this.feed.accept(serverId, [name]);
    else this.feed[`${open.of}s`].accept(serverId, name);
    this.#changed.fire();
    return true;
  }

  /** Tells what happens between servers and us, and keeps the last of it. Loaded with the first start of a server. */
  async recorder(): Promise<Recorder> {
    return (await this.recording()).recorder;
  }

  /** The recorder, and what traces. */
  recording(): Promise<Recording> {
    return (this.#recording ??= import('./wiring/openRecorder.ts').then(({ openRecorder }) =>
      openRecorder(this, this.#ports, this.#disposables),
    ));
  }

  async #callPorts(): Promise<CallPorts> {
    return (await import('./wiring/brokerPorts.ts')).brokerPorts(this, this.#ports);
  }

  /** A server that runs the same as before has another name: what was decided and is known about it goes with it. */
  async renamed(from: ServerDefinition, to: ServerDefinition): Promise<void> {
    await (await import('./renamedServer.ts')).moveServerState(this.#ports, this, from, to);
  }

  /** What the approval of a server changes beside that it runs, a line each. */
  async consequencesOf(serverId: string): Promise<readonly string[]> {
    const { consequencesOfApproval } = await import('./approvalConsequences.ts');
    return consequencesOfApproval(serverId, this, this.#ports);
  }

  /** Masks the user's own secrets, in what the user is shown of a model's arguments. */
  readonly mask: Mask = (text) => this.#ready.mask(text);

  /** One sentence per mistake in `args` against a JSON schema; loads the validator on first use, and knows a schema from its first one on. */
  validate(schema: JsonObject, args: JsonObject): readonly string[] | Promise<readonly string[]> {
    const validator = (this.#validator ??= import('../calls/arguments/argumentValidator.ts').then(
      (loaded) => (this.#validator = this.#disposables.add(new loaded.ArgumentValidator())),
    ));
    return validator instanceof Promise
      ? validator.then((ready) => ready.validate(schema, args))
      : validator.validate(schema, args);
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}
