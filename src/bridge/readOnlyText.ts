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

/** So much of a text is shown, in UTF-16 units: the address of its document holds it. */
const MAX_SHOWN = 1_000_000;

/** Shows a text in a read-only tab. */
export async function showReadOnlyText(name: string, text: string): Promise<void> {
  await vscode.window.showTextDocument(wholeText(name, text), { preview: true });
}

/** A text as much as a document holds; Markdown, in which the editor finds links, without those to commands. */
export function wholeText(name: string, text: string): vscode.Uri {
  const more = text.length - MAX_SHOWN;
  const shown = more > 0 ? `${text.slice(0, MAX_SHOWN)}\n${vscode.l10n.t('({0} more characters)', more)}` : text;
  return readOnlyText(name, [name.endsWith('.md') ? inertText(shown) : shown]);
}
