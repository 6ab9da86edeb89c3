import * as vscode from 'vscode';
import { oneLine, showInvisible } from '../../../base/text/showInvisible.ts';
import { describeState, type ServerState } from '../../../connection/connectionState.ts';
import type { Host } from '../../../host/host.ts';
import { canSignIn, isSharedWithEditor, type ServerView } from '../../../host/views/serverView.ts';
import { mayRunInEditor } from '../../../servers/trust/offHere.ts';
import { canBeMoved, canBeRemoved, canSetHeader } from '../canBeRemoved.ts';
import { accountOf, hasAccounts } from '../serverAccount.ts';
import { serverDescription, serverMarks, stateIcon } from '../serverLabels.ts';
import type { NameMark } from './nameMarks.ts';
import { hasChildren } from './serverChildren.ts';
import { localized } from '../../../bridge/text/localized.ts';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** A row shows the beginning of a long reason; the tooltip has all of it. */
const MAX_DESCRIPTION = 120;

const WARNING_ICON = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

/** The row of a server: its name, its state or how many tools it has, and what is to be noted. */
export function serverRow(host: Host, view: ServerView, named: NameMark): vscode.TreeItem {
  const { catalog, feed } = host;
  const { definition, state } = view;
  const { id } = definition;
  const tools = catalog.toolsOf(id);
  const account = accountOf(host, view);
  const marks = [
    ...(account ? [vscode.l10n.t('as {0}', showInvisible(account.label))] : []),
    ...serverMarks(tools, feed.openChangesOf(id).length),
    ...named.marks,
  ];
  const item = new vscode.TreeItem(showInvisible(definition.name), hasChildren(host, view) ? Collapsed : None);
  item.id = id;
  // First: the view cuts the end, and this is what nobody expects of a server that is off.
  const elsewhere = mayRunInEditor(host.servers, definition) ? [vscode.l10n.t('VS Code may start it')] : [];
  item.description = [...elsewhere, shortened(serverDescription(view)), ...marks].join(' · ');
  item.iconPath = named.marks.length > 0 ? WARNING_ICON : stateIcon(state);
  item.contextValue = [
    contextValue(view),
    ...signInWords(host, view),
    ...(feed.openChangesOf(id).length > 0 ? ['changed'] : []),
  ].join(' ');
  const spoken = state.kind === 'connected' && !state.listError ? [localized(describeState(state))] : [];
  item.accessibilityInformation = {
    label: vscode.l10n.t('MCP server {0}, {1}', item.label as string, [...spoken, item.description].join(', ')),
  };
  return item;
}

const ITEMS = ['resources', 'prompts'] as const;

function shortened(text: string): string {
  const line = oneLine(text);
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION)}…` : line;
}

const CONNECTABLE: readonly ServerState['kind'][] = ['disconnected', 'failed', 'needs-auth'];
const DISCONNECTABLE: readonly ServerState['kind'][] = ['connected', 'connecting', 'installing', 'pending'];

/** The actions of a server, as the words that the manifest's menus check. */
function contextValue(view: ServerView): string {
  const { state, definition } = view;
  const { status, entry } = definition;
  const isRejected = status.kind === 'blocked' && status.by === 'rejected';
  const isOff = status.kind === 'disabled' && (status.by === 'user' || (status.by === 'entry' && canBeRemoved(view)));
  const words: readonly (readonly [string, boolean])[] = [
    ['server', true],
    ...ITEMS.map((what) => [what, state.kind === 'connected' && what in state.info.capabilities] as const),
    ['disconnectable', DISCONNECTABLE.includes(state.kind)],
    ['restartable', DISCONNECTABLE.includes(state.kind)],
    ['connectable', CONNECTABLE.includes(state.kind)],
    ['approvable', (state.kind === 'blocked' && state.needsApproval) || isRejected],
    ['enableable', isOff],
    ['unused', status.kind === 'disabled' && status.by === 'preset'],
    ['hostable', isSharedWithEditor(view)],
    ['untrusted', status.kind === 'blocked' && status.by === 'untrusted-workspace'],
    ['removable', canBeRemoved(view)],
    ['movable', canBeMoved(view)],
    ['headed', canSetHeader(view)],
    ['exportable', entry.transport.type !== 'sdk'],
    ['disableable', status.kind === 'ready' || status.kind === 'needs-approval'],
  ];
  return words.flatMap(([word, isSo]) => (isSo ? [word] : [])).join(' ');
}

/** The actions that concern a server's accounts. */
function signInWords(host: Host, view: ServerView): readonly string[] {
  return [
    ...(canSignIn(view) ? ['signable'] : []),
    ...(hasAccounts(host, view) ? ['accounts'] : []),
    ...(accountOf(host, view) ? ['signedIn'] : []),
  ];
}
