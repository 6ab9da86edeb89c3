import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import type { READ_ONLY_SCHEME } from './readOnlyText.ts';

/** Lets the editor show texts as read-only documents: the address of such a document holds its whole text. */
export function registerReadOnlyText(): Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(
    'mcp-switchboard-launch' satisfies typeof READ_ONLY_SCHEME,
    { provideTextDocumentContent: ({ query }) => query },
  );
}
