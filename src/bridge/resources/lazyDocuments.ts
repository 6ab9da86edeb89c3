import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { Host } from '../../host/host.ts';
import type { RESOURCE_SCHEME } from './documentUri.ts';
import type { ResourceDocuments } from './resourceDocuments.ts';

/** What the editor asks of documents of ours. */
export interface FileDocuments extends Disposable {
  stat(uri: vscode.Uri): vscode.FileStat | Promise<vscode.FileStat>;
  read(uri: vscode.Uri): Uint8Array | Promise<Uint8Array>;
  /** Without it, nobody can write. */
  write?(uri: vscode.Uri, content: Uint8Array): void | Promise<void>;
}

/** Documents that are loaded with the first that is asked for. */
export interface LazyFiles<Documents> extends Disposable {
  documents(): Promise<Documents>;
}

/** Has the editor open `scheme:…` as documents that can't be made, moved or deleted. */
export function registerLazyFiles<Documents extends FileDocuments>(
  scheme: string,
  load: (changed: (events: vscode.FileChangeEvent[]) => void) => Promise<Documents>,
  options: { readonly isReadonly: boolean },
): LazyFiles<Documents> {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  let loaded: Promise<Documents> | undefined;
  const documents = (): Promise<Documents> =>
    (loaded ??= load((events) => changed.fire(events)).then((made) => store.add(made)));
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    // Documents tell of their changes for as long as they are open, whoever watches them.
    watch: () => new vscode.Disposable(() => undefined),
    stat: async (uri) => (await documents()).stat(uri),
    readFile: async (uri) => (await documents()).read(uri),
    writeFile: async (uri, content) => {
      const made = await documents();
      await (made.write ? made.write(uri, content) : refuse(uri));
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
  };
  store.add(vscode.workspace.registerFileSystemProvider(scheme, provider, { ...options, isCaseSensitive: true }));
  return { documents, dispose: () => store.dispose() };
}

/** Written out: how addresses are made is loaded with the documents. */
const SCHEME: typeof RESOURCE_SCHEME = 'mcp';

/** What shows resources as documents; loaded with the first. */
export type ResourceFiles = LazyFiles<ResourceDocuments>;

/** Has the editor read `mcp://…` as files that nobody can write, so that text, pictures and the rest open as they do. */
export function registerResourceFiles(host: Host): ResourceFiles {
  return registerLazyFiles(
    SCHEME,
    async (changed) => {
      const { ResourceDocuments: Loaded } = await import('./resourceDocuments.ts');
      return new Loaded(host, (uri) => changed([{ type: vscode.FileChangeType.Changed, uri }]));
    },
    { isReadonly: true },
  );
}
