// Loaded when the view *Permissions* is first shown, or with a list of permissions.
import * as vscode from 'vscode';
import { Batch } from '../../base/async.ts';
import { messageOf } from '../../base/errors.ts';
import { systemClock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { escaped } from '../../bridge/text/safeText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import type { SamplingConsents } from '../../bridge/sampling/samplingConsents.ts';
import type { Host } from '../../host/host.ts';
import type { EditorCallSettings } from '../../platform/settings/editorCallSettings.ts';
import type { TreeProvider } from '../lazyTree.ts';
import { grantRows, modelRows } from './grantRows.ts';
import { PERMISSION_GROUPS, type PermissionGroup, type PermissionRow } from './permissionRow.ts';
import { hookRows, problemRows, ruleRows } from './ruleRows.ts';
import { approvalRows, pinRows, proposedRows } from './serverRows.ts';
import { localized } from '../../bridge/text/localized.ts';

/** What the view reads and changes. */
export interface PermissionPorts {
  readonly host: Host;
  readonly settings: EditorCallSettings;
  readonly consents: SamplingConsents;
}

/** A row of the view *Permissions*: a group, or something in it. */
export interface PermissionNode {
  readonly group: PermissionGroup;
  readonly row?: PermissionRow;
}

interface Revoked {
  readonly label: string;
  readonly restore: () => Promise<void>;
}

/** So many revocations can be undone. */
const MAX_REVOKED = 20;
const REDRAW_MS = 100;

/** The view *Permissions*: all that lets calls run or keeps them from it, each with its source; what the user gave can be revoked. */
export class PermissionsTree implements TreeProvider<PermissionNode> {
  readonly #ports: PermissionPorts;
  readonly #disposables = new DisposableStore();
  readonly #changed = new vscode.EventEmitter<PermissionNode[] | undefined>();
  readonly #nodes = new Map<PermissionGroup, PermissionNode>();
  readonly #revoked: Revoked[] = [];
  #shown: readonly PermissionRow[] = [];
  readonly onDidChangeTreeData: vscode.Event<PermissionNode[] | undefined> = this.#changed.event;

  constructor(ports: PermissionPorts, view: Pick<vscode.TreeView<unknown>, 'visible' | 'onDidChangeVisibility'>) {
    this.#ports = ports;
    const { host, settings, consents } = ports;
    this.#disposables.add(this.#changed);
    const redraw = this.#disposables.add(
      new Batch(REDRAW_MS, systemClock, () => void (view.visible && this.#redraw())),
    );
    for (const event of [host.grants.onDidChange, host.onDidChange, settings.onDidChange, consents.onDidChange])
      this.#disposables.add(event(() => redraw.trigger()));
    this.#disposables.add(view.onDidChangeVisibility(() => redraw.trigger()));
  }

  /** Everything, group by group. */
  async rows(): Promise<readonly PermissionRow[]> {
    const { host, settings, consents } = this.#ports;
    const problems = await problemRows(host, settings);
    return [
      ...problems,
      ...grantRows(host, settings),
      ...proposedRows(host),
      ...ruleRows(host, settings),
      ...approvalRows(host),
      ...pinRows(host),
      ...hookRows(settings),
      ...modelRows(host, consents),
    ];
  }

  async getChildren(node?: PermissionNode): Promise<PermissionNode[]> {
    if (node?.row) return [];
    if (node) return this.#shown.filter(({ group }) => group === node.group).map((row) => ({ group: row.group, row }));
    this.#shown = await this.rows();
    return groupsOf(this.#shown).map((group) => this.#groupNode(group));
  }

  getParent({ group, row }: PermissionNode): PermissionNode | undefined {
    return row && this.#groupNode(group);
  }

  getTreeItem({ group, row }: PermissionNode): vscode.TreeItem {
    if (row) return rowItem(row);
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const item = new vscode.TreeItem(groupLabel(group), group === 'pins' ? Collapsed : Expanded);
    item.id = group;
    const count = this.#shown.filter((each) => each.group === group).length;
    item.description = String(count);
    item.accessibilityInformation = { label: `${groupLabel(group)}, ${count}` };
    item.contextValue = 'permissionGroup';
    return item;
  }

  /** Takes a permission back, and says so with a button that undoes it. */
  async revoke(row: PermissionRow): Promise<void> {
    const restore = await row.revoke?.();
    if (!restore) return;
    const { t } = vscode.l10n;
    const revoked = { label: row.label, restore };
    this.#revoked.push(revoked);
    if (this.#revoked.length > MAX_REVOKED) this.#revoked.shift();
    const undo = t('Undo');
    // The command is done: whether it is undone is another matter.
    void notify('information', t('Revoked: {0}', row.label), undo).then(async (answer) => {
      if (answer === undo) await this.#undo(revoked);
    });
  }

  /** *Undo Revoke*: gives back what was revoked last in this window. */
  async undoRevoke(): Promise<void> {
    const { t } = vscode.l10n;
    const last = this.#revoked.at(-1);
    if (last) await this.#undo(last);
    else void notify('information', t('Nothing was revoked in this window.'));
  }

  async #undo(revoked: Revoked): Promise<void> {
    if (!this.#revoked.includes(revoked)) return;
    try {
      await revoked.restore();
    } catch (error) {
      // It can be tried again.
      void notify('error', localized(messageOf(error)));
      return;
    }
    const at = this.#revoked.indexOf(revoked);
    if (at >= 0) this.#revoked.splice(at, 1);
    void vscode.window.setStatusBarMessage(vscode.l10n.t('Restored: {0}', revoked.label), 5_000);
  }

  /** Only groups with other rows are drawn anew. */
  async #redraw(): Promise<void> {
    const before = this.#shown;
    this.#shown = await this.rows();
    if (groupsOf(before).join() !== groupsOf(this.#shown).join()) return this.#changed.fire(undefined);
    const textOf = (rows: readonly PermissionRow[], group: PermissionGroup): string =>
      JSON.stringify(rows.filter((row) => row.group === group));
    const changed = groupsOf(this.#shown).filter((group) => textOf(before, group) !== textOf(this.#shown, group));
    if (changed.length > 0) this.#changed.fire(changed.map((group) => this.#groupNode(group)));
  }

  #groupNode(group: PermissionGroup): PermissionNode {
    let node = this.#nodes.get(group);
    if (!node) this.#nodes.set(group, (node = { group }));
    return node;
  }

  dispose(): void {
    this.#disposables.dispose();
  }
}

function groupsOf(rows: readonly PermissionRow[]): readonly PermissionGroup[] {
  const present = new Set(rows.map(({ group }) => group));
  return PERMISSION_GROUPS.filter((group) => present.has(group));
}

/** The heading of a group. */
export function groupLabel(group: PermissionGroup): string {
  const { t } = vscode.l10n;
  switch (group) {
    case 'problems':
      return t('Problems');
    case 'given':
      return t('Allowed by You');
    case 'proposed':
      return t('Proposed by Server Definitions');
    case 'rules':
      return t('Rules');
    case 'servers':
      return t('Server Approvals');
    case 'pins':
      return t('Approved Tools, Prompts and Skills');
    case 'hooks':
      return t('Hooks');
    case 'models':
      return t('Servers That Use Models');
  }
}

function rowItem(row: PermissionRow): vscode.TreeItem {
  const item = new vscode.TreeItem(row.label);
  item.id = `${row.group}:${row.key}`;
  item.description = row.description;
  item.iconPath = new vscode.ThemeIcon(
    row.icon,
    row.color === undefined ? undefined : new vscode.ThemeColor(row.color),
  );
  item.tooltip = new vscode.MarkdownString(
    row.facts.map(([label, value]) => `**${escaped(label)}:** ${escaped(value)}`).join('  \n'),
  );
  item.accessibilityInformation = { label: row.spoken };
  item.contextValue = [...(row.revoke ? ['revocable'] : []), ...(row.open ? ['openable'] : [])].join(' ');
  if (row.open)
    item.command = {
      command: 'mcpSwitchboard.openPermission',
      title: vscode.l10n.t('Open'),
      arguments: [{ group: row.group, row }],
    };
  return item;
}
