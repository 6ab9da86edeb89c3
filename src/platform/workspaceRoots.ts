import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { SECTION } from './hostSettings.ts';

/** Fires when servers may be told of other folders: the workspace has others, or the setting says otherwise. */
export function onDidChangeRoots(listener: () => void): Disposable {
  const store = new DisposableStore();
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => listener()));
  store.add(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(`${SECTION}.roots`) && listener()),
  );
  return store;
}
