import * as vscode from 'vscode';
import { launchDocument } from './servers/launchDocuments.ts';

/** Shows a text in a tab that can't be edited and needn't be saved. @param name with the ending of its language */
export async function showText(name: string, text: string): Promise<void> {
  await vscode.window.showTextDocument(launchDocument(name, [text]), { preview: true });
}

/** A table in Markdown whose columns stand below each other as text, too. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => (row[column] ?? '').length)));
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
