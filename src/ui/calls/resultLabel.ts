// Loaded with the first list of calls.
import * as vscode from 'vscode';
import type { HistoryEntry } from '../../calls/history/callHistory.ts';

/** What became of a call, in a word or two: rows, lists and reports say the same. */
export function resultLabel(result: HistoryEntry['result']): string {
  const { t } = vscode.l10n;
  const labels: Record<HistoryEntry['result'], string> = {
    ok: t('Succeeded'),
    queued: t('Planned'),
    denied: t('Denied'),
    'call-cancelled': t('Cancelled'),
    'call-failed': t('Failed'),
    'call-timeout': t('Timed out'),
    'tool-error': t('Tool error'),
    'needs-auth': t('Needs sign-in'),
    'not-connected': t('Not connected'),
    'connection-lost': t('Connection lost'),
    'unknown-server': t('Unknown server'),
    'unknown-tool': t('Unknown tool'),
    'invalid-arguments': t('Invalid arguments'),
    'message-too-large': t('Message too large'),
    'command-not-found': t('Command not found'),
    'command-not-executable': t('Command not executable'),
    'cwd-not-found': t('Working directory not found'),
    'install-failed': t('Installation failed'),
    exited: t('Server exited'),
    'handshake-timeout': t('Connecting timed out'),
    'handshake-failed': t('Connecting failed'),
    'discovery-failed': t('Listing tools failed'),
    unreachable: t('Server unreachable'),
    certificate: t('Certificate refused'),
    'http-status': t('HTTP error'),
    'unresolved-variable': t('Unresolved variable'),
    unsupported: t('Unsupported'),
    internal: t('Internal error'),
  };
  return labels[result];
}
