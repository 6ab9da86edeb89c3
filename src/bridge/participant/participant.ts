import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { FollowUp, TurnMetadata } from './commands/answer.ts';
import type { ParticipantPorts } from './handleRequest.ts';

/** As the manifest declares it. */
const PARTICIPANT_ID = 'mcpSwitchboard.mcp';

/** Registers `@mcp`; what answers is loaded with the first message. */
export function registerParticipant(ports: ParticipantPorts, icon: vscode.Uri): Disposable {
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, async (request, context, stream, token) => {
    const { handleRequest } = await import('./handleRequest.ts');
    return handleRequest(ports, request, context, stream, token);
  });
  participant.iconPath = icon;
  participant.followupProvider = {
    provideFollowups: ({ metadata }) => (metadata as TurnMetadata | undefined)?.followUps?.map(labelled) ?? [],
  };
  return participant;
}

/** The editor shows the text without its command. */
function labelled(followUp: FollowUp): vscode.ChatFollowup {
  const { prompt, command, label = command === undefined ? prompt : `/${command} ${prompt}`.trim() } = followUp;
  return { ...followUp, label };
}
