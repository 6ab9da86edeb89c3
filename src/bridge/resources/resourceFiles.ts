import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import { registerLazyFiles, type LazyFiles } from './lazyFiles.ts';
import type { RESOURCE_SCHEME } from './documentUri.ts';
import type { ResourceDocuments } from './resourceDocuments.ts';

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
