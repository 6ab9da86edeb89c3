import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import { messageOf } from '../../base/errors.ts';
import type { CallOutcome } from '../../calls/callTypes.ts';
import { hasApp } from '../../catalog/toolApp.ts';
import type { Host } from '../../host/host.ts';
import { notify } from '../dialogs/showNotification.ts';
import { showsApps } from '../gateway/editor/editorVersions.ts';

/**
 * Draws the result of a call by the app of its tool, where there is one: calls through the gateway are drawn by the editor itself. Nobody
 * waits for it.
 * @param name any that means the tool
 */
export function drawResult(host: Host, name: string, args: JsonObject, outcome: CallOutcome): void {
  const tool = host.catalog.meant(name);
  // The result of a task isn't there yet.
  if (!tool || !hasApp(tool) || outcome.task !== undefined) return;
  const setting = vscode.workspace.getConfiguration('chat.mcp').get('apps.enabled');
  if (!showsApps(vscode.version, setting)) return;
  import('./appPanel.ts')
    .then(({ drawApp }) => drawApp(host, { tool, args, outcome }))
    .catch((error: unknown) => void notify('error', messageOf(error)));
}
