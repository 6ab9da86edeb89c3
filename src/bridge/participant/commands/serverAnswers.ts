import * as vscode from 'vscode';
import { messageOf } from '../../../base/errors.ts';
import type { Host } from '../../../host/host.ts';
import { describeState } from '../../../connection/connectionState.ts';
import { canSignIn, type ServerView } from '../../../host/views/serverView.ts';
import { viewNamed } from '../../../host/views/viewNamed.ts';
import type { Answer, CommandContext } from './answer.ts';
import { commandLink, links, table } from '../markdown.ts';
import { escaped } from '../../text/safeText.ts';
import { localized } from '../../text/localized.ts';

const { t } = vscode.l10n;
/** How long an added server may take to be read. */
const ADDED_WAIT_MS = 3_000;

/** `/servers`: each with its state, how many tools it has, and what can be done with it. */
export function serversAnswer({ host: { views } }: CommandContext): Answer {
  if (views.length === 0) {
    const add = commandLink(t('Add Server…'), 'mcpSwitchboard.addServer').markdown;
    return { markdown: `${t('No server is configured.')} ${add}`, followUps: [{ prompt: '', command: 'add' }] };
  }
  const connected = views.filter(({ state }) => state.kind === 'connected');
  const count = connected.reduce((sum, view) => sum + view.tools.length, 0);
  const rows = views.map((view) => [
    view.definition.name,
    localized(describeState(view.state)),
    String(view.tools.length),
    actionsOf(view),
  ]);
  const summary = t('{0} of {1} servers connected, {2} tools.', connected.length, views.length, count);
  const head = [t('Server'), t('State'), t('Tools'), ''];
  const lost = views.find(({ state }) => ['disconnected', 'failed', 'needs-auth'].includes(state.kind));
  return {
    markdown: `${summary}\n\n${table(head, rows)}`,
    followUps: [
      ...(lost ? [{ prompt: lost.definition.name, command: 'connect' }] : []),
      { prompt: '', command: 'tools' },
      { prompt: '', command: 'stats' },
    ],
  };
}

/** What can be done with a server now, as links. */
function actionsOf(view: ServerView): { readonly markdown: string } {
  const {
    definition: { id, status },
    state,
  } = view;
  const signIn = (): { readonly markdown: string } => commandLink(t('Sign In'), 'mcpSwitchboard.signIn', id);
  const log = commandLink(t('Show Log'), 'mcpSwitchboard.showLog', id);
  switch (state.kind) {
    case 'connected':
    case 'connecting':
    case 'installing':
    case 'pending': {
      const disconnect = commandLink(t('Disconnect'), 'mcpSwitchboard.disconnect', id);
      return canSignIn(view) ? links(signIn(), disconnect) : disconnect;
    }
    case 'needs-auth':
      if (canSignIn(view)) return links(signIn(), log);
      return links(commandLink(t('Connect'), 'mcpSwitchboard.connect', id), log);
    case 'disconnected':
    case 'failed':
      return links(commandLink(t('Connect'), 'mcpSwitchboard.connect', id), log);
    case 'disabled':
      if (status.kind === 'disabled' && status.by === 'preset')
        return commandLink(t('Select Preset…'), 'mcpSwitchboard.selectPreset');
      return status.kind === 'disabled' && status.by === 'user'
        ? commandLink(t('Enable'), 'mcpSwitchboard.enable', id)
        : commandLink(t('Open Definition'), 'mcpSwitchboard.openDefinition', id);
    case 'blocked':
      if (state.needsApproval) return commandLink(t('Approve…'), 'mcpSwitchboard.approve', id);
      return commandLink(t('Open Definition'), 'mcpSwitchboard.openDefinition', id);
    case 'shadowed':
    case 'problem':
      return commandLink(t('Open Definition'), 'mcpSwitchboard.openDefinition', id);
  }
}

/** `/connect NAME` and `/disconnect NAME`. */
export async function connectionAnswer(
  { host, argument }: CommandContext,
  command: 'connect' | 'disconnect',
): Promise<Answer> {
  const view = serverNamed(host, argument);
  if (!view) return whichServer(host, argument, command);
  const { id, name } = view.definition;
  try {
    if (command === 'connect') await host.pool.connect(id);
    else await host.pool.disconnect(id);
  } catch (error) {
    return { markdown: `${escaped(`${name}: ${localized(messageOf(error))}`)} ${actionsOf(view).markdown}` };
  }
  const now = host.view(id);
  const followUps =
    now?.state.kind === 'connected' ? [{ prompt: name, command: 'tools' }] : [{ prompt: name, command: 'connect' }];
  const state = now ? localized(describeState(now.state)) : '';
  return { markdown: `${escaped(`${name}: ${state}`)} ${now ? actionsOf(now).markdown : ''}`, followUps };
}

/** `/add [COMMAND or ADDRESS]`: the same questions as *Add Server…* asks, and what came of them. */
export async function addAnswer({ host, argument }: CommandContext): Promise<Answer> {
  const name = await vscode.commands.executeCommand<string | undefined>('mcpSwitchboard.addServer', argument);
  if (name === undefined) return { markdown: t('No server was added.') };
  const view = await appeared(host, name);
  if (!view) return { markdown: escaped(t('{0} was added.', name)), followUps: [{ prompt: '', command: 'servers' }] };
  return {
    markdown: `${escaped(t('{0} was added: {1}', name, localized(describeState(view.state))))} ${actionsOf(view).markdown}`,
    followUps: [{ prompt: name, command: 'tools' }],
  };
}

/** Resolves with the server of this name when it is there, with `undefined` after a while. */
async function appeared(host: Host, name: string): Promise<ServerView | undefined> {
  const deadline = Date.now() + ADDED_WAIT_MS;
  for (;;) {
    const view = host.views.find(({ definition, state }) => definition.name === name && state.kind !== 'shadowed');
    if (view || Date.now() > deadline) return view;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The server that a name means. */
export function serverNamed({ views, catalog }: Host, name: string): ServerView | undefined {
  return viewNamed(views, name, catalog);
}

/** Asks which server is meant, with each as a follow-up. */
export function whichServer({ views }: Host, name: string, command: string): Answer {
  const names = views.map(({ definition }) => definition.name);
  const text =
    name === ''
      ? t('Specify a server: {0}', names.join(', '))
      : t('Server “{0}” not found. Servers: {1}', name, names.join(', '));
  return { markdown: escaped(text), followUps: names.slice(0, 5).map((each) => ({ prompt: each, command })) };
}
