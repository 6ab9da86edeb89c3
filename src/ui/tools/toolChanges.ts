// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import { isUnreadablePin, type ToolPin } from '../../catalog/pinChanges.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';
import type { Host } from '../../host/host.ts';
import { askChoice } from '../askChoice.ts';
import { readOnlyText } from '../../bridge/readOnlyText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

interface ChangePick extends vscode.QuickPickItem {
  readonly serverId: string;
  readonly open: OpenChange;
}

/** *Review Changed Tools…*: shows each changed tool, prompt or skill as a difference, to accept one by one. */
export async function reviewTools(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  for (;;) {
    const picks = changesOf(host);
    if (picks.length === 0) {
      void notify('information', t('No changed tools, prompts or skills.'));
      return;
    }
    const title = t('Changed Tools, Prompts and Skills');
    const pick = await ownInputs.ask(() => vscode.window.showQuickPick(picks, { title }));
    if (!pick) return;
    await showDifference(pick.open);
    const choices = [
      { label: t('Accept Change'), value: 'accept' as const },
      { label: t('Not Now'), value: 'later' as const },
    ];
    const heading = `${showInvisible(pick.label)}: ${pick.detail ?? ''}`;
    const question = {
      title: heading,
      placeHolder: t('The difference is shown in the editor'),
      choices,
      about: '',
      lines: [],
    };
    if ((await askChoice(question)) !== 'accept') return;
    // Only the change that was shown is accepted.
    if (!host.acceptChange(pick.serverId, pick.open))
      void notify('warning', t('It changed again. Review it once more.'));
  }
}

function changesOf(host: Host): ChangePick[] {
  return host.views.flatMap(({ definition }) =>
    host.feed.openChangesOf(definition.id).map((open) => ({
      serverId: definition.id,
      open,
      label: plainText(labelOf(open)),
      description: plainText(definition.name),
      detail: plainText(whatChanged(open)),
    })),
  );
}

function labelOf({ of, change }: OpenChange): string {
  const name = showInvisible(change.name);
  if (of === 'tool') return name;
  return of === 'prompt' ? vscode.l10n.t('Prompt {0}', name) : vscode.l10n.t('Skill {0}', name);
}

function whatChanged({ of, change, verdict }: OpenChange): string {
  const { t } = vscode.l10n;
  const [changed, added] = {
    tool: () => [t('description, parameters or annotations changed'), t('new tool')] as const,
    prompt: () => [t('title, description or arguments changed'), t('new prompt')] as const,
    skill: () => [t('description, frontmatter or files changed'), t('new skill')] as const,
  }[of]();
  const state = verdict === 'block' ? t('blocked until you accept it') : t('asks until you accept it');
  switch (change.kind) {
    case 'renamed':
      return `${t('renamed from {0}', showInvisible(change.before))} · ${state}`;
    case 'added':
      return `${added} · ${state}`;
    case 'changed':
      if (isUnreadablePin(change.pinned)) return `${t('what you approved can’t be read')} · ${state}`;
      return change.before === undefined
        ? `${changed} · ${state}`
        : `${t('renamed from {0}', showInvisible(change.before))}, ${changed} · ${state}`;
    case 'removed':
      return `${changed} · ${state}`;
  }
}

async function showDifference({ change }: OpenChange): Promise<void> {
  if (change.kind === 'removed') return;
  const { name, current } = change;
  const isKnown = change.kind === 'changed' && !isUnreadablePin(change.pinned);
  const before = isKnown ? linesOf(change.before ?? name, change.pinned) : [];
  const old = change.kind === 'renamed' ? linesOf(change.before, current) : before;
  const title = vscode.l10n.t('{0}: Approved ↔ Current', showInvisible(name));
  await vscode.commands.executeCommand(
    'vscode.diff',
    readOnlyText(`${name} (1)`, old),
    readOnlyText(`${name} (2)`, linesOf(name, current)),
    title,
  );
}

function linesOf(name: string, { title, description, inputSchema, annotations = '' }: ToolPin): string[] {
  const schema = JSON.stringify(JSON.parse(inputSchema), undefined, 2);
  return [
    `name: ${name}`,
    `title: ${title}`,
    `annotations: ${annotations}`,
    '',
    ...description.split('\n'),
    '',
    ...schema.split('\n'),
  ].map(showInvisible);
}
