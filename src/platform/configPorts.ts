import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Debouncer } from '../base/async.ts';
import { systemClock } from '../base/clock.ts';
import { DisposableStore, toDisposable, type Disposable } from '../base/disposable.ts';
import type { SourceOptions } from '../config/configSources.ts';
import { USER_SETTING_ID } from '../config/ownSources.ts';
import type { CloudReader } from '../config/sources/cloudReader.ts';
import type { ConfigPorts } from '../config/configLoaderPorts.ts';
import type { ConfigSource, WorkspaceFolder } from '../config/configTypes.ts';
import { readSourceSettings, SOURCE_SETTINGS } from './settings/configSettings.ts';
import { ownValue, SECTION } from './settings/ownSettings.ts';
import { SETTLE_MS, watchFile } from './watchFile.ts';

/** The workspace folders on disk. */
export function workspaceFolders(): readonly WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file')
    .map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
}

/**
 * The profile's folder, two up from this extension's global storage (`<profile>/globalStorage/<extension>`); in a remote
 * window that is the remote's.
 */
export function profileFolder(globalStorage: vscode.Uri): string {
  return path.dirname(path.dirname(globalStorage.fsPath));
}

/** The storage folders of an extension's context. */
export type StorageFolders = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>;

/** What decides which sources there are: the machine, the workspace and the user's settings. */
export function readSourceOptions(storage: StorageFolders): SourceOptions {
  const { workspaceFile } = vscode.workspace;
  const { discovery, configFiles } = readSourceSettings();
  return {
    platform: process.platform,
    env: process.env,
    home: os.homedir(),
    globalStorageRoot: path.dirname(storage.globalStorageUri.fsPath),
    workspaceFolders: workspaceFolders(),
    ...(workspaceFile?.scheme === 'file' ? { workspaceFile: workspaceFile.fsPath } : {}),
    profileFolder: profileFolder(storage.globalStorageUri),
    ...(storage.storageUri ? { localFile: localFileOf(storage.storageUri) } : {}),
    discovery,
    configFiles,
  };
}

/** The configuration file of this machine and workspace. */
export function localFileOf(workspaceStorage: vscode.Uri): string {
  return path.join(workspaceStorage.fsPath, 'mcp.json');
}

/** Reads and watches the sources of every scope. */
export class EditorConfigPorts implements ConfigPorts {
  readonly #storage: StorageFolders;
  readonly #cloud: CloudReader;

  constructor(storage: StorageFolders, cloud: CloudReader) {
    this.#storage = storage;
    this.#cloud = cloud;
  }

  async sources(): Promise<readonly ConfigSource[]> {
    const { cloudSource, sourcesFor } = await import('../config/configSources.ts');
    const { cloudUrl } = readSourceSettings();
    const cloud = cloudUrl === undefined ? undefined : cloudSource(cloudUrl);
    return [...sourcesFor(readSourceOptions(this.#storage)), ...(cloud ? [cloud] : [])];
  }

  async read(source: ConfigSource): Promise<string | undefined> {
    if (source.id === USER_SETTING_ID) {
      const value = ownValue('servers');
      return value === undefined ? undefined : JSON.stringify({ mcpServers: value });
    }
    if (source.scope === 'cloud') {
      const { cloudUrl } = readSourceSettings();
      return cloudUrl === undefined ? undefined : this.#cloud.read(cloudUrl);
    }
    const { readSourceFile } = await import('../config/sources/readSourceFile.ts');
    return readSourceFile(source, process.platform);
  }

  watch(source: ConfigSource, onChange: () => void): Disposable {
    if (source.scope === 'cloud') return toDisposable(this.#cloud.watch(onChange));
    if (source.file === undefined) {
      return vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${SECTION}.servers`)) onChange();
      });
    }
    if (!vscode.workspace.getWorkspaceFolder(vscode.Uri.file(source.file))) return watchFile(source.file, onChange);
    const pattern = new vscode.RelativePattern(vscode.Uri.file(path.dirname(source.file)), path.basename(source.file));
    const watcher = vscode.workspace.createFileSystemWatcher(pattern);
    const store = new DisposableStore();
    // On a busy machine the editor may report only the first of two changes (seen in VS Code 1.106).
    const lookAgain = store.add(new Debouncer(SETTLE_MS, systemClock, onChange));
    const changed = (): void => {
      onChange();
      lookAgain.trigger();
    };
    store.add(watcher);
    store.add(watcher.onDidCreate(changed));
    store.add(watcher.onDidChange(changed));
    store.add(watcher.onDidDelete(changed));
    return store;
  }

  watchSources(onChange: () => void): Disposable {
    const store = new DisposableStore();
    store.add(vscode.workspace.onDidChangeWorkspaceFolders(onChange));
    store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (SOURCE_SETTINGS.some((name) => event.affectsConfiguration(name))) onChange();
      }),
    );
    return store;
  }
}

/** Fires when the folders that servers see may have changed: in the workspace or in the setting. */
export function onDidChangeRoots(listener: () => void): Disposable {
  const store = new DisposableStore();
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => listener()));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(`${SECTION}.roots`) && listener()),
  );
  return store;
}
