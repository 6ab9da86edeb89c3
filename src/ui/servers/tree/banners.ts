import * as vscode from 'vscode';
import type { Host } from '../../../host/host.ts';
import { isSharedWithEditor, type ServerView } from '../../../host/views/serverView.ts';
import { waitingForUser } from '../../../host/views/waitingForUser.ts';
import { waitingTexts } from '../signs/waitingTexts.ts';
import type { BannerNode } from './treeNodes.ts';

type Banner = BannerNode['what'];

/** What waits for the user, and what keeps servers from running, as counts of servers or changes, most pressing first. */
export function bannersOf(host: Pick<Host, 'views' | 'feed' | 'servers'>): ReadonlyMap<Banner, number> {
  // Asked for once: it joins every definition with its connection.
  const { views, feed, servers } = host;
  const { hosting, approvals, changes } = waitingForUser({ views, feed, servers });
  const shared = views.filter(isSharedWithEditor).length;
  const seen = views.filter(({ state }) => state.kind !== 'shadowed');
  const isAllOff =
    seen.length > 0 &&
    seen.every((view) => view.state.kind === 'disabled' && !isSharedWithEditor(view) && !isUnused(view));
  const all: readonly (readonly [Banner, number])[] = [
    ['untrusted', views.filter(isUntrusted).length],
    ['hosting', hosting],
    ['approvals', approvals],
    ['changes', changes],
    ['leftToEditor', shared - hosting],
    ['allDisabled', isAllOff ? seen.length : 0],
  ];
  return new Map(all.filter(([, count]) => count > 0));
}

/** The view says itself which preset lacks it; a portable entry is nothing that runs here. */
function isUnused({ definition: { status } }: ServerView): boolean {
  return status.kind === 'disabled' && (status.by === 'preset' || status.by === 'portable');
}

function isUntrusted({ definition: { status } }: ServerView): boolean {
  return status.kind === 'blocked' && status.by === 'untrusted-workspace';
}

/** What keeps servers from running here, a sentence each. @param banners as `bannersOf` has them */
export function heldBackTexts(banners: ReadonlyMap<Banner, number>): readonly string[] {
  return [...banners]
    .filter(([what]) => what !== 'changes' && what !== 'allDisabled')
    .map(([what, count]) => bannerContent(what, count).sentence);
}

/** A row that says what waits; a click sees to it. */
export function bannerRow({ what }: BannerNode, count: number): vscode.TreeItem {
  const { sentence, label = sentence, action, more = action, command, icon, isPressing } = bannerContent(what, count);
  const item = new vscode.TreeItem(label);
  item.id = `waiting ${what}`;
  if (action !== undefined) item.description = action;
  item.iconPath = new vscode.ThemeIcon(icon, isPressing ? new vscode.ThemeColor('list.warningForeground') : undefined);
  item.command = { command, title: label };
  item.contextValue = 'banner';
  item.tooltip = `${sentence}. ${more}`;
  item.accessibilityInformation = { label: item.tooltip, role: 'button' };
  return item;
}

interface BannerContent {
  readonly sentence: string;
  /** In a row, where the sentence is too long for a view of 300 pixels. */
  readonly label?: string;
  /** Short: it stands beside the label, in a view of 300 pixels; absent where the label says it. */
  readonly action?: string;
  /** In the tooltip, in its place. */
  readonly more?: string;
  readonly command: string;
  readonly icon: string;
  /** Something is to be done about it. */
  readonly isPressing: boolean;
}

/** @param count as `bannersOf` has it */
export function bannerContent(what: Banner, count: number): BannerContent {
  const { t } = vscode.l10n;
  const texts = waitingTexts({ hosting: count, approvals: count, changes: count, signIns: 0 });
  switch (what) {
    case 'untrusted':
      return {
        sentence:
          count === 1
            ? t('The workspace isn’t trusted: 1 server is blocked')
            : t('The workspace isn’t trusted: {0} servers are blocked', count),
        label: t('Untrusted workspace'),
        action: t('Manage…'),
        command: 'workbench.trust.manage',
        icon: 'workspace-untrusted',
        isPressing: true,
      };
    case 'hosting':
      return {
        sentence: texts.hosting ?? '',
        more: count === 1 ? t('VS Code has it, too') : t('VS Code has them, too'),
        command: 'mcpSwitchboard.chooseHost',
        icon: 'arrow-swap',
        isPressing: true,
      };
    case 'approvals':
      return {
        sentence: texts.approvals ?? '',
        action: t('Review…'),
        command: 'mcpSwitchboard.review',
        icon: 'shield',
        isPressing: true,
      };
    case 'changes':
      return {
        sentence: texts.changes ?? '',
        action: t('Review…'),
        command: 'mcpSwitchboard.reviewTools',
        icon: 'warning',
        isPressing: true,
      };
    case 'leftToEditor':
      return {
        sentence: count === 1 ? t('Left to VS Code: 1 server') : t('Left to VS Code: {0} servers', count),
        action: t('Change…'),
        command: 'mcpSwitchboard.chooseHost',
        icon: 'arrow-swap',
        isPressing: false,
      };
    case 'allDisabled':
      return {
        sentence: t('All servers are disabled'),
        action: t('Enable…'),
        command: 'mcpSwitchboard.enable',
        icon: 'circle-slash',
        isPressing: true,
      };
  }
}
