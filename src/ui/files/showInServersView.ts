// Loaded with the first command that needs it.
import * as vscode from 'vscode';
import { notify } from '../../bridge/dialogs/showNotification.ts';
import { serverAt } from '../../config/help/serverOutline.ts';
import type { Host } from '../../host/host.ts';
import type { ServersTree } from '../servers/serversTree.ts';
import { DocumentReader } from './documentReader.ts';

/**
 * *Show in Servers View*: selects a server in the view.
 * @param target the server's id; anything else stands for the server at the cursor
 */
export async function showInServersView(host: Host, tree: ServersTree, target: unknown): Promise<void> {
  const id = typeof target === 'string' ? target : await serverAtCursor(host);
  if (id === undefined || !host.view(id)) {
    void notify('information', vscode.l10n.t('Place the cursor in a server of a file that MCP Switchboard reads.'));
    return;
  }
  await tree.revealServer(id);
}

/** The id of the server whose entry the cursor is in. */
export async function serverAtCursor(host: Host): Promise<string | undefined> {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  if (!document || !selection) return undefined;
  for (const { source, outline } of await new DocumentReader(host).outlines(document)) {
    const name = serverAt(outline, document.offsetAt(selection.active))?.name;
    const found = host.servers.definitions.find(({ entry }) => entry.source.id === source.id && entry.name === name);
    if (found) return found.id;
  }
  return undefined;
}
