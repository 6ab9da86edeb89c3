// Loaded with the first command on a server or a configuration file.
import * as vscode from 'vscode';
import { ownInputs } from '../../bridge/dialogs/ownInputs.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import type { Host } from '../../host/host.ts';
import type { Logs } from '../../platform/outputChannels.ts';
import type { ServerEntry } from '../../config/configTypes.ts';
import { describeState } from '../../connection/connectionState.ts';
import { isSharedWithEditor, type ServerView } from '../../host/views/serverView.ts';
import { confirm } from '../askChoice.ts';
import { canBeRemoved } from './canBeRemoved.ts';
import { chosenServers, serverIdOf } from './chosenServers.ts';
import { connectWithProgress } from './connectServers.ts';
import { launchLine } from './serverLabels.ts';
import { openDefinition } from '../config/openConfig.ts';
import { signInActions, type SignInActionId } from './signInActions.ts';
import { notifyNone } from '../nothingToShow.ts';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { localized } from '../../bridge/text/localized.ts';

export { openConfigFile, openLocalConfig, openUserSetting } from '../config/openConfig.ts';

export type ServerActionId =
  | 'mcpSwitchboard.connect'
  | 'mcpSwitchboard.disconnect'
  | 'mcpSwitchboard.restart'
  | 'mcpSwitchboard.showLog'
  | 'mcpSwitchboard.openDefinition'
  | 'mcpSwitchboard.approve'
  | 'mcpSwitchboard.disable'
  | 'mcpSwitchboard.enable'
  | 'mcpSwitchboard.removeServer'
  | SignInActionId;

/** A command on one server: which servers it applies to, and what it does. */
export interface ServerAction {
  readonly id: ServerActionId;
  /** In the list of actions of a server. */
  readonly label: string;
  /** Shown above the list of servers when the command comes from the palette. */
  readonly placeHolder: string;
  /** Shown where the command applies to no server. */
  readonly none: string;
  appliesTo(view: ServerView): boolean;
  run(view: ServerView): Promise<void> | void;
  /** In place of `run`, for several at once. */
  runAll?(views: readonly ServerView[]): Promise<void>;
  /** Asked before a key runs it: what is selected needn't be the row that the person looks at. */
  confirmKey?(views: readonly ServerView[]): Promise<boolean>;
}

const RUNNING = ['connected', 'connecting', 'installing', 'pending'];
const STARTABLE = ['disconnected', 'failed', 'needs-auth'];

function serverActions(host: Host, logs: Logs): readonly ServerAction[] {
  const { t } = vscode.l10n;
  return [
    ...signInActions(host),
    {
      id: 'mcpSwitchboard.connect',
      label: `$(debug-start) ${t('Connect')}`,
      placeHolder: t('Select a server to connect'),
      none: t('No disconnected servers.'),
      appliesTo: ({ state }) => STARTABLE.includes(state.kind),
      run: (view) => connectWithProgress(host, [view]),
      runAll: (views) => connectWithProgress(host, views),
    },
    {
      id: 'mcpSwitchboard.disconnect',
      label: `$(debug-stop) ${t('Disconnect')}`,
      placeHolder: t('Select a server to disconnect'),
      none: t('No connected servers.'),
      appliesTo: ({ state }) => RUNNING.includes(state.kind),
      run: ({ definition }) => host.pool.disconnect(definition.id),
    },
    {
      id: 'mcpSwitchboard.restart',
      label: `$(debug-restart) ${t('Restart')}`,
      placeHolder: t('Select a server to restart'),
      none: t('No servers to restart.'),
      appliesTo: ({ state }) => [...RUNNING, ...STARTABLE].includes(state.kind),
      run: async ({ definition }) => {
        await host.pool.restart(definition.id);
      },
    },
    {
      id: 'mcpSwitchboard.showLog',
      label: `$(output) ${t('Show Log')}`,
      placeHolder: t('Select a server to show its log'),
      none: t('No servers configured.'),
      appliesTo: () => true,
      run: ({ definition }) => logs.show(definition.name),
    },
    {
      id: 'mcpSwitchboard.openDefinition',
      label: `$(go-to-file) ${t('Open Definition')}`,
      placeHolder: t('Select a server to open its definition'),
      none: t('No servers configured.'),
      appliesTo: () => true,
      run: ({ definition }) => openDefinition(definition.entry),
    },
    {
      id: 'mcpSwitchboard.approve',
      label: `$(check) ${t('Approve…')}`,
      placeHolder: t('Select a server to approve'),
      none: t('No servers need approval.'),
      appliesTo: ({ definition: { status } }) =>
        status.kind === 'needs-approval' || (status.kind === 'blocked' && status.by === 'rejected'),
      run: async ({ definition }) => {
        await vscode.commands.executeCommand('mcpSwitchboard.review', [definition.id]);
      },
    },
    {
      id: 'mcpSwitchboard.disable',
      label: `$(circle-slash) ${t('Disable')}`,
      placeHolder: t('Select a server to disable'),
      none: t('No servers to disable.'),
      appliesTo: ({ definition: { status } }) => status.kind === 'ready' || status.kind === 'needs-approval',
      run: ({ definition }) => host.servers.setDisabled(definition.id, true),
    },
    {
      id: 'mcpSwitchboard.enable',
      label: `$(circle-outline) ${t('Enable')}`,
      placeHolder: t('Select a server to enable'),
      none: t('No disabled servers.'),
      appliesTo: (view) => {
        const { status } = view.definition;
        return status.kind === 'disabled' && (status.by === 'user' || (status.by === 'entry' && canBeRemoved(view)));
      },
      run: async (view) => {
        const { id, status } = view.definition;
        if (status.kind === 'disabled' && status.by === 'entry')
          await (await import('./enableInFile.ts')).enableInFile(host, view);
        await host.servers.setDisabled(id, false);
      },
    },
    {
      id: 'mcpSwitchboard.removeServer',
      label: `$(trash) ${t('Remove')}`,
      placeHolder: t('Select a server to remove'),
      none: t('No servers to remove.'),
      appliesTo: canBeRemoved,
      run: ({ definition }) => removeAll(host, [definition.entry]),
      runAll: (views) =>
        removeAll(
          host,
          views.map(({ definition }) => definition.entry),
        ),
      confirmKey: (views) => {
        const names = views.map(({ definition }) => definition.name).join(', ');
        return confirm(plainText(t('Remove {0}?', names)), t('Remove'));
      },
    },
  ];
}

async function removeAll(host: Host, entries: readonly ServerEntry[]): Promise<void> {
  await (await import('./removeServerCommand.ts')).removeFromSource(host, entries);
}

/**
 * Runs an action on the server that `target` stands for, a node of the tree or a name; without one, asks which.
 * @param selected what is selected in the tree beside it: the action runs on all servers among these that it applies to
 * @param isByKey the target is what is selected, not a row that was clicked
 */
export async function runServerAction(
  host: Host,
  logs: Logs,
  id: ServerActionId,
  target: unknown,
  selected: readonly unknown[] = [],
  isByKey = false,
): Promise<void> {
  const action = serverActions(host, logs).find((each) => each.id === id);
  if (!action) return;
  const named = serverIdOf(host, target);
  if (named === undefined) {
    const applicable = host.views.filter((each) => action.appliesTo(each));
    // It says what else waits: the choice of the host, or trust.
    if (id === 'mcpSwitchboard.approve' && applicable.length === 0 && host.views.length > 0) {
      await vscode.commands.executeCommand('mcpSwitchboard.review');
      return;
    }
    const view = await pickServer(host, applicable, action.placeHolder, action.none);
    if (view) await action.run(view);
    return;
  }
  const views = chosenServers(host, (view) => action.appliesTo(view), named, selected);
  const [view] = views;
  if (!view) {
    if (host.view(named)) void notify('information', action.none);
    return;
  }
  if (isByKey && action.confirmKey && !(await action.confirmKey(views))) return;
  if (views.length > 1) await runOnSeveral(action, views);
  else await action.run(view);
}

/** All of them, also where one fails; then the first failure. */
async function runOnSeveral(action: ServerAction, views: readonly ServerView[]): Promise<void> {
  if (action.runAll) return action.runAll(views);
  const results = await Promise.allSettled(views.map(async (view) => action.run(view)));
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/** *List Servers*: picking one offers its actions. */
export async function listServers(host: Host, logs: Logs): Promise<void> {
  const { t } = vscode.l10n;
  const view = await pickServer(
    host,
    host.views,
    t('MCP servers'),
    t('No MCP servers configured. To add one, run Add Server….'),
  );
  if (!view) return;
  const items: (vscode.QuickPickItem & { run(): unknown })[] = serverActions(host, logs)
    .filter((action) => action.appliesTo(view))
    .map((action) => ({ label: action.label, run: () => action.run(view) }));
  const chooseHost = (): unknown => vscode.commands.executeCommand('mcpSwitchboard.chooseHost');
  if (isSharedWithEditor(view)) items.push({ label: `$(arrow-swap) ${t('Choose MCP Host…')}`, run: chooseHost });
  const picked = await ownInputs.ask(() =>
    vscode.window.showQuickPick(items, { placeHolder: plainText(view.definition.name) }),
  );
  await picked?.run();
}

/** Lets the user pick one of `views`; shows `none` where there is none. */
export async function pickServer(
  host: Host,
  views: readonly ServerView[],
  placeHolder: string,
  none: string,
): Promise<ServerView | undefined> {
  if (views.length === 0) {
    void notifyNone(host, none);
    return undefined;
  }
  const items = views.map((view) => ({
    label: plainText(view.definition.name),
    description: plainText(localized(describeState(view.state))),
    detail: plainText(launchLine(view.definition.entry)),
    view,
  }));
  return (await ownInputs.ask(() => vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true })))
    ?.view;
}
