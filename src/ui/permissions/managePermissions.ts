// Loaded on first use.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import type { PermissionGroup, PermissionRow } from './permissionRow.ts';
import { groupLabel, type PermissionsTree } from './permissionsTree.ts';

type Item = vscode.QuickPickItem & { readonly row?: PermissionRow; readonly opensRules?: true };

/** *Manage Permissions…*: the rows of the view *Permissions* in a list. Picking one revokes it, or opens where it is set. */
export async function managePermissions(tree: PermissionsTree): Promise<void> {
  const { t } = vscode.l10n;
  const rows = await tree.rows();
  const rules: Item = { label: `$(gear) ${t('Edit Rules…')}`, opensRules: true };
  const picked = await pick(t('Permissions'), t('Select a permission to revoke it or to open it'), [
    ...itemsOf(rows, true),
    separator(''),
    rules,
  ]);
  if (picked?.opensRules)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'mcpSwitchboard.permissions.rules');
  await act(tree, picked?.row);
}

/** *Manage Approvals…*: the servers that were approved or rejected in this workspace; picking one revokes that. */
export async function manageApprovals(tree: PermissionsTree): Promise<void> {
  await manageRevocable(
    tree,
    ['servers'],
    vscode.l10n.t('Approvals in This Workspace'),
    vscode.l10n.t('No approvals yet.'),
  );
}

/** *Revoke Permission…* from the palette. */
export async function revokePermission(tree: PermissionsTree): Promise<void> {
  const groups = ['given', 'servers', 'hooks', 'models'] as const;
  await manageRevocable(tree, groups, vscode.l10n.t('Revoke a Permission'), vscode.l10n.t('No saved permissions.'));
}

async function manageRevocable(
  tree: PermissionsTree,
  groups: readonly PermissionGroup[],
  title: string,
  none: string,
): Promise<void> {
  const rows = (await tree.rows()).filter(({ group, revoke }) => groups.includes(group) && revoke);
  if (rows.length === 0) {
    void notify('information', none);
    return;
  }
  const picked = await pick(title, vscode.l10n.t('Select one to revoke it. You can undo this.'), itemsOf(rows, false));
  await act(tree, picked?.row);
}

async function act(tree: PermissionsTree, row: PermissionRow | undefined): Promise<void> {
  if (row?.revoke) await tree.revoke(row);
  else await row?.open?.();
}

function pick(title: string, placeHolder: string, items: readonly Item[]): Promise<Item | undefined> {
  const options = { title, placeHolder, matchOnDescription: true, matchOnDetail: true };
  return ownInputs.ask(() => vscode.window.showQuickPick(items, options));
}

/** @param marks says of each row that picking it revokes it: not all do */
function itemsOf(rows: readonly PermissionRow[], marks: boolean): Item[] {
  const { t } = vscode.l10n;
  return [...Map.groupBy(rows, ({ group }) => group)].flatMap(([group, own]) => [
    separator(groupLabel(group)),
    ...own.map((row) => ({
      label: `$(${row.icon}) ${plainText(row.label)}`,
      description: plainText(row.description),
      ...(marks && row.revoke ? { detail: t('Select to revoke') } : {}),
      row,
    })),
  ]);
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
