import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host.ts';
import { RESOURCE_SCHEME } from './documentUri.ts';
import type { ResourceDocuments } from './resourceDocuments.ts';

/** What shows resources as documents; loaded with the first. */
export interface ResourceFiles extends Disposable {
  documents(): Promise<ResourceDocuments>;
}

/** Has the editor read `mcp://…` as files that nobody can write, so that text, pictures and the rest open as they do. */
export function registerResourceFiles(host: Host): ResourceFiles {
  const store = new DisposableStore();
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  store.add(changed);
  let loaded: Promise<ResourceDocuments> | undefined;
  const documents = (): Promise<ResourceDocuments> =>
    (loaded ??= import('./resourceDocuments.ts').then((module) =>
      store.add(new module.ResourceDocuments(host, (uri) => changed.fire([{ type: CHANGED, uri }]))),
    ));
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    // Servers are asked to tell of changes for as long as a document is open, whoever watches it.
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await documents()).stat(uri),
    readFile: async (uri) => (await documents()).read(uri),
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  const options = { isReadonly: true, isCaseSensitive: true };
  store.add(vscode.workspace.registerFileSystemProvider(RESOURCE_SCHEME, provider, options));
  return { documents, dispose: () => store.dispose() };
}

const CHANGED = vscode.FileChangeType.Changed;
