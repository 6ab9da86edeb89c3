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

/** Shows a text in a read-only tab, as much of it as a document holds; Markdown, in which the editor finds links, without those to commands. */
export async function showReadOnlyText(name: string, text: string): Promise<void> {
  const more = text.length - MAX_SHOWN;
  const shown = more > 0 ? `${text.slice(0, MAX_SHOWN)}\n${vscode.l10n.t('({0} more characters)', more)}` : text;
  await vscode.window.showTextDocument(readOnlyText(name, [name.endsWith('.md') ? inertText(shown) : shown]), {
    preview: true,
  });
}
