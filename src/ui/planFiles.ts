import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { Host } from '../host.ts';
import type { PlanDocuments } from './planDocuments.ts';

export const PLAN_SCHEME = 'mcp-switchboard-plan';

/**
 * Has the editor open the arguments of planned calls as JSON documents. Saving checks them against the tool's schema:
 * what doesn't fit is not taken, is said, and stays in the editor.
 */
export function registerPlanFiles(host: Host): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  let loaded: Promise<PlanDocuments> | undefined;
  const documents = (): Promise<PlanDocuments> =>
    (loaded ??= import('./planDocuments.ts').then((module) =>
      store.add(new module.PlanDocuments(host, (events) => changed.fire(events))),
    ));
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await documents()).stat(uri),
    readFile: async (uri) => (await documents()).read(uri),
    writeFile: async (uri, content) => (await documents()).write(uri, content),
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  store.add(vscode.workspace.registerFileSystemProvider(PLAN_SCHEME, provider, { isCaseSensitive: true }));
  return store;
}
