// Loaded with the first address of this extension that the editor passes on.
import type * as vscode from 'vscode';
import type { EditorSignIn } from '../bridge/signIn/editorSignIn.ts';
import type { Host } from '../host/host.ts';
import type { ExtensionStorage } from './add/addServer.ts';

/** `/add`: a link that adds servers; else the browser comes back from a sign-in. */
export async function takeUri(
  uri: vscode.Uri,
  host: Host,
  storage: ExtensionStorage,
  signIn: () => Promise<EditorSignIn>,
): Promise<void> {
  if (uri.path === '/add') await (await import('./add/addLink.ts')).addFromLink(host, storage, uri);
  else (await signIn()).takeUri(uri);
}
