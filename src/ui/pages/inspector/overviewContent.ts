import * as vscode from 'vscode';
import { oneLine } from '../../../base/text/showInvisible.ts';
import { localized } from '../../../bridge/text/localized.ts';
import { describeState } from '../../../connection/connectionState.ts';
import type { ConnectionFailure } from '../../../connection/connectionTypes.ts';
import type { ServerView } from '../../../host/views/serverView.ts';
import type { DrawableIcon } from '../../../connection/icons/drawableIcon.ts';
import { launchLine } from '../../servers/serverLabels.ts';
import type { Action, Block, Row } from '../pageContent.ts';
import { columnsOf } from '../tableParts.ts';

/** What a button of the tab does; behind it stands the id of the server. */
export type ServerAct = 'connect' | 'restart' | 'log' | 'definition';

/**
 * *Server*: in which state servers are and why, what to do about it, and what they said of themselves.
 * @param icon of the only server
 */
export function overviewContent(views: readonly ServerView[], now: number, icon?: DrawableIcon): readonly Block[] {
  const { t } = vscode.l10n;
  const states: Block = {
    kind: 'table',
    id: 'servers',
    title: t('State'),
    empty: t('No servers configured.'),
    columns: columnsOf([t('Server'), t('State'), t('What to do')], []),
    rows: views.map((view) => stateRow(view, now)),
    drawings: [],
  };
  return [
    states,
    ...views.flatMap(stderrBlock),
    ...(views.length === 1 ? views.flatMap((view) => factsBlock(view, icon)) : []),
  ];
}

function stateRow(view: ServerView, now: number): Row {
  const { id, name } = view.definition;
  const cells = [oneLine(name), oneLine(localized(describeState(view.state, now))), oneLine(localized(remedyOf(view)))];
  return { key: id, cells, actions: actionsOf(view), children: [] };
}

function actionsOf({ definition: { id, name }, state }: ServerView): readonly Action[] {
  const { t } = vscode.l10n;
  const action = (act: ServerAct, label: string): Action => {
    return { id: `${act} ${id}`, label, accessibleLabel: `${label}: ${oneLine(name)}` };
  };
  const canConnect = ['disconnected', 'failed', 'needs-auth'].includes(state.kind);
  const isRunning = ['connected', 'connecting', 'installing', 'pending'].includes(state.kind);
  return [
    ...(canConnect ? [action('connect', t('Connect'))] : []),
    ...(isRunning ? [action('restart', t('Restart'))] : []),
    action('log', t('Show Log')),
    action('definition', t('Open Definition')),
  ];
}

/** What to do next, as far as it is known; may be empty. */
function remedyOf({ state }: ServerView): string {
  const failure = failureIn(state);
  if (failure?.remedy !== undefined) return failure.remedy;
  if (state.kind === 'blocked') return state.needsApproval ? vscode.l10n.t('Review Servers…') : (state.rule ?? '');
  if (state.kind === 'needs-auth') return vscode.l10n.t('Sign in to the server.');
  return '';
}

function stderrBlock({ definition: { name }, state }: ServerView): readonly Block[] {
  const tail = failureIn(state)?.stderrTail ?? [];
  const title = `${vscode.l10n.t('Last lines of stderr')}: ${oneLine(name)}`;
  return tail.length === 0 ? [] : [{ kind: 'code', title, text: tail.join('\n') }];
}

function factsBlock({ definition: { entry }, state }: ServerView, icon: DrawableIcon | undefined): readonly Block[] {
  const { t } = vscode.l10n;
  const runs: Block = { kind: 'code', title: t('What runs'), text: oneLine(launchLine(entry)) };
  if (state.kind !== 'connected') return [runs];
  const { instructions: _instructions, icons: _icons, pid: _pid, ...info } = state.info;
  const said: Block = { kind: 'json', title: t('What the server says of itself'), text: JSON.stringify(info) };
  const instructions = state.info.instructions ?? '';
  return [
    runs,
    ...(icon ? [{ kind: 'media', title: t('Icon'), ...icon } as const] : []),
    said,
    ...(instructions === '' ? [] : [{ kind: 'code', title: t('Instructions'), text: instructions } as const]),
    ...(state.listError === undefined ? [] : [{ kind: 'text', text: oneLine(localized(state.listError)) } as const]),
  ];
}

function failureIn(state: ServerView['state']): ConnectionFailure | undefined {
  return state.kind === 'failed' || state.kind === 'pending' || state.kind === 'needs-auth' ? state.failure : undefined;
}
