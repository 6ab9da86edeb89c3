import * as vscode from 'vscode';
import { plainText } from '../../bridge/text/safeText.ts';
import { describeState } from '../../connection/connectionState.ts';
import { canSignIn, isSharedWithEditor, type ServerView } from '../../host/views/serverView.ts';
import { stateIcon } from '../servers/serverLabels.ts';
import { localized } from '../../bridge/text/localized.ts';

/** One piece of the line above a server. */
export interface LensText {
  readonly title: string;
  /** Runs with the server's id. */
  readonly command: string;
  readonly tooltip?: string;
}

/** Longer, and what can be done stands outside of a narrow editor. */
const LONGEST_STATE = 40;

/**
 * What is said above a server in its file, and what can be done there: only what fits its state.
 * @param knownTools how many of its tools are known, also while it isn't connected
 */
export function lensTexts(view: ServerView, knownTools: number): readonly LensText[] {
  const { t } = vscode.l10n;
  const { state } = view;
  const text = plainText(localized(describeState(state)));
  const short = text.length > LONGEST_STATE ? `${text.slice(0, LONGEST_STATE)}…` : text;
  const tools = knownTools === 1 ? t('1 tool') : t('{0} tools', knownTools);
  const hasRun = ['connected', 'connecting', 'installing', 'pending', 'failed', 'needs-auth'].includes(state.kind);
  return [
    // VS Code has a line of its own there, about its own copy.
    {
      title: `$(${stateIcon(state).id}) ${t('MCP Switchboard: {0}', short)}`,
      command: 'mcpSwitchboard.showInServersView',
      tooltip: short === text ? t('Show in Servers View') : text,
    },
    ...actionsOf(view),
    ...(knownTools > 0 ? [{ title: tools, command: 'mcpSwitchboard.showInServersView' }] : []),
    ...(hasRun ? [{ title: t('Show Log'), command: 'mcpSwitchboard.showLog' }] : []),
  ];
}

/** What most people want next. */
function actionsOf(view: ServerView): readonly LensText[] {
  const { t } = vscode.l10n;
  const {
    state,
    definition: { status },
  } = view;
  if (canSignIn(view)) return [{ title: t('Sign In'), command: 'mcpSwitchboard.signIn' }];
  if (isSharedWithEditor(view)) return [{ title: t('Choose MCP Host…'), command: 'mcpSwitchboard.chooseHost' }];
  if (status.kind === 'disabled' && status.by === 'user')
    return [{ title: t('Enable'), command: 'mcpSwitchboard.enable' }];
  if (status.kind === 'disabled' && status.by === 'preset')
    return [{ title: t('Select Preset…'), command: 'mcpSwitchboard.selectPreset' }];
  switch (state.kind) {
    case 'connected':
      return [{ title: t('Restart'), command: 'mcpSwitchboard.restart' }];
    case 'connecting':
    case 'installing':
    case 'pending':
      return [{ title: t('Disconnect'), command: 'mcpSwitchboard.disconnect' }];
    case 'disconnected':
    case 'failed':
    case 'needs-auth':
      return [{ title: t('Connect'), command: 'mcpSwitchboard.connect' }];
    case 'blocked':
      return state.needsApproval || (status.kind === 'blocked' && status.by === 'rejected')
        ? [{ title: t('Approve…'), command: 'mcpSwitchboard.approve' }]
        : [];
    case 'disabled':
    case 'shadowed':
    case 'problem':
      return [];
  }
}
