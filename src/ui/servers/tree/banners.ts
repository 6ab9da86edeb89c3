import * as vscode from 'vscode';
import type { Host } from '../../../host/host.ts';
import { isRunByEditor, type ServerView } from '../../../host/views/serverView.ts';
import { waitingForUser } from '../../../host/views/waitingForUser.ts';
import { waitingTexts } from '../signs/waitingTexts.ts';
import type { BannerNode } from './treeNodes.ts';

type Banner = BannerNode['what'];

/** What waits for the user, as counts of servers or changes, most pressing first. */
export function bannersOf(host: Pick<Host, 'views' | 'feed'>): ReadonlyMap<Banner, number> {
  // Asked for once: it joins every definition with its connection.
  const { views, feed } = host;
  const { approvals, changes } = waitingForUser({ views, feed });
  const untrusted = views.filter(isUntrusted).length;
  const runByEditor = views.filter(isRunByEditor).length;
  const seen = views.filter(({ state }) => state.kind !== 'shadowed');
  const isAllOff =
    seen.length > 0 && seen.every((view) => view.state.kind === 'disabled' && !isRunByEditor(view) && !isUnused(view));
  const all: readonly (readonly [Banner, number])[] = [
    ['untrusted', untrusted],
    ['runByEditor', runByEditor],
    ['approvals', approvals],
    ['changes', changes],
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

/** Who or what keeps servers from running here, in a sentence: VS Code runs them, or their folder isn't trusted. */
export function heldBack(host: Pick<Host, 'views' | 'feed'>): string | undefined {
  const banners = bannersOf(host);
  const what = (['untrusted', 'runByEditor'] as const).find((each) => banners.has(each));
  return what && contentOf(what, banners.get(what) ?? 0).text;
}

/** A row that says what waits; a click sees to it. */
export function bannerRow({ what }: BannerNode, count: number): vscode.TreeItem {
  const { text, action, command, icon } = contentOf(what, count);
  const item = new vscode.TreeItem(text);
  item.id = `waiting ${what}`;
  item.description = action;
  item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor('list.warningForeground'));
  item.command = { command, title: action };
  item.contextValue = 'banner';
  item.accessibilityInformation = { label: `${text}. ${action}`, role: 'button' };
  return item;
}

function contentOf(
  what: Banner,
  count: number,
): { readonly text: string; readonly action: string; readonly command: string; readonly icon: string } {
  const { t } = vscode.l10n;
  const texts = waitingTexts({ approvals: count, changes: count, signIns: 0 });
  switch (what) {
    case 'approvals':
      return { text: texts.approvals ?? '', action: t('Review…'), command: 'mcpSwitchboard.review', icon: 'shield' };
    case 'changes':
      return {
        text: texts.changes ?? '',
        action: t('Review…'),
        command: 'mcpSwitchboard.reviewTools',
        icon: 'warning',
      };
    case 'untrusted':
      return {
        text:
          count === 1
            ? t('1 server is blocked: the folder is not trusted')
            : t('{0} servers are blocked: the folder is not trusted', count),
        action: t('Manage Trust…'),
        command: 'workbench.trust.manage',
        icon: 'workspace-untrusted',
      };
    case 'runByEditor':
      return {
        text: count === 1 ? t('VS Code runs 1 server') : t('VS Code runs {0} servers', count),
        action: t('Choose MCP Host…'),
        command: 'mcpSwitchboard.chooseHost',
        icon: 'info',
      };
    case 'allDisabled':
      return {
        text: t('All servers are disabled'),
        action: t('Enable…'),
        command: 'mcpSwitchboard.enable',
        icon: 'circle-slash',
      };
  }
}
