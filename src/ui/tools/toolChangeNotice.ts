import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';
import { noticeKey } from './noticeKey.ts';
import type { Host } from '../../host/host.ts';
import { notify } from '../../bridge/showNotification.ts';

/** Shows a notification, once per change, when tools or prompts of a server differ from the approved ones. */
export function noticeToolChanges(host: Host): Disposable {
  const told = new Set<string>();
  return host.onDidChange(() => {
    for (const { definition } of host.views) {
      const fresh = host.feed.openChangesOf(definition.id).filter((open) => {
        const key = `${definition.id}\n${noticeKey(open)}`;
        return !told.has(key) && told.add(key);
      });
      for (const of of ['tool', 'prompt'] as const) {
        const names = fresh.filter((open) => open.of === of).map(({ change }) => change.name);
        if (names.length > 0) void tell(definition.name, of, names);
      }
    }
  });
}

async function tell(serverName: string, of: OpenChange['of'], names: readonly string[]): Promise<void> {
  const { t } = vscode.l10n;
  const review = t('Review');
  const server = showInvisible(serverName);
  const some = showInvisible(names.slice(0, 5).join(', ')) + (names.length > 5 ? ', …' : '');
  const text =
    of === 'prompt'
      ? t('Prompts of {0} changed since you approved them: {1}.', server, some)
      : t('Tools of {0} changed since you approved them: {1}.', server, some);
  if ((await notify('warning', text, review)) === review)
    await vscode.commands.executeCommand('mcpSwitchboard.reviewTools');
}
