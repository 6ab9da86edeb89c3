import * as vscode from 'vscode';
import type { Clock } from '../../../base/clock.ts';
import type { Host } from '../../../host/host.ts';
import { smallestModel } from '../../models/smallestModel.ts';
import { Gateway, type GatewaySettings } from '../gateway.ts';
import { OutsideGateway, type OutsideGatewayPorts } from '../outside/outsideGateway.ts';
import { formWording } from './formWording.ts';

export { HandOver } from './editorHandOver.ts';
export { labelsFor } from './endpointLabels.ts';

export interface EditorGatewayPorts {
  readonly host: Host;
  readonly clock: Clock;
  readonly version: string;
  readonly settings: () => GatewaySettings;
}

/** A running gateway that asks in the editor's words. */
export async function openGateway(ports: EditorGatewayPorts): Promise<Gateway> {
  let contextTokens: number | undefined;
  const look = async (): Promise<void> => {
    contextTokens = (await smallestModel())?.maxInputTokens;
  };
  const gateway = new Gateway({
    ...ports,
    wording: formWording,
    settings: () => ({ ...ports.settings(), contextTokens }),
    onDidChangeSettings: (listener) => vscode.lm.onDidChangeChatModels(() => void look().then(listener)),
  });
  await gateway.start();
  void look().then(() => gateway.refresh());
  return gateway;
}

/** A running gateway for agents outside the editor. See `OutsideGateway.start`. */
export async function openOutsideGateway(
  ports: Omit<OutsideGatewayPorts, 'wording'>,
  preferredPort: number,
): Promise<{ readonly gateway: OutsideGateway; readonly port: number }> {
  const gateway = new OutsideGateway({ ...ports, wording: formWording });
  return { gateway, port: await gateway.start(preferredPort) };
}

/**
 * Has the editor start servers of ours that are published, where its own automatic start is off: that is meant for its
 * servers, not for these, which run already.
 * @param labels as published
 */
export async function startInEditor(extensionId: string, labels: readonly string[]): Promise<void> {
  await Promise.allSettled(
    labels.map((label) => vscode.commands.executeCommand('workbench.mcp.startServer', `${extensionId}/${label}`)),
  );
}
