import * as vscode from 'vscode';
import type { Host } from '../../../host/host.ts';
import { bannersOf, heldBackTexts } from '../tree/banners.ts';

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

/** The same in words; where none is meant to be connected, what keeps them from running here. */
export function connectedText(host: Pick<Host, 'views' | 'feed' | 'servers'>): string {
  return serversTexts(host)[0] ?? '';
}

/** A sentence each: how many servers are connected, and what keeps others from running here. Always at least one. */
export function serversTexts(
  host: Pick<Host, 'views' | 'feed' | 'servers'>,
  banners = bannersOf(host),
): readonly string[] {
  const { connected, expected } = countConnected(host);
  const { t } = vscode.l10n;
  const texts = [
    ...(expected > 0 ? [t('{0} of {1} MCP servers connected', connected, expected)] : []),
    ...heldBackTexts(banners),
  ];
  return texts.length > 0 ? texts : [noneText(host)];
}

function noneText({ views }: Pick<Host, 'views'>): string {
  const { t } = vscode.l10n;
  if (views.length === 0) return t('No MCP servers configured');
  const blocked = views.filter(({ state, isOutsidePreset }) => state.kind === 'blocked' && !isOutsidePreset).length;
  if (blocked === 0) return t('No MCP servers enabled');
  return blocked === 1 ? t('1 server is blocked') : t('{0} servers are blocked', blocked);
}
