import * as vscode from 'vscode';
import { inertText } from '../../base/text/inertText.ts';
import { readOnlyText, showReadOnlyText } from '../../bridge/readOnlyText.ts';

/** The editor's own extension that renders Markdown, and its editor that shows nothing but that. */
const [RENDERER, PREVIEW] = ['vscode.markdown-language-features', 'vscode.markdown.preview.editor'];

/** A longer one is shown as text, in UTF-16 units. */
const MAX_RENDERED = 1_000_000;

/**
 * Shows Markdown rendered, in a read-only tab; as text where the editor renders none. Nothing in it may be active that isn't ours.
 * @param name with the extension `.md`
 */
export async function showRendered(name: string, text: string): Promise<void> {
  if (text.length > MAX_RENDERED || !vscode.extensions.getExtension(RENDERER)) return showReadOnlyText(name, text);
  const document = readOnlyText(name, [inertText(text)]);
  await vscode.commands.executeCommand('vscode.openWith', document, PREVIEW, { preview: true });
}
