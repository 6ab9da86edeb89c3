import * as vscode from 'vscode';
import { showReadOnlyText, wholeText } from '../../bridge/readOnlyText.ts';

/** The editor's own extension that renders Markdown, and its editor that shows nothing but that. */
const [RENDERER, PREVIEW] = ['vscode.markdown-language-features', 'vscode.markdown.preview.editor'];

/**
 * Shows Markdown rendered, in a read-only tab; as text where the editor renders none. Nothing in it may be active that isn't ours.
 * @param name with the extension `.md`
 */
export async function showRendered(name: string, text: string): Promise<void> {
  if (!vscode.extensions.getExtension(RENDERER)) return showReadOnlyText(name, text);
  await vscode.commands.executeCommand('vscode.openWith', wholeText(name, text), PREVIEW, { preview: true });
}
