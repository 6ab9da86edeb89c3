// Loaded with the first server.
import * as vscode from 'vscode';
import { oneLine } from '../../base/text/showInvisible.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { Host } from '../../host/host.ts';

/** The active preset in words; `undefined` where all servers are used. */
export function activePresetText({ preset: { active } }: Pick<Host, 'preset'>): string | undefined {
  return active && vscode.l10n.t('Preset “{0}”', plainText(active.name));
}

/** What is to be known of the active preset: that it isn’t what a setting says, or has no server. */
export function presetNotice({ preset: { active }, views }: Pick<Host, 'preset' | 'views'>): string | undefined {
  if (!active) return undefined;
  const { t } = vscode.l10n;
  const name = oneLine(active.name);
  if (active.scope === undefined)
    return t('No setting defines the preset “{0}” any more. It goes on as it was last.', name);
  if (active.hasGrown)
    return t('The workspace has added to the preset “{0}”. What was added counts once you select it again.', name);
  if (active.isCut)
    return t('The preset “{0}” has more patterns than can be compared with all servers. The rest isn’t in it.', name);
  const isUnused = ({ definition: { status } }: (typeof views)[number]): boolean =>
    status.kind === 'disabled' && status.by === 'preset';
  const isUsed = views.some(({ definition: { status } }) => status.kind === 'ready');
  return !isUsed && views.some(isUnused) ? t('No server is in the preset “{0}”.', name) : undefined;
}
