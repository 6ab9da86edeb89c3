import * as vscode from 'vscode';
import type { Host } from '../../../host/host.ts';

/** How many of the servers that are meant to be connected are. */
export function countConnected(host: Pick<Host, 'views'>): { readonly connected: number; readonly expected: number } {
  const kinds = host.views
    .filter(({ isOutsidePreset }) => isOutsidePreset !== true)
    .map(({ state }) => state.kind)
    .filter((kind) => kind !== 'shadowed');
  return {
    connected: kinds.filter((kind) => kind === 'connected').length,
    expected: kinds.filter((kind) => kind !== 'disabled' && kind !== 'blocked').length,
  };
}

/** The same in words. */
export function connectedText(host: Pick<Host, 'views'>): string {
  const { connected, expected } = countConnected(host);
  const { t } = vscode.l10n;
  return expected > 0 ? t('{0} of {1} MCP servers connected', connected, expected) : t('No MCP servers enabled');
}
