import * as vscode from 'vscode';
import { messageOf, SwitchboardError, type ErrorCode } from '../../base/errors.ts';
import { plainText } from '../../bridge/text/safeText.ts';
import { withTransport, type PastedServer } from '../../config/paste/readPasted.ts';
import { describeState } from '../../connection/connectionState.ts';
import type { ConnectionState } from '../../connection/connectionTypes.ts';
import type { Host } from '../../host/host.ts';
import { rememberAnswer, sessionEntry } from '../../servers/answersWhileAdding.ts';
import { localized } from '../../bridge/text/localized.ts';

/** Why a server didn't connect. */
export interface TrialFailure {
  readonly name: string;
  /** For users. */
  readonly step: string;
  readonly reason: string;
}

/** Servers that run before they are saved. */
export interface Trial {
  /** Empty: all did. */
  readonly failures: readonly TrialFailure[];
  /** The servers as they connected: with the transport that was found by trying. */
  readonly servers: readonly PastedServer[];
  /** The user stopped it. */
  readonly isCancelled: boolean;
  /** Stops them and takes them away again; resolves when no process is left. */
  end(): Promise<void>;
}

/** Connects servers that are written nowhere yet; the user has seen and approved what they run. */
export async function tryServers(host: Host, servers: readonly PastedServer[]): Promise<Trial> {
  const { t } = vscode.l10n;
  const ids: string[] = [];
  for (const { entry, answers } of servers) {
    const trial = sessionEntry(entry);
    for (const input of trial.inputs ?? []) {
      const answer = answers.get(input.id);
      if (host.values && answer !== undefined) await rememberAnswer(host.values, trial, input, answer);
    }
    ids.push(host.servers.addForSession(entry.name, entry.transport, entry));
  }
  const [first] = servers;
  const title =
    servers.length === 1 && first
      ? t('Connecting {0}', first.entry.name)
      : t('Connecting {0} servers', String(servers.length));
  const outcome = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: plainText(title), cancellable: true },
    async (progress, token) => {
      const cancelled = new Promise<undefined>((resolve) => token.onCancellationRequested(() => resolve(undefined)));
      const shown = host.pool.onDidChangeState(({ id, state }) => {
        if (ids.includes(id)) progress.report({ message: plainText(localized(describeState(state))) });
      });
      try {
        return await Promise.race([Promise.all(ids.map((id) => failureOf(host, id))), cancelled]);
      } finally {
        shown.dispose();
      }
    },
  );
  return {
    failures: outcome?.flatMap((failure) => failure ?? []) ?? [],
    servers: servers.map((server, index) => connectedOver(server, host.pool.get(ids[index] ?? '')?.state)),
    isCancelled: outcome === undefined,
    end: async () => {
      await Promise.all(ids.filter((id) => host.pool.get(id)).map((id) => host.pool.disconnect(id)));
      for (const id of ids) host.servers.removeAdded(id);
    },
  };
}

/** Forgets what was answered for servers that were only tried. */
export async function forgetTrial(host: Host, servers: readonly PastedServer[]): Promise<void> {
  for (const trial of servers.map(({ entry }) => sessionEntry(entry)))
    for (const input of trial.inputs ?? []) if (host.values) await rememberAnswer(host.values, trial, input, undefined);
}

function connectedOver(server: PastedServer, state: ConnectionState | undefined): PastedServer {
  const transport = state?.kind === 'connected' ? state.info.transport : undefined;
  return transport === 'http' || transport === 'sse' ? withTransport(server, transport) : server;
}

async function failureOf(host: Host, id: string): Promise<TrialFailure | undefined> {
  const name = host.servers.get(id)?.name ?? '';
  try {
    const view = host.view(id);
    const state = host.pool.get(id) ? await host.pool.connect(id) : view?.state;
    if (!state) return undefined;
    if (state.kind === 'connected')
      return state.listError === undefined
        ? undefined
        : { name, step: stepOf('discovery-failed'), reason: state.listError };
    // That it would try again is nothing to a server that isn't saved.
    const failure = 'failure' in state ? state.failure : undefined;
    const step = stepOf(failure?.code ?? (state.kind === 'blocked' ? 'denied' : 'unresolved-variable'));
    const reason = state.kind === 'pending' ? localized(state.failure.message) : localized(describeState(state));
    const remedy = failure?.remedy === undefined || reason.includes(failure.remedy) ? '' : ` ${failure.remedy}`;
    return { name, step, reason: reason + remedy };
  } catch (error) {
    return {
      name,
      step: stepOf(error instanceof SwitchboardError ? error.code : 'internal'),
      reason: localized(messageOf(error)),
    };
  }
}

/** Which step of connecting ends with a code. */
function stepOf(code: ErrorCode): string {
  const { t } = vscode.l10n;
  switch (code) {
    case 'denied':
      return t('Checking the lists of allowed servers failed');
    case 'unresolved-variable':
      return t('Filling in its variables and inputs failed');
    case 'install-failed':
      return t('Installing it failed');
    case 'command-not-found':
    case 'command-not-executable':
    case 'cwd-not-found':
    case 'exited':
      return t('Starting its process failed');
    case 'unreachable':
    case 'certificate':
    case 'http-status':
    case 'connection-lost':
      return t('Reaching its address failed');
    case 'needs-auth':
      return t('Signing in to it failed');
    case 'handshake-timeout':
    case 'handshake-failed':
      return t('The handshake failed');
    case 'discovery-failed':
      return t('Listing its tools failed');
    default:
      return t('Connecting failed');
  }
}
