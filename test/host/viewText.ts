import type * as vscode from 'vscode';
import { exportsOf } from './support.ts';

/** As much of a view as a test reads. */
interface Readable<T> {
  getChildren(node?: T): Promise<T[]>;
  getTreeItem(node: T): Promise<vscode.TreeItem>;
}

/** A view as text: a line per row, with its icon, label, description, menus and, in quotes, what a screen reader says. */
export async function treeText<T>(tree: Readable<T>, node?: T, indent = ''): Promise<string> {
  const nodes = await tree.getChildren(node);
  const texts: string[] = [];
  for (const each of nodes) {
    texts.push(`${indent}${lineOf(await tree.getTreeItem(each))}`);
    const children = await treeText(tree, each, `${indent}  `);
    if (children !== '') texts.push(children);
  }
  return texts.join('\n');
}

function lineOf(item: vscode.TreeItem): string {
  const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
  const icon = item.iconPath as vscode.ThemeIcon | undefined;
  const parts = [
    ...(icon ? [`[${icon.id}]`] : []),
    `${label} | ${String(item.description ?? '')}`,
    ...(item.contextValue ? [`{${item.contextValue}}`] : []),
    `“${item.accessibilityInformation?.label ?? ''}”`,
  ];
  return normalized(parts.join(' '));
}

/** Without what differs from run to run. */
function normalized(text: string): string {
  return text
    .replaceAll(/\d{1,2}\/\d{1,2}\/\d{4}, /g, '')
    .replaceAll(/\b\d{1,2}:\d\d(:\d\d)?(\s[AP]M)?/g, '<time>')
    .replaceAll(/\b\d+(\.\d)? (ms|s)\b/g, '<duration>');
}

/** The rows of one group, without their indentation. */
export async function groupOf(view: 'activity' | 'permissions', label: string): Promise<string[]> {
  const { activity, permissions } = await exportsOf();
  const text = view === 'activity' ? await treeText(activity) : await treeText(permissions);
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.includes(`${label} | `) && !line.startsWith(' '));
  if (start < 0) return [];
  const rows = lines.slice(start + 1);
  const end = rows.findIndex((line) => !line.startsWith(' '));
  return rows.slice(0, end < 0 ? undefined : end).map((line) => line.trim());
}
