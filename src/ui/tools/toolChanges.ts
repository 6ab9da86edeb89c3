// Loaded on first use.
import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { showInvisible } from '../../base/text/showInvisible.ts';
import { isUnreadableChange, type ToolPin } from '../../catalog/pinChanges.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';
import type { Host } from '../../host/host.ts';
import { askChoice } from '../askChoice.ts';
import { readOnlyText } from '../../bridge/readOnlyText.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';

interface ChangePick extends vscode.QuickPickItem {
  readonly serverId: string;
  /** One, or all of a server of which nobody can tell what was approved. */
  readonly open: readonly [OpenChange, ...OpenChange[]];
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
    const [first, ...others] = pick.open;
    if (others.length === 0) await showDifference(first);
    const choices = [
      { label: others.length === 0 ? t('Accept Change') : t('Accept All'), value: 'accept' as const },
      { label: t('Not Now'), value: 'later' as const },
    ];
    const heading = `${showInvisible(pick.label)}: ${pick.detail ?? ''}`;
    const question = {
      title: heading,
      placeHolder: others.length === 0 ? t('The difference is shown in the editor') : t('They are listed below'),
      choices,
      about: '',
      lines: others.length === 0 ? [] : pick.open.map((open) => plainText(labelOf(open))),
    };
    if ((await askChoice(question)) !== 'accept') return;
    if (!pick.open.every((open) => acceptShown(host, pick.serverId, open)))
      void notify('warning', t('It changed again. Review it once more.'));
  }
}

/** Only what was shown is accepted. What waits is another object after each that is accepted. */
function acceptShown(host: Host, serverId: string, shown: OpenChange): boolean {
  const now = host.feed
    .openChangesOf(serverId)
    .find(({ of, change }) => of === shown.of && change.name === shown.change.name);
  return now !== undefined && currentOf(now) === currentOf(shown) && host.acceptChange(serverId, now);
}

function currentOf({ change }: OpenChange): string {
  const { hash, annotations, output } = change.kind === 'removed' ? change.pinned : change.current;
  return [change.kind, hash, annotations, output].join('\n');
}

function changesOf(host: Host): ChangePick[] {
  return host.views.flatMap(({ definition }) => {
    const changes = host.feed.openChangesOf(definition.id);
    const picks = changes.map((open): ChangePick => ({
      serverId: definition.id,
      open: [open],
      label: plainText(labelOf(open)),
      description: plainText(definition.name),
      detail: plainText(whatChanged(open)),
    }));
    const [first, ...others] = changes.filter(({ change }) => isUnreadableChange(change));
    if (first === undefined || others.length === 0) return picks;
    const server = plainText(showInvisible(definition.name));
    const all: ChangePick = {
      serverId: definition.id,
      open: [first, ...others],
      label: vscode.l10n.t('Accept All of {0}', server),
      detail: plainText(whatChanged(first)),
    };
    return [all, ...picks];
  });
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
      if (isUnreadableChange(change)) return `${t('what you approved can’t be read')} · ${state}`;
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
  const isKnown = change.kind === 'changed' && !isUnreadableChange(change);
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
