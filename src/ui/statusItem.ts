import * as vscode from 'vscode';

/** An item of ours in the status bar, on the right; a higher priority stands further left. */
export function makeStatusItem(
  id: string,
  priority: number,
  { name, command }: Readonly<Record<'name' | 'command', string>>,
): vscode.StatusBarItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Right, priority);
  item.name = name;
  item.command = command;
  return item;
}
