import * as vscode from 'vscode';
import type { ToolSet } from './requestTools.ts';
import { runCalls, type RunPorts } from './runTools.ts';
import type { Round, Transcript } from './turnTranscript.ts';

export interface LoopPorts extends RunPorts {
  /** Asked before every step: a search may have loaded tools. */
  tools(): ToolSet;
  /** How many times the model may call tools for one message. */
  readonly maxSteps: number;
}

/** Lets the model work on the messages with the tools, until it has no further calls, or the limit of steps is reached. */
export async function agentLoop(ports: LoopPorts, messages: vscode.LanguageModelChatMessage[]): Promise<Transcript> {
  const { request, stream, token, maxSteps } = ports;
  const rounds: Round[] = [];
  for (let step = 0; step < maxSteps; step++) {
    const { tools } = ports.tools();
    const response = await request.model.sendRequest(messages, { tools }, token);
    const said: (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart)[] = [];
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) {
        stream.markdown(part.value);
        said.push(part);
      } else if (part instanceof vscode.LanguageModelToolCallPart) {
        said.push(part);
      }
    }
    const text = said.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    const calls = said.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    if (calls.length === 0 || token.isCancellationRequested) return { rounds, text, stopped: false };
    const results = await runCalls(ports, calls, new Set(tools.map(({ name }) => name)));
    messages.push(
      vscode.LanguageModelChatMessage.Assistant(said),
      vscode.LanguageModelChatMessage.User(results.map(({ part }) => part)),
    );
    rounds.push({
      text,
      calls: calls.map(({ callId, name, input }) => ({ id: callId, name, input })),
      results: results.map(({ part, text: result }) => ({ id: part.callId, text: result })),
    });
    if (token.isCancellationRequested) return { rounds, text: '', stopped: false };
  }
  stream.markdown(`\n\n${vscode.l10n.t('Stopped after {0} steps. Enter “continue” to go on.', maxSteps)}`);
  return { rounds, text: '', stopped: true };
}
