import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

const SCHEME = 'mcp-switchboard-launch';

/** Lets the editor show what would run as a document: such a document's address holds its whole text. */
export function registerLaunchDocuments(): Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => query,
  });
}

/** The document of these lines. */
export function launchDocument(name: string, lines: readonly string[]): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll(/[/\\]/g, '_')}`, query: lines.join('\n') });
}
