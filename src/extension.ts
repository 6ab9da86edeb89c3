import * as os from 'node:os';
import * as vscode from 'vscode';
import type { SwitchboardExports } from './api.d.ts';
import { systemClock } from './base/clock.ts';
import { DisposableStore, LeakTracker } from './base/disposable.ts';
import { messageOf } from './base/errors.ts';
import type { KeyValueStore } from './base/keyValueStore.ts';
import { VersionedStore } from './base/versionedState.ts';
import { makeExports } from './bridge/api/exports.ts';
import { InCallAsker, askedWithin } from './bridge/callQuestions/inCallAsker.ts';
import { OutsideAccess } from './bridge/gateway/outside/outsideAccess.ts';
import { APPS, showsApps } from './bridge/gateway/editor/editorVersions.ts';
import { GatewayProvider } from './bridge/gateway/editor/gatewayProvider.ts';
import type { InputTurns } from './bridge/dialogs/inputTurns.ts';
import { registerParticipant } from './bridge/participant/participant.ts';
import type { EditorSignIn } from './bridge/signIn/editorSignIn.ts';
import { Elicitor } from './bridge/serverQuestions/elicitor.ts';
import { Sampler } from './bridge/sampling/sampler.ts';
import { registerLazyFiles, registerResourceFiles } from './bridge/resources/lazyDocuments.ts';
import { registerLmTools, type LmToolDeclaration } from './bridge/lmTools/lmTools.ts';
import { CloudReader } from './config/sources/cloudReader.ts';
import { Host } from './host/host.ts';
import { STATE_UPGRADES } from './host/stateUpgrades.ts';
import { EditorConfigPorts, onDidChangeRoots, workspaceFolders } from './platform/configPorts.ts';
import { readPolicies, readPresetSettings, readScopeOrder } from './platform/settings/configSettings.ts';
import { EditorCallSettings } from './platform/settings/editorCallSettings.ts';
import { VsCodeEditorPort } from './platform/editorPort.ts';
import {
  readEditorMcpSettings,
  readGatewaySettings,
  readHostSettings,
  readMaxSteps,
  readOutsideSettings,
  readSamplingSettings,
  readToolSettings,
} from './platform/settings/hostSettings.ts';
import { Logs } from './platform/outputChannels.ts';
import { CLOUD_TOKEN, EditorSecrets, MementoStore } from './platform/editorStores.ts';
import { FileStore } from './platform/fileStore.ts';
import { SettingsCache, ownValue } from './platform/settings/ownSettings.ts';
import { EditorValues } from './platform/editorInputs.ts';
import { registerCommands } from './ui/registerCommands.ts';
import { WhoHosts } from './ui/servers/whoHosts.ts';
import { registerReadOnlyText } from './bridge/registerReadOnlyText.ts';
import { LazyTree } from './ui/lazyTree.ts';
import { HookFollower } from './ui/permissions/hookFollower.ts';
import type { PermissionNode, PermissionsTree } from './ui/permissions/permissionsTree.ts';
import type { PLAN_SCHEME } from './ui/plan/plannedArguments.ts';
import type { ActivityNode } from './ui/activity/activityNodes.ts';
import type { ActivityTree } from './ui/activity/activityTree.ts';
import { helpWithFiles } from './ui/files/lazyFileHelp.ts';
import { ServersTree } from './ui/servers/serversTree.ts';
import { ServerSigns } from './ui/servers/signs/serverSigns.ts';
import { STOP_GRACE } from './connection/process/stopGrace.ts';

interface Manifest {
  readonly version: string;
  readonly contributes: {
    readonly languageModelTools: readonly LmToolDeclaration[];
    readonly commands: readonly { readonly command: string }[];
  };
}

let running: { readonly host: Host; readonly disposables: DisposableStore } | undefined;

/** What this extension's own tests get from `extension.exports`, in addition to the API (src/api.d.ts). */
export interface Exports extends SwitchboardExports {
  readonly host: Host;
  readonly tree: ServersTree;
  readonly activity: LazyTree<ActivityNode, ActivityTree>;
  readonly permissions: LazyTree<PermissionNode, PermissionsTree>;
  readonly gateway: GatewayProvider;
  readonly outside: OutsideAccess;
  /** Where each live disposable was created. */
  readonly leaks: () => readonly string[];
}

export function activate(context: vscode.ExtensionContext): SwitchboardExports | Exports {
  const tracker = context.extensionMode === vscode.ExtensionMode.Test ? new LeakTracker() : undefined;
  tracker?.install();
  const manifest = context.extension.packageJSON as Manifest;
  const disposables = new DisposableStore();
  const logs = disposables.add(new Logs());
  const kept = disposables.add(new SettingsCache());
  const editor = disposables.add(new VsCodeEditorPort(context.globalStorageUri, kept.keep(readEditorMcpSettings)));
  const versioned = (store: KeyValueStore): VersionedStore => new VersionedStore(store, logs.logger(), STATE_UPGRADES);
  const storeOf = (name: string): VersionedStore => {
    const folder = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, name).fsPath;
    return versioned(new FileStore(folder, logs.logger()));
  };
  const workspaceStore = versioned(new MementoStore(context.workspaceState));
  const profileStore = versioned(new MementoStore(context.globalState));
  const secrets = new EditorSecrets(context.secrets);
  const callSettings = disposables.add(new EditorCallSettings(workspaceStore));
  // Looked up at each call, because the editor patches it for its proxy and certificate settings.
  const currentFetch: typeof fetch = (input, init) => globalThis.fetch(input, init);
  const cloud = new CloudReader(
    { fetch: currentFetch, store: profileStore, token: () => secrets.get(CLOUD_TOKEN) },
    systemClock,
    logs.logger(),
  );
  let inputTurns: Promise<InputTurns> | undefined;
  const turns = (): Promise<InputTurns> =>
    (inputTurns ??= import('./bridge/dialogs/inputTurns.ts').then((module) => new module.InputTurns()));
  const elicitor = new Elicitor(turns);
  let editorSignIn: Promise<EditorSignIn> | undefined;
  const signIn = (): Promise<EditorSignIn> =>
    (editorSignIn ??= import('./bridge/signIn/editorSignIn.ts').then((module) =>
      disposables.add(
        new module.EditorSignIn({ clock: systemClock, secrets, extensionId: context.extension.id, turns }),
      ),
    ));
  const sampler: Sampler = disposables.add(
    new Sampler({
      clock: systemClock,
      store: workspaceStore,
      settings: kept.keep(readSamplingSettings),
      fingerprintOf: (serverId) => host.servers.get(serverId)?.fingerprint,
      inProgress: () => host.calls.inProgress,
      turns,
    }),
  );
  const host: Host = disposables.add(
    new Host({
      clock: systemClock,
      log: logs.logger(),
      serverLog: (name) => logs.logger(name),
      config: new EditorConfigPorts(context, cloud),
      store: workspaceStore,
      toolStore: storeOf('tools'),
      editor,
      asker: new InCallAsker({
        ask: async (question) =>
          (await import('./bridge/callQuestions/editorAsker.ts')).askInEditor(question, await turns()),
      }),
      requests: {
        elicit: (question) => {
          const { inProgress } = host.calls;
          return inProgress.asked(question, () => elicitor.elicit(question, inProgress));
        },
        sample: (question) => sampler.sample(question),
        rootsInCall: (question) => askedWithin('rootsInCall', question, host.calls.inProgress),
        samplingFor: (server) => sampler.capabilityFor(server),
        elicited: (server, elicitationId) => elicitor.elicited(server, elicitationId),
        get extensions() {
          const setting = vscode.workspace.getConfiguration('chat.mcp').get('apps.enabled');
          return showsApps(vscode.version, setting) ? APPS : undefined;
        },
      },
      calls: {
        settings: () => callSettings.read(),
        // Windows without a folder would share it.
        ...(context.storageUri ? { taskStore: storeOf('tasks') } : {}),
        resultsFolder: vscode.Uri.joinPath(context.globalStorageUri, 'results').fsPath,
        cwd: () => workspaceFolders()[0]?.path ?? os.homedir(),
      },
      platform: process.platform,
      environment: process.env,
      homeDir: os.homedir(),
      fetch: currentFetch,
      clientInfo: { name: 'mcp-switchboard', version: manifest.version },
      stateDir: context.globalStorageUri.fsPath,
      workspaceFolders,
      roots: () => ownValue('roots'),
      onDidChangeRoots,
      settings: kept.keep(readHostSettings),
      values: new EditorValues(secrets, turns),
      signIn,
      policies: kept.keep(readPolicies),
      scopeOrder: kept.keep(readScopeOrder),
      presets: kept.keep(readPresetSettings),
    }),
  );
  disposables.add(
    vscode.window.registerUriHandler({
      handleUri: async (uri) => (await import('./ui/takeUri.ts')).takeUri(uri, host, context, signIn),
    }),
  );
  const gatewaySettings = kept.keep(readGatewaySettings);
  const toolSettings = kept.keep(readToolSettings);
  const tree = disposables.add(new ServersTree(host, toolSettings, workspaceStore));
  const gateway = disposables.add(
    new GatewayProvider({
      host,
      clock: systemClock,
      log: logs.logger(),
      extensionId: context.extension.id,
      version: manifest.version,
      settings: gatewaySettings,
      profileFile: editor.profileFile,
      store: workspaceStore,
    }),
  );
  const outside = disposables.add(
    new OutsideAccess({
      open: async () => {
        const { openOutsideGateway } = await import('./bridge/gateway/outside/openOutsideGateway.ts');
        return openOutsideGateway({
          host,
          version: manifest.version,
          settings: kept.keep(readOutsideSettings),
          place: {
            folder: vscode.Uri.joinPath(context.globalStorageUri, 'outside').fsPath,
            workspaceId: context.storageUri?.fsPath ?? '',
            script: vscode.Uri.joinPath(context.extensionUri, 'dist', 'connect.js').fsPath,
          },
        });
      },
      log: logs.logger(),
      store: workspaceStore,
    }),
  );
  const whoHosts = new WhoHosts(host, gateway, profileStore);
  const activity = disposables.add(
    new LazyTree<ActivityNode, ActivityTree>('mcpSwitchboard.activity', async (view) => {
      const { ActivityTree: Loaded } = await import('./ui/activity/activityTree.ts');
      return new Loaded(host, callSettings, view);
    }),
  );
  const permissions = disposables.add(
    new LazyTree<PermissionNode, PermissionsTree>('mcpSwitchboard.permissions', async (view) => {
      const { PermissionsTree: Loaded } = await import('./ui/permissions/permissionsTree.ts');
      return new Loaded({ host, settings: callSettings, consents: sampler.consents }, view);
    }),
  );
  const serverSigns = disposables.add(new ServerSigns(host, tree.view, activity.view));
  disposables.add(
    registerLazyFiles(
      'mcp-switchboard-plan' satisfies typeof PLAN_SCHEME,
      async (changed) => new (await import('./ui/plan/planDocuments.ts')).PlanDocuments(host, changed),
      { isReadonly: false },
    ),
  );
  disposables.add(helpWithFiles({ host, extensionFolder: context.extensionUri, consents: sampler.consents }));
  disposables.add(registerReadOnlyText());
  const resourceFiles = disposables.add(registerResourceFiles(host));
  disposables.add(
    registerCommands(
      manifest.contributes.commands.map(({ command }) => command),
      {
        host,
        tree,
        resourceFiles,
        whoHosts,
        outside,
        signIn,
        turns,
        logs,
        secrets,
        callSettings,
        permissions,
        storage: context,
        isTest: context.extensionMode === vscode.ExtensionMode.Test,
      },
    ),
  );
  disposables.add(
    registerLmTools(host, manifest.contributes.languageModelTools, toolSettings, (id) => serverSigns.offerSignIn(id)),
  );
  disposables.add(
    registerParticipant(
      {
        host,
        exposure: () => gatewaySettings().exposure,
        maxSteps: readMaxSteps,
        fillPrompt: async (prompt, known) => (await import('./ui/items/runPrompt.ts')).fillMissing(host, prompt, known),
      },
      vscode.Uri.joinPath(context.extensionUri, 'media', 'icon.png'),
    ),
  );
  disposables.add(host.servers.onDidChange(() => void whoHosts.askOnce()));
  const hooks = disposables.add(new HookFollower(host, callSettings));
  running = { host, disposables };
  host.start().then(
    () => Promise.all([whoHosts.askOnce(), hooks.start()]),
    (error: unknown) => logs.logger().log('error', `Starting failed: ${messageOf(error)}`),
  );
  const exported = makeExports({
    host,
    log: logs.logger(),
    places: {
      place: async (scope) => (await import('./platform/configPlaces.ts')).writablePlace(context, scope),
    },
    extensionId: context.extension.id,
  });
  return tracker
    ? { ...exported, host, tree, activity, permissions, gateway, outside, leaks: () => tracker.leaks }
    : exported;
}

export async function deactivate(): Promise<void> {
  if (!running) return;
  const { host, disposables } = running;
  running = undefined;
  await host.stop(STOP_GRACE.deactivation);
  disposables.dispose();
}
