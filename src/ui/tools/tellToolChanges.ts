// Loaded with the first change of a tool.
import * as vscode from 'vscode';
import { showInvisible } from '../../base/text/showInvisible.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { isUnreadableChange } from '../../catalog/pinChanges.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';
import type { Host } from '../../host/host.ts';
import { noticeKey } from './noticeKey.ts';

/** That approvals can't be read is told once: where it is so for one server, it mostly is for each. */
const UNREADABLE = 'unreadable';

/**
 * Says what differs from what was approved, with a button that shows how.
 * @param told what was said already, by its keys; those of what is said now are added
 */
export function tellToolChanges(host: Host, told: Set<string>): void {
  const isNew = (key: string): boolean => !told.has(key) && told.add(key).has(key);
  for (const { definition } of host.views) {
    const fresh = host.feed
      .openChangesOf(definition.id)
      .filter((open) => isNew(`${definition.id}\n${noticeKey(open)}`));
    const readable = fresh.filter(({ change }) => !isUnreadableChange(change));
    for (const kind of ['tool', 'prompt', 'skill'] as const) {
      const names = readable.filter(({ of }) => of === kind).map(({ change }) => change.name);
      if (names.length > 0) void withReview(textOf(kind, definition.name, names));
    }
    if (readable.length < fresh.length && isNew(UNREADABLE))
      void withReview(
        vscode.l10n.t('What you approved of some servers’ tools can’t be read. Review what they are now.'),
      );
  }
}

function textOf(kind: OpenChange['of'], serverName: string, names: readonly string[]): string {
  const { t } = vscode.l10n;
  const server = showInvisible(serverName);
  const some = showInvisible(names.slice(0, 5).join(', ')) + (names.length > 5 ? ', …' : '');
  switch (kind) {
    case 'tool':
      return t('Tools of {0} changed since you approved them: {1}.', server, some);
    case 'prompt':
      return t('Prompts of {0} changed since you approved them: {1}.', server, some);
    case 'skill':
      return t('Skills of {0} changed since you approved them: {1}.', server, some);
  }
}

async function withReview(message: string): Promise<void> {
  const review = vscode.l10n.t('Review');
  if ((await notify('warning', message, review)) === review)
    await vscode.commands.executeCommand('mcpSwitchboard.reviewTools');
}
