// Loaded with a click on the status bar.
import * as vscode from 'vscode';
import { ownInputs } from '../../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../../bridge/text/safeText.ts';
import type { Host } from '../../../host/host.ts';
import { canSignIn } from '../../../host/views/serverView.ts';
import { openQuestions, waitingForUser } from '../../../host/views/waitingForUser.ts';
import type { EditorCallSettings } from '../../../platform/settings/editorCallSettings.ts';
import { activePresetText } from '../../presets/presetText.ts';
import { bannerContent, bannersOf } from '../tree/banners.ts';
import { connectedText, countConnected } from './connectedText.ts';
import { waitingTexts } from './waitingTexts.ts';

type Item = vscode.QuickPickItem & { readonly run?: readonly [command: string, ...args: unknown[]] };

/** So many servers that need a sign-in have a row each. */
const MAX_SIGN_INS = 5;

/** *Show Menu…*: what waits for the user, then servers, calls and settings. A click on the status bar opens it. */
export async function showQuickMenu(host: Host, settings: EditorCallSettings): Promise<void> {
  const { t } = vscode.l10n;
  const waiting = waitingItems(host, settings);
  const items: Item[] = [
    ...(waiting.length > 0 ? [separator(t('Waiting for You')), ...waiting] : []),
    separator(t('Servers and Calls')),
    ...generalItems(host, waiting),
    separator(t('Settings and Help')),
    {
      label: `$(gear) ${t('Settings')}`,
      run: ['workbench.action.openSettings', '@ext:mcp-switchboard.mcp-switchboard'],
    },
    {
      label: `$(pulse) ${t('Doctor')}`,
      description: t('Check configuration and servers'),
      run: ['mcpSwitchboard.doctor'],
    },
    {
      label: `$(question) ${t('Get Started')}`,
      run: ['mcpSwitchboard.help'],
    },
  ];
  const options = { title: t('MCP Switchboard'), placeHolder: t('Select what to do') };
  const picked = await ownInputs.ask(() => vscode.window.showQuickPick(items, options));
  if (picked?.run) await vscode.commands.executeCommand(...picked.run);
}

function waitingItems(host: Host, settings: EditorCallSettings): Item[] {
  const { t } = vscode.l10n;
  const texts = waitingTexts(waitingForUser(host));
  const questions = openQuestions(host);
  const signIns = host.views.filter(canSignIn);
  const rows: readonly (Item | false)[] = [
    questions > 0 && {
      label: `$(comment) ${questions === 1 ? t('Show Question') : t('Show Questions')}`,
      description: questions === 1 ? t('1 question waits for you') : t('{0} questions wait for you', questions),
      run: ['mcpSwitchboard.activity.focus'],
    },
    texts.hosting !== undefined && {
      label: `$(arrow-swap) ${t('Choose MCP Host…')}`,
      description: texts.hosting,
      run: ['mcpSwitchboard.chooseHost'],
    },
    texts.approvals !== undefined && {
      label: `$(shield) ${t('Review Servers…')}`,
      description: texts.approvals,
      run: ['mcpSwitchboard.review'],
    },
    ...signIns.slice(0, MAX_SIGN_INS).map(({ definition: { id, name } }): Item => ({
      label: `$(key) ${t('Sign In to {0}…', plainText(name))}`,
      run: ['mcpSwitchboard.signIn', id],
    })),
    signIns.length > MAX_SIGN_INS && {
      label: `$(key) ${t('Sign In…')}`,
      description: t('{0} more servers', signIns.length - MAX_SIGN_INS),
      run: ['mcpSwitchboard.signIn'],
    },
    texts.changes !== undefined && {
      label: `$(diff) ${t('Review Changed Tools…')}`,
      description: texts.changes,
      run: ['mcpSwitchboard.reviewTools'],
    },
    settings.hooksToApprove !== undefined && {
      label: `$(terminal) ${t('Review Workspace Hooks…')}`,
      run: ['mcpSwitchboard.reviewHooks'],
    },
  ];
  return rows.filter((row) => row !== false);
}

/** @param before what is above them */
function generalItems(host: Host, before: readonly Item[]): Item[] {
  const { t } = vscode.l10n;
  const { plan, inProgress } = host.calls;
  const running = inProgress.all.length;
  const planned = plan.queue.length;
  const wayOuts = wayOutItems(host);
  const servers = connectedText(host);
  const isSaid = [...before, ...wayOuts].some(({ description }) => description === servers);
  return [
    ...wayOuts,
    {
      label: `$(server) ${t('List Servers')}`,
      ...(isSaid ? {} : { description: servers }),
      run: ['mcpSwitchboard.listServers'],
    },
    {
      label: `$(layers) ${t('Select Preset…')}`,
      description: activePresetText(host) ?? t('All servers'),
      run: ['mcpSwitchboard.selectPreset'],
    },
    { label: `$(add) ${t('Add Server…')}`, run: ['mcpSwitchboard.addServer'] },
    {
      label: `$(history) ${t('Show Activity')}`,
      ...(running > 0 ? { description: running === 1 ? t('1 call runs') : t('{0} calls run', running) } : {}),
      run: ['mcpSwitchboard.activity.focus'],
    },
    {
      label: `$(checklist) ${plan.on ? t('Turn Plan Mode Off') : t('Turn Plan Mode On')}`,
      ...(planned > 0 ? { description: planned === 1 ? t('1 planned call') : t('{0} planned calls', planned) } : {}),
      run: ['mcpSwitchboard.togglePlanMode'],
    },
    { label: `$(shield) ${t('Manage Permissions…')}`, run: ['mcpSwitchboard.managePermissions'] },
  ];
}

/** What the user can do about servers that don't run here, where nothing asks for it. */
function wayOutItems(host: Host): Item[] {
  const { t } = vscode.l10n;
  const labels = {
    untrusted: t('Manage Trust…'),
    leftToEditor: t('Choose MCP Host…'),
    allDisabled: t('Enable…'),
  };
  const banners = bannersOf(host);
  const rejected = host.views.filter(
    ({ definition: { status } }) => status.kind === 'blocked' && status.by === 'rejected',
  );
  return [
    ...(['untrusted', 'leftToEditor', 'allDisabled'] as const).flatMap((what): Item[] => {
      const count = banners.get(what);
      if (count === undefined) return [];
      const { icon, sentence, command } = bannerContent(what, count);
      return [{ label: `$(${icon}) ${labels[what]}`, description: sentence, run: [command] }];
    }),
    ...(rejected.length > 0 && countConnected(host).expected === 0
      ? [
          {
            label: `$(check) ${t('Approve…')}`,
            description:
              rejected.length === 1 ? t('You rejected 1 server') : t('You rejected {0} servers', rejected.length),
            run: ['mcpSwitchboard.approve'] as const,
          },
        ]
      : []),
  ];
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
