import * as vscode from 'vscode';
import { showInvisible } from '../../base/text/invisible.ts';
import { type Grant, GrantPins } from '../../calls/policy/permissionGrants.ts';
import { underlyingOf } from '../../catalog/catalogTool.ts';
import type { Host } from '../../host/host.ts';

/** A grant, as the view *Permissions* shows it. */
export function grantItem(host: Host, grant: Grant): vscode.TreeItem {
  const item = new vscode.TreeItem(showInvisible(`${grant.serverName} · ${grant.tool}`));
  item.id = grant.id;
  item.description = grantScope(grant, isVoid(host, grant));
  item.iconPath = new vscode.ThemeIcon(grant.lasting ? 'pass' : 'watch');
  item.tooltip = grant.argsText;
  item.contextValue = 'grant';
  return item;
}

/** The scope of a grant, in a few words. */
export function grantScope(grant: Grant, voided: boolean): string {
  const { t } = vscode.l10n;
  return [
    grant.lasting ? t('always') : t('in this session'),
    ...(grant.argsHash === undefined ? [] : [t('with these arguments')]),
    ...(grant.caller === undefined ? [] : [callerText(grant.caller)]),
    ...(voided ? [t('no longer valid: the server or the tool changed')] : []),
  ].join(', ');
}

function callerText(caller: string): string {
  const extension = /^extension:(.*)$/s.exec(caller)?.[1];
  return extension === undefined
    ? vscode.l10n.t('for agents outside the editor')
    : vscode.l10n.t('for the extension {0}', showInvisible(extension));
}

/** Whether the server or the tool changed since; the tools of a server that isn't connected count as unchanged. */
export function isVoid(host: Host, grant: Grant): boolean {
  const definition = host.servers.get(grant.serverId);
  if (!definition || definition.fingerprint !== grant.fingerprint) return true;
  const tools = host.catalog.toolsOf(grant.serverId);
  if (tools.length === 0) return false;
  const pins = new GrantPins();
  return !tools.some((tool) => underlyingOf(tool).name === grant.tool && pins.pinOf(tool) === grant.pin);
}
