import * as vscode from 'vscode';
import { messageOf } from '../base/errors.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { OutsideAccess } from '../bridge/gateway/outside/outsideAccess.ts';
import type { ResourceFiles } from '../bridge/resources/resourceFiles.ts';
import type { SamplingConsents } from '../bridge/sampling/samplingConsents.ts';
import type { SourceOptions } from '../config/configSources.ts';
import type { Host } from '../host/host.ts';
import type { EditorCallSettings } from '../platform/editorCallSettings.ts';
import type { Logs } from '../platform/logs.ts';
import type { SecretStore } from '../servers/inputValues.ts';
import { callCommands } from './calls/callCommands.ts';
import { catalogCommands } from './tools/catalogCommands.ts';
import type { Hosting } from './servers/whoHosts.ts';
import { offerCommands } from './items/offerCommands.ts';
import { setCloudToken } from './config/cloudToken.ts';
import { serverCommands } from './servers/serverCommands.ts';
import type { ServersTree } from './servers/serversTree.ts';

export interface CommandContext {
  readonly host: Host;
  readonly tree: ServersTree;
  readonly resourceFiles: ResourceFiles;
  readonly hosting: Hosting;
  readonly outside: OutsideAccess;
  readonly logs: Logs;
  readonly secrets: SecretStore;
  readonly callSettings: EditorCallSettings;
  readonly consents: SamplingConsents;
  /** Which sources there are now. */
  readonly sourceOptions: () => SourceOptions;
}

/** Registers every command of the manifest. A command that fails says so, instead of failing silently. */
export function registerCommands(context: CommandContext): Disposable {
  const store = new DisposableStore();
  for (const [id, run] of Object.entries(commandsOf(context))) {
    store.add(
      vscode.commands.registerCommand(id, async (...args: unknown[]) => {
        try {
          return await run(...args);
        } catch (error) {
          context.logs.logger().log('error', `${id}: ${messageOf(error)}`);
          void vscode.window.showErrorMessage(messageOf(error));
          return undefined;
        }
      }),
    );
  }
  return store;
}

function commandsOf({
  host,
  tree,
  resourceFiles,
  hosting,
  outside,
  logs,
  secrets,
  callSettings,
  consents,
  sourceOptions,
}: CommandContext): Record<string, (...args: unknown[]) => unknown> {
  return {
    ...serverCommands(host, logs),
    ...callCommands(host, callSettings, consents),
    ...catalogCommands(host, tree),
    ...offerCommands(host, resourceFiles),
    'mcpSwitchboard.addServer': async (line) =>
      (await import('./config/addServerDialog.ts')).addServerInteractively(host, typeof line === 'string' ? line : ''),
    'mcpSwitchboard.importServers': async () =>
      (await import('./config/importDialog.ts')).importInteractively(sourceOptions()),
    'mcpSwitchboard.openProjectConfig': async () =>
      (await import('./servers/serverActions.ts')).openConfigFile('project'),
    'mcpSwitchboard.openWorkspaceConfig': async () =>
      (await import('./servers/serverActions.ts')).openConfigFile('workspace'),
    'mcpSwitchboard.openUserConfig': async () => (await import('./servers/serverActions.ts')).openUserSetting(),
    'mcpSwitchboard.review': async (ids) =>
      (await import('./servers/approvals.ts')).reviewServers(host, Array.isArray(ids) ? (ids as string[]) : undefined),
    'mcpSwitchboard.manageApprovals': async () => (await import('./servers/approvals.ts')).manageApprovals(host),
    'mcpSwitchboard.chooseHost': () => hosting.choose(),
    'mcpSwitchboard.copyGatewayAddress': async () => (await import('./gatewayAddress.ts')).copyGatewayAddress(outside),
    'mcpSwitchboard.revokeGatewayAddress': async () =>
      (await import('./gatewayAddress.ts')).revokeGatewayAddress(outside),
    'mcpSwitchboard.refresh': () => host.config.reload(),
    'mcpSwitchboard.forgetInputs': () => host.values?.forget(host.views.map(({ definition }) => definition.entry)),
    'mcpSwitchboard.setCloudToken': () => setCloudToken(host, secrets),
    'mcpSwitchboard.doctor': async () => (await import('./config/doctorCommand.ts')).showDoctor(host, sourceOptions()),
  };
}
