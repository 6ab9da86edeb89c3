import * as vscode from 'vscode';

/** Where a new definition can be kept. */
export type Target = 'project' | 'workspace' | 'user' | 'session';

/** A place as a line of a quick pick. */
export function targetItem<T extends Target>(target: T): vscode.QuickPickItem & { readonly target: T } {
  return { target, ...textsOf(target) };
}

function textsOf(target: Target): { readonly label: string; readonly description?: string; readonly detail: string } {
  const { t } = vscode.l10n;
  switch (target) {
    case 'project':
      return { label: t('Project'), description: '.mcp.json', detail: t('Shared with everyone on the project') };
    case 'workspace':
      return { label: t('Workspace'), description: '.vscode/mcp.json', detail: t('For this folder in the editor') };
    case 'user':
      return { label: t('User'), description: 'mcpSwitchboard.servers', detail: t('For you, in every folder') };
    case 'session':
      return { label: t('This session only'), detail: t('Written nowhere, gone when the window closes') };
  }
}
