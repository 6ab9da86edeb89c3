import * as os from 'node:os';
import * as vscode from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { formWording } from '../editor/formWording.ts';
import { thisEditor } from './outsideCommand.ts';
import { OutsideGateway, type OutsideGatewayPorts, type OutsidePlace } from './outsideGateway.ts';

export interface OpenOutsidePorts extends Pick<OutsideGatewayPorts, 'host' | 'version' | 'settings'> {
  readonly place: Pick<OutsidePlace, 'folder' | 'workspaceId' | 'script'>;
}

/** A running gateway for agents outside the editor. */
export async function openOutsideGateway({ place, ...ports }: OpenOutsidePorts): Promise<OutsideGateway> {
  const gateway = new OutsideGateway({
    ...ports,
    scripts: await ports.host.calls.scripts(),
    onDidChangeSettings: (listener) => vscode.workspace.onDidChangeConfiguration(() => listener()),
    clock: systemClock,
    wording: formWording,
    place: {
      ...place,
      temporary: os.tmpdir(),
      home: os.homedir(),
      folders: () =>
        (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) => (uri.scheme === 'file' ? uri.fsPath : [])),
      onDidChangeFolders: (listener) => vscode.workspace.onDidChangeWorkspaceFolders(listener),
      editorName: vscode.env.appName,
    },
    editor: thisEditor(),
  });
  try {
    await gateway.start();
    return gateway;
  } catch (error) {
    gateway.dispose();
    throw error;
  }
}
