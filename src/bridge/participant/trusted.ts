import * as vscode from 'vscode';
import { LINKED_COMMANDS } from './markdown.ts';

/** Markdown of ours, whose command links work; only those of `LINKED_COMMANDS`. */
export function trusted(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: LINKED_COMMANDS };
  return markdown;
}
