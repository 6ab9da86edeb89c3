import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import type { Host } from '../../host/host.ts';
import { notify } from '../../bridge/showNotification.ts';

/** Shows a notification, once per change, when tools of a server differ from the approved ones. */
export function noticeToolChanges(host: Host): Disposable {
  const told = new Set<string>();
  return host.onDidChange(() => {
    for (const { definition } of host.views) {
      const changes = [...host.feed.changesOf(definition.id)];
      const fresh = changes.filter(([, { change }]) => {
        const after = change.kind === 'changed' ? `${change.current.hash}${change.current.annotations}` : change.kind;
        return !told.has(`${definition.id}\n${change.name}\n${after}`);
      });
      if (fresh.length === 0) continue;
      for (const [, { change }] of fresh)
        told.add(
          `${definition.id}\n${change.name}\n${change.kind === 'changed' ? `${change.current.hash}${change.current.annotations}` : change.kind}`,
        );
      void tell(
        definition.name,
        fresh.map(([name]) => name),
      );
    }
  });
}

async function tell(serverName: string, tools: readonly string[]): Promise<void> {
  const review = vscode.l10n.t('Review');
  const text = vscode.l10n.t(
    'Tools of {0} changed since you approved them: {1}.',
    showInvisible(serverName),
    showInvisible(tools.slice(0, 5).join(', ')) + (tools.length > 5 ? ', …' : ''),
  );
  if ((await notify('warning', text, review)) === review)
    await vscode.commands.executeCommand('mcpSwitchboard.reviewTools');
}
