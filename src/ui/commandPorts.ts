import * as vscode from 'vscode';
import type { InputTurns } from '../bridge/dialogs/inputTurns.ts';
import type { EditorSignIn } from '../bridge/signIn/editorSignIn.ts';
import type { OutsideAccess } from '../bridge/gateway/outside/outsideAccess.ts';
import type { ResourceFiles } from '../bridge/resources/lazyDocuments.ts';
import type { Host } from '../host/host.ts';
import type { EditorCallSettings } from '../platform/settings/editorCallSettings.ts';
import type { Logs } from '../platform/outputChannels.ts';
import type { SecretStore } from '../servers/inputAnswers.ts';
import type { ExtensionStorage } from './add/addServer.ts';
import type { LazyTree } from './lazyTree.ts';
import type { PermissionNode, PermissionsTree } from './permissions/permissionsTree.ts';
import type { ServersTree } from './servers/serversTree.ts';
import type { WhoHosts } from './servers/whoHosts.ts';

/** What the commands need. */
export interface CommandPorts {
  readonly host: Host;
  readonly tree: ServersTree;
  readonly resourceFiles: ResourceFiles;
  readonly whoHosts: WhoHosts;
  readonly outside: OutsideAccess;
  readonly signIn: () => Promise<EditorSignIn>;
  /** Of all that asks in an input. */
  readonly turns: () => Promise<InputTurns>;
  readonly logs: Logs;
  readonly secrets: SecretStore;
  readonly callSettings: EditorCallSettings;
  readonly permissions: LazyTree<PermissionNode, PermissionsTree>;
  /** Where this extension keeps files, and what it is called. */
  readonly storage: ExtensionStorage;
  /** In tests a command that fails also rejects. */
  readonly isTest: boolean;
}

export type Commands = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** Says in the status bar that a command without anything to see is done. */
export function said(text: string): void {
  void vscode.window.setStatusBarMessage(text, 5_000);
}
