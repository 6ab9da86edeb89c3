import * as vscode from 'vscode';
import { inertText } from '../base/text/inertText.ts';

export const READ_ONLY_SCHEME = 'mcp-switchboard-launch';

/** The document of these lines. @param name with the extension of its language */
export function readOnlyText(name: string, lines: readonly string[]): vscode.Uri {
  return vscode.Uri.from({
    scheme: READ_ONLY_SCHEME,
    path: `/${name.replaceAll(/[/\\]/g, '_')}`,
    query: lines.join('\n'),
  });
}

/** Shows a text in a read-only tab; Markdown, in which the editor finds links, without those to commands. */
export async function showReadOnlyText(name: string, text: string): Promise<void> {
  await vscode.window.showTextDocument(readOnlyText(name, [name.endsWith('.md') ? inertText(text) : text]), {
    preview: true,
  });
}
