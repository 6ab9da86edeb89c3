import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../../base/disposable.ts';
import { messageOf } from '../../../base/errors.ts';
import { smallestModel } from '../../usableModels.ts';
import { Gateway, type GatewayPorts, type PublishedEndpoint } from '../gateway.ts';
import type { ExposureSettings } from '../listedTools.ts';
import { EditorHandOver } from './editorHandOver.ts';
import { labelsFor } from './endpointLabels.ts';
import { canDisableCopies } from './canDisableCopies.ts';
import { takesNamesFromServers } from './editorVersions.ts';
import { formWording } from './formWording.ts';
import type { SharedServer } from './handOverState.ts';
import { startInEditor } from './serverOptions.ts';
import { NOWHERE, standInsFor } from './standIns.ts';
import { StartedEndpoints, type StartableEndpoint } from './startedEndpoints.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Logger } from '../../../base/log.ts';
import type { KeyValueStore } from '../../../base/keyValueStore.ts';
import { editorDefinitionIds } from '../../../servers/editorDefinitionIds.ts';
import type { Host } from '../../../host/host.ts';

export interface GatewayProviderPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly log: Logger;
  /** Publisher and name of this extension. */
  readonly extensionId: string;
  readonly version: string;
  readonly settings: () => ExposureSettings & { readonly enabled: boolean; readonly agentHostSessions: boolean };
  /** The profile's `mcp.json`, which the editor reads, too. */
  readonly profileFile: string;
  /** Of this workspace. */
  readonly store: KeyValueStore;
}

/** The gateway as the editor sees it: what is published, under which labels, and whose copy of a server is enabled. */
export class EditorGateway implements Disposable {
  readonly handOver: EditorHandOver;
  readonly #ports: GatewayProviderPorts;
  readonly #disposables = new DisposableStore();
  readonly #started: StartedEndpoints;
  readonly #onDidPublish: () => void;
  #closing = new AbortController();
  #opening: Promise<void> | undefined;
  #gateway: Gateway | undefined;
  /** Labels of those that the editor was told. */
  #standIns: readonly string[] = [];

  /** @param onDidPublish the editor is to ask for the definitions */
  constructor(ports: GatewayProviderPorts, onDidPublish: () => void) {
    this.#ports = ports;
    this.#onDidPublish = onDidPublish;
    this.#started = this.#disposables.add(new StartedEndpoints(ports.clock, startInEditor));
    this.handOver = this.#disposables.add(
      new EditorHandOver({
        ...ports,
        shared: () => this.#shared(),
        editorIds: (serverId) => this.#editorIds(serverId),
        nameOf: (serverId) => ports.host.servers.get(serverId)?.name ?? serverId,
        startsNone,
      }),
    );
    this.#disposables.add(
      ports.host.servers.onDidChange(() => {
        if (this.#pendingStandIns().join('\n') !== this.#standIns.join('\n')) this.publish();
      }),
    );
  }

  get gateway(): Gateway | undefined {
    return this.#gateway;
  }

  /** Opens the gateway, unless that was tried before. Never rejects. */
  open(): Promise<void> {
    this.#opening ??= this.#openUntil(this.#closing.signal);
    return this.#opening;
  }

  async #openUntil(closing: AbortSignal): Promise<void> {
    try {
      const gateway = await openGateway(this.#ports);
      if (closing.aborted) {
        gateway.dispose();
        return;
      }
      this.#gateway = gateway;
      gateway.onDidChange(() => this.publish());
      this.publish();
    } catch (error) {
      this.#ports.log.log('error', `The gateway could not be opened: ${messageOf(error)}`);
    }
  }

  close(): void {
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#opening = undefined;
    this.#gateway?.dispose();
    this.#gateway = undefined;
    this.#onDidPublish();
  }

  /**
   * What the editor is told. It stops what it has started in another version, some time later, so what it isn't known to
   * have started in this one is started from here on.
   */
  definitions(): vscode.McpHttpServerDefinition[] {
    // Agent Host sessions take a definition as it is (VS Code 1.139), so the token is in it where they are served.
    const headers = this.#ports.settings().agentHostSessions ? this.#headers() : {};
    const published = [...this.#labels()].map(([endpoint, label]) => {
      const version = this.#versionFor(endpoint, label);
      const definition = new vscode.McpHttpServerDefinition(label, vscode.Uri.parse(endpoint.url), headers, version);
      return { definition, isInUse: () => this.#gateway?.isInUse(endpoint.serverId) === true };
    });
    const startable = published.map(({ definition, isInUse }) => this.#startable(definition, isInUse));
    this.#started.keepOnly(new Set(startable.map(({ definitionId }) => definitionId)));
    this.#started.startRest(startsNone() ? startable : []);
    this.#standIns = this.#pendingStandIns();
    const nowhere = vscode.Uri.parse(NOWHERE);
    return [
      ...published.map(({ definition }) => definition),
      ...this.#standIns.map((label) => new vscode.McpHttpServerDefinition(label, nowhere)),
    ];
  }

  /** The editor starts it. @returns `undefined` where nothing is to be started */
  resolve(definition: vscode.McpHttpServerDefinition): vscode.McpHttpServerDefinition | undefined {
    if (!this.#gateway) return undefined;
    if (definition.uri.toString() === NOWHERE) {
      // The editor has it enabled, so its own copy is off: that stays, also without this one.
      this.handOver.started(definition.label);
      this.#onDidPublish();
      return undefined;
    }
    this.#started.add(this.#startable(definition));
    // Where we have it start them, that says nothing of what is enabled.
    if (!startsNone()) this.handOver.started(definition.label);
    definition.headers = this.#headers();
    return definition;
  }

  publish(): void {
    this.#onDidPublish();
    this.handOver.published();
  }

  #startable(
    { label, uri, version = '' }: vscode.McpHttpServerDefinition,
    isInUse: () => boolean = () => true,
  ): StartableEndpoint {
    return { definitionId: this.#definitionId(label), url: uri.toString(), version, isInUse };
  }

  #definitionId(label: string): string {
    return `${this.#ports.extensionId}/${label}`;
  }

  /** Stays what it is while the editor is connected: it learns of changes there, and another version would end that. */
  #versionFor({ version, isInUse }: PublishedEndpoint, label: string): string {
    return (isInUse ? this.#started.versionOf(this.#definitionId(label)) : undefined) ?? version;
  }

  #headers(): Record<string, string> {
    return this.#gateway ? { authorization: `Bearer ${this.#gateway.token}` } : {};
  }

  #labels(): ReadonlyMap<PublishedEndpoint, string> {
    return labelsFor(this.#gateway?.endpoints ?? [], takesNamesFromServers(vscode.version));
  }

  #editorIds(serverId: string): readonly string[] {
    const entry = this.#ports.host.servers.get(serverId)?.entry;
    if (!entry) return [];
    const folders = (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath);
    return editorDefinitionIds(entry, this.#ports.profileFile, folders);
  }

  /**
   * An older editor can't be told whose copy is enabled. One whose automatic start is off is told, too: it offers to start its
   * own copy as long as that is enabled.
   */
  #shared(): readonly SharedServer[] {
    if (!canDisableCopies()) return [];
    const published = [...this.#labels()]
      .map(([{ serverId, serverName }, label]) => ({
        serverId,
        label,
        editorIds: this.#editorIds(serverId),
        hasOwnLabel: label !== serverName,
      }))
      .filter(({ editorIds }) => editorIds.length > 0);
    return [...published, ...this.#offHere()];
  }

  /** Servers whose copies in the editor are to be off, because they are off here. */
  #offHere(): readonly SharedServer[] {
    const { servers } = this.#ports.host;
    const isAsked = this.#gateway && servers.hosting === 'switchboard' && !startsNone();
    if (!isAsked || !canDisableCopies()) return [];
    return standInsFor(servers.definitions, this.#labels().values(), (serverId) => this.#editorIds(serverId));
  }

  /** Labels of those whose copies aren't off yet. */
  #pendingStandIns(): readonly string[] {
    return this.#offHere()
      .filter((server) => !this.handOver.isDone(server))
      .map(({ label }) => label);
  }

  dispose(): void {
    this.#closing.abort();
    this.#disposables.dispose();
    this.#gateway?.dispose();
  }
}

/** A running gateway that asks in the editor's words. */
async function openGateway(ports: Omit<GatewayPorts, 'wording'>): Promise<Gateway> {
  let contextTokens: number | undefined;
  const look = async (): Promise<void> => {
    contextTokens = (await smallestModel())?.maxInputTokens;
  };
  const gateway = new Gateway({
    ...ports,
    wording: formWording,
    settings: () => ({ ...ports.settings(), contextTokens }),
    onDidChangeSettings: (listener) => vscode.lm.onDidChangeChatModels(() => void look().then(listener)),
  });
  await gateway.start();
  void look().then(() => gateway.refresh());
  return gateway;
}

/** Whether the editor's own automatic start is off. */
function startsNone(): boolean {
  return vscode.workspace.getConfiguration('chat.mcp').get('autostart') === 'never';
}
