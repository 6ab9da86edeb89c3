import * as vscode from 'vscode';
import { describeState } from '../../connection/connectionState.ts';
import type { ServerView } from '../../host/serverView.ts';
import { launchLine } from './serverPresentation.ts';

export interface ServerPick extends vscode.QuickPickItem {
  readonly view: ServerView;
}

/** A server as a line of a quick pick. */
export function serverPick(view: ServerView): ServerPick {
  return {
    label: view.definition.name,
    description: describeState(view.state),
    detail: launchLine(view.definition.entry),
    view,
  };
}

/** Lets the person pick one of `views`; says so where there is none. */
export async function pickServer(
  views: readonly ServerView[],
  placeHolder: string,
  none: string,
): Promise<ServerView | undefined> {
  if (views.length === 0) {
    void vscode.window.showInformationMessage(none);
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(views.map(serverPick), { placeHolder, matchOnDescription: true });
  return picked?.view;
}
