// Loaded on first use.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/ownInputs.ts';
import { showInvisible } from '../../base/text/invisible.ts';
import { pinTool, type ToolPin } from '../../catalog/pinChanges.ts';
import type { OpenChange } from '../../catalog/toolPins.ts';
import type { Host } from '../../host/host.ts';
import { askChoice } from '../askChoice.ts';
import { readOnlyText } from '../../bridge/readOnlyText.ts';
import { notify } from '../../bridge/showNotification.ts';

interface ChangePick extends vscode.QuickPickItem {
  readonly serverId: string;
  readonly tool: string;
  readonly open: OpenChange;
}

/** *Review Changed Tools…*: shows each changed tool as a difference, to accept one by one. */
export async function reviewTools(host: Host): Promise<void> {
  const { t } = vscode.l10n;
  for (;;) {
    const picks = changesOf(host);
    if (picks.length === 0) {
      void notify('information', t('No changed tools.'));
      return;
    }
    const pick = await ownInputs.ask(() => vscode.window.showQuickPick(picks, { title: t('Changed Tools') }));
    if (!pick) return;
    await showDifference(host, pick);
    const choices = [
      { label: t('Accept Change'), value: 'accept' as const },
      { label: t('Not Now'), value: 'later' as const },
    ];
    const title = `${showInvisible(pick.label)}: ${pick.detail ?? ''}`;
    const question = { title, placeHolder: t('The difference is shown in the editor'), choices, about: '', lines: [] };
    if ((await askChoice(question)) !== 'accept') return;
    // Only the change that was shown is accepted.
    if (host.feed.changesOf(pick.serverId).get(pick.tool) === pick.open) host.acceptTools(pick.serverId, [pick.tool]);
    else void notify('warning', t('The tool changed again. Review it once more.'));
  }
}

function changesOf(host: Host): ChangePick[] {
  return host.views.flatMap(({ definition }) =>
    [...host.feed.changesOf(definition.id)].map(([tool, open]) => ({
      serverId: definition.id,
      tool,
      open,
      label: showInvisible(tool),
      description: showInvisible(definition.name),
      detail: whatChanged(open),
    })),
  );
}

function whatChanged({ change, verdict }: OpenChange): string {
  const { t } = vscode.l10n;
  const state = verdict === 'block' ? t('blocked until you accept it') : t('asks until you accept it');
  switch (change.kind) {
    case 'renamed':
      return `${t('renamed from {0}', showInvisible(change.before))} · ${state}`;
    case 'added':
      return `${t('new tool')} · ${state}`;
    case 'changed':
      return change.before === undefined
        ? `${t('description, parameters or annotations changed')} · ${state}`
        : `${t('renamed from {0}', showInvisible(change.before))}, ${t('description, parameters or annotations changed')} · ${state}`;
    case 'removed':
      return `${t('description, parameters or annotations changed')} · ${state}`;
  }
}

async function showDifference(host: Host, { serverId, tool, open: { change } }: ChangePick): Promise<void> {
  const { t } = vscode.l10n;
  const current = host.feed.listedOf(serverId).find(({ name }) => name === tool);
  if (!current) return;
  const now = pinTool(current);
  const before = change.kind === 'changed' ? linesOf(change.before ?? tool, change.pinned) : [];
  const old = change.kind === 'renamed' ? linesOf(change.before, now) : before;
  const title = t('{0}: Approved ↔ Current', showInvisible(tool));
  await vscode.commands.executeCommand(
    'vscode.diff',
    readOnlyText(`${tool} (1)`, old),
    readOnlyText(`${tool} (2)`, linesOf(tool, now)),
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
