import * as vscode from 'vscode';
import type { Host } from '../../host/host.ts';
import { registerLazyFiles, type LazyFiles } from './lazyFiles.ts';
import { RESOURCE_SCHEME } from './documentUri.ts';
import type { ResourceDocuments } from './resourceDocuments.ts';

/** What shows resources as documents; loaded with the first. */
export type ResourceFiles = LazyFiles<ResourceDocuments>;

/** Has the editor read `mcp://…` as files that nobody can write, so that text, pictures and the rest open as they do. */
export function registerResourceFiles(host: Host): ResourceFiles {
  return registerLazyFiles(
    RESOURCE_SCHEME,
    async (changed) => {
      const { ResourceDocuments: Loaded } = await import('./resourceDocuments.ts');
      return new Loaded(host, (uri) => changed([{ type: vscode.FileChangeType.Changed, uri }]));
    },
    { isReadonly: true },
  );
}
