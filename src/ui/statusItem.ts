import * as vscode from 'vscode';

/** Creates an item on the right of the status bar; a higher priority is further left. */
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
