import type { Clock } from '../base/clock.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { KeyValueStore } from '../base/keyValueStore.ts';
import type { ConfigLoader } from '../config/configLoader.ts';
import { SCOPES, type Scope, type ServerEntry, type TransportSpec } from '../config/configTypes.ts';
import { AddedServers, type AddingExtension, type ServerFactory, type SessionDetails } from './addedServers.ts';
import { DecisionStore, type Approval } from './trust/decisionStore.ts';
import { diffDefinitions, isEmptyChange, mergeServers } from './merge/mergeServers.ts';
import type { OpenFolders } from './trust/folderDependence.ts';
import { EntryFactsCache } from './merge/entryFacts.ts';
import type { PolicyJudge, PolicyVerdict } from './trust/policyVerdict.ts';
import { filePolicies, type ServerPolicy } from './trust/serverPolicy.ts';
import type { HostingChoice, ServerDefinition, ServersChange } from './serverTypes.ts';

/** What the registry asks of the editor. */
export interface EditorPort {
  workspaceTrusted(): boolean;
  /** Whether the editor's own MCP support hosts this server: it would start it or, where the user chose it, has it. */
  editorHosts(entry: ServerEntry, isChosen: boolean): boolean;
  /** One of the two answers may be another now. */
  readonly onDidChange: Event<void>;
}

export interface RegistryOptions {
  readonly config: ConfigLoader;
  /** Lasts as long as the workspace. */
  readonly store: KeyValueStore;
  readonly editor: EditorPort;
  readonly clock: Clock;
  /** The scopes, highest first; asked at every merge. */
  readonly scopeOrder?: () => readonly Scope[];
  /** The folders that are open; asked at every merge. */
  readonly openFolders?: () => OpenFolders;
  /** Allow and deny lists beside those of the managed file; asked at every merge. */
  readonly policies?: () => readonly ServerPolicy[];
  /** The servers as the active preset leaves them; asked at every merge. */
  readonly narrowed?: (definitions: ServerDefinition[]) => ServerDefinition[];
}

/** A decision about one server, as it is listed. */
export interface ListedApproval extends Approval {
  readonly id: string;
  /** The server as it is defined now; absent where it is gone. */
  readonly definition?: ServerDefinition;
}

/** Every server that is defined now, and what the user has decided about it. */
export class ServerRegistry implements Disposable {
  readonly #options: RegistryOptions;
  readonly #decisions: DecisionStore;
  readonly #subscriptions = new DisposableStore();
  readonly #changed = new Emitter<ServersChange>();
  readonly #facts = new EntryFactsCache();
  readonly #added = new AddedServers();
  /** By id: the fingerprint that an edit of ours is about to give an approved server; see `keepApproved`. */
  readonly expected = new Map<string, string>();
  #judge: PolicyJudge | undefined;
  #byId: ReadonlyMap<string, ServerDefinition> = new Map();
  #definitions: readonly ServerDefinition[] = [];

  constructor(options: RegistryOptions) {
    this.#options = options;
    this.#decisions = new DecisionStore(options.store);
    this.#subscriptions.add(options.config.onDidChange(() => this.#update()));
    this.#subscriptions.add(options.editor.onDidChange(() => this.#update()));
    if (options.config.snapshot.results.length > 0) this.#update();
  }

  /** Ordered by scope, then source, then as in the file. A definition that nothing changed stays the same object. */
  get definitions(): readonly ServerDefinition[] {
    return this.#definitions;
  }

  readonly onDidChange: Event<ServersChange> = this.#changed.event;

  get hosting(): HostingChoice {
    return this.#decisions.hosting();
  }

  get(id: string): ServerDefinition | undefined {
    return this.#byId.get(id);
  }

  /** Merges anew, e.g. after a setting that matters has changed. */
  refresh(): void {
    this.#update();
  }

  /**
   * Lets these servers run as they are defined now. Ids that don't exist are passed over.
   * @param seen fingerprints, by id, of what the user was shown: a server that has changed since isn't approved
   */
  approve(ids: readonly string[], seen?: ReadonlyMap<string, string>): Promise<void> {
    return this.#decide(
      ids.filter((id) => seen === undefined || seen.get(id) === this.#byId.get(id)?.fingerprint),
      'approved',
    );
  }

  /** Keeps these servers from running as they are defined now. */
  reject(ids: readonly string[]): Promise<void> {
    return this.#decide(ids, 'rejected');
  }

  /** What else may run servers of these files. */
  get editor(): EditorPort {
    return this.#options.editor;
  }

  /** The servers as they would be if this were chosen to host those that the editor would start, too. */
  ifHostedBy(hosting: HostingChoice): readonly ServerDefinition[] {
    return this.#merged(hosting);
  }

  /** The same, and this one were approved as it is. */
  ifApproved(id: string, hosting: HostingChoice): readonly ServerDefinition[] {
    const fingerprint = this.#byId.get(id)?.fingerprint ?? '';
    return this.#merged(hosting, new Map([[id, { fingerprint, verdict: 'approved' }]]));
  }

  /** Every decision that is kept, also about servers that are gone. */
  get approvals(): readonly ListedApproval[] {
    return [...this.#decisions.approvals()].map(([id, approval]) => {
      const definition = this.#byId.get(id);
      return { id, ...approval, ...(definition ? { definition } : {}) };
    });
  }

  /**
   * What the allow and deny lists say of a server with its variables replaced: ask before starting it, since a variable
   * may stand for what a list denies.
   */
  async denialOf(id: string, spec: TransportSpec): Promise<PolicyVerdict | undefined> {
    const entry = this.#byId.get(id)?.entry;
    if (!entry || entry.scope === 'enterprise') return undefined;
    const names = this.#definitions.map((definition) => definition.entry.name);
    const subject = { name: entry.name, transport: spec, names };
    return (await this.#judgeFor(this.#policies()))?.policyVerdict(subject, this.#policies());
  }

  /** What the lists say of a command line that isn't a server's, such as a hook's. */
  async denialOfLine(line: string): Promise<PolicyVerdict | undefined> {
    return (await this.#judgeFor(this.#policies()))?.lineVerdict(line, this.#policies());
  }

  /** Resolves when every server is judged by the lists. */
  async judged(): Promise<void> {
    await this.#judgeFor(this.#policies());
  }

  async #judgeFor(policies: readonly ServerPolicy[]): Promise<PolicyJudge | undefined> {
    if (policies.length === 0) return undefined;
    if (!this.#judge) {
      this.#judge = await import('./trust/policyVerdict.ts');
      if (!this.#subscriptions.isDisposed) this.#update();
    }
    return this.#judge;
  }

  #policies(): readonly ServerPolicy[] {
    const { config, policies } = this.#options;
    return [...filePolicies(config.snapshot), ...(policies?.() ?? [])];
  }

  /** Forgets what was decided about this server: it asks again. */
  async revokeApproval(id: string): Promise<void> {
    const approvals = new Map(this.#decisions.approvals());
    if (approvals.delete(id)) await this.#save(this.#decisions.setApprovals(approvals));
  }

  /** Gives back a decision that was revoked: it holds for the server as it was then. One that was made since stays. */
  async restoreApproval(id: string, approval: Approval): Promise<void> {
    const approvals = new Map(this.#decisions.approvals());
    if (!approvals.has(id)) await this.#save(this.#decisions.setApprovals(approvals.set(id, approval)));
  }

  /** Turns a server off or on for this workspace; its file stays as it is. */
  async setDisabled(id: string, disabled: boolean): Promise<void> {
    const ids = new Set(this.#decisions.disabled());
    if (disabled) ids.add(id);
    else ids.delete(id);
    await this.#save(this.#decisions.setDisabled(ids));
  }

  /** Says who hosts the servers that the editor would start, too. */
  async setHosting(choice: HostingChoice): Promise<void> {
    await this.#save(this.#decisions.setHosting(choice));
  }

  /**
   * Adds a server that lasts as long as this object; adding it approves it. One of the same name is replaced.
   * @param details its inputs and the like
   * @returns its id
   */
  addForSession(name: string, spec: TransportSpec, details?: SessionDetails): string {
    const id = this.#added.addForPerson(name, spec, details);
    this.#update();
    return id;
  }

  /**
   * Adds a server of another extension, which lasts as long as this object and needs an approval.
   * @param create makes the server, where it is in this process
   * @returns its id
   * @throws SwitchboardError `invalid-arguments` where the extension has one of that name
   */
  addForExtension(extension: AddingExtension, name: string, spec: TransportSpec, create?: ServerFactory): string {
    const id = this.#added.addForExtension(extension, name, spec, create);
    this.#update();
    return id;
  }

  /** What makes the server of this id in this process; `undefined` for any other. */
  factoryOf(id: string): ServerFactory | undefined {
    return this.#added.factory(id);
  }

  /** Takes a server away that was added at run time. */
  removeAdded(id: string): void {
    if (this.#added.remove(id)) this.#update();
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#changed.dispose();
  }

  async #decide(ids: readonly string[], verdict: Approval['verdict']): Promise<void> {
    // Looked up now: what is defined meanwhile was not judged.
    const definitions = ids.flatMap((id) => this.#byId.get(id) ?? []);
    const { describeLaunch } = await import('./trust/summary/launchSummary.ts');
    const approvals = new Map(this.#decisions.approvals());
    const at = this.#options.clock.now();
    for (const { id, fingerprint, entry, status } of definitions)
      if (status.kind !== 'problem') approvals.set(id, { fingerprint, verdict, launch: describeLaunch(entry), at });
    await this.#save(this.#decisions.setApprovals(approvals));
  }

  /** The store answers with the new value as soon as writing has begun, so the change shows at once. */
  async #save(written: Promise<void>): Promise<void> {
    this.#update();
    await written;
    this.#update();
  }

  #update(): void {
    const { definitions, change } = diffDefinitions(this.#byId, this.#merged(this.hosting));
    this.#definitions = definitions;
    this.#byId = new Map(definitions.map((definition) => [definition.id, definition]));
    if (!isEmptyChange(change)) this.#changed.fire(change);
  }

  /**
   * @param hosting who hosts what the editor would start, too
   * @param also decisions that count as if they had been made
   */
  #merged(hosting: HostingChoice, also?: ReadonlyMap<string, Approval>): ServerDefinition[] {
    const { config, editor, scopeOrder, policies, openFolders, narrowed } = this.#options;
    if (!this.#judge) void this.judged();
    const approvals = this.#decisions.approvals();
    const disabled = this.#decisions.disabled();
    const snapshot = { results: [...config.snapshot.results, ...this.#added.results()] };
    const merged = mergeServers(
      snapshot,
      {
        workspaceTrusted: editor.workspaceTrusted(),
        ...(openFolders ? { openFolders: openFolders() } : {}),
        hosting,
        editorHosts: (entry) => editor.editorHosts(entry, hosting === 'editor'),
        approval: (id, fingerprint) =>
          this.expected.get(id) === fingerprint
            ? { fingerprint, verdict: 'approved' }
            : (also?.get(id) ?? this.#added.approval(id) ?? approvals.get(id)),
        isDisabled: (id) => disabled.has(id),
        policies: policies?.() ?? [],
        ...(this.#judge ? { judge: this.#judge } : {}),
      },
      scopeOrder?.() ?? SCOPES,
      (entry) => this.#facts.of(entry),
    );
    // After everything else: a preset takes servers away, and adds none.
    return narrowed ? narrowed(merged) : merged;
  }
}
