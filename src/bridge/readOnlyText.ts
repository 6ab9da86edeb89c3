import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';

const SCHEME = 'mcp-switchboard-launch';

/** Lets the editor show texts as read-only documents: the address of such a document holds its whole text. */
export function registerReadOnlyText(): Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => query,
  });
}

/** The document of these lines. @param name with the extension of its language */
export function readOnlyText(name: string, lines: readonly string[]): vscode.Uri {
  return vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll(/[/\\]/g, '_')}`, query: lines.join('\n') });
}

/** Shows a text in a read-only tab. */
export async function showReadOnlyText(name: string, text: string): Promise<void> {
  await vscode.window.showTextDocument(readOnlyText(name, [text]), { preview: true });
}
