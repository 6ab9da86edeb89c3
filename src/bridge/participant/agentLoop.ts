import * as vscode from 'vscode';
import { messageOf } from '../../base/errors.ts';
import { isRecord } from '../../base/json.ts';
import { effectOf } from '../../catalog/effect.ts';
import { offerTool } from '../../catalog/offered.ts';
import type { Host } from '../../host.ts';

/** How many times the model may call tools for one message. */
const MAX_STEPS = 25;
/** Of more tools, the model has the search instead. */
const MAX_TOOLS = 64;
const SEARCH_TOOLS = ['mcp_tool_search', 'mcp_tool_list', 'mcp_call_tool', 'mcp_read_resource'];

export interface LoopPorts {
  readonly host: Host;
  readonly request: vscode.ChatRequest;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  readonly signal: AbortSignal;
}

/** Lets the chosen model work on the messages with the tools of all servers, until it has no further calls. */
export async function agentLoop(ports: LoopPorts, messages: vscode.LanguageModelChatMessage[]): Promise<void> {
  const { request, stream, token } = ports;
  const tools = toolsFor(ports.host);
  for (let step = 0; step < MAX_STEPS; step++) {
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
    const calls = said.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    if (calls.length === 0 || token.isCancellationRequested) return;
    messages.push(vscode.LanguageModelChatMessage.Assistant(said));
    messages.push(vscode.LanguageModelChatMessage.User(await runCalls(ports, calls)));
  }
  stream.markdown(`\n\n${vscode.l10n.t('Stopped after {0} steps. Say “continue” to go on.', MAX_STEPS)}`);
}

function toolsFor({ catalog }: Host): vscode.LanguageModelChatTool[] {
  const fixed = vscode.lm.tools
    .filter(({ name }) => SEARCH_TOOLS.includes(name))
    .map(({ name, description, inputSchema }) => ({ name, description, ...(inputSchema ? { inputSchema } : {}) }));
  if (catalog.tools.length > MAX_TOOLS) return fixed;
  const native = catalog.tools.map(offerTool).flatMap((tool) => {
    if ('leftOut' in tool) return [];
    const { name, description, inputSchema } = tool;
    return [{ name, description, inputSchema }];
  });
  return [...native, ...fixed];
}

/** What only reads runs side by side, and before it all else in order: one question at a time. */
async function runCalls(
  ports: LoopPorts,
  calls: readonly vscode.LanguageModelToolCallPart[],
): Promise<vscode.LanguageModelToolResultPart[]> {
  const readsOnly = ({ name }: vscode.LanguageModelToolCallPart): boolean => {
    const tool = ports.host.catalog.find(name)?.tool;
    return tool !== undefined && effectOf(tool.annotations) === 'read-only';
  };
  const results = new Map<string, vscode.LanguageModelToolResultPart>();
  for (const call of calls.filter((each) => !readsOnly(each))) results.set(call.callId, await runCall(ports, call));
  const reading = calls.filter(readsOnly);
  const read = await Promise.all(reading.map((call) => runCall(ports, call)));
  for (const result of read) results.set(result.callId, result);
  return calls.map(({ callId }) => results.get(callId)).filter((result) => result !== undefined);
}

async function runCall(
  { host, request, stream, token, signal }: LoopPorts,
  { callId, name, input }: vscode.LanguageModelToolCallPart,
): Promise<vscode.LanguageModelToolResultPart> {
  stream.progress(vscode.l10n.t('Calling {0}', name));
  const { toolInvocationToken } = request;
  try {
    if (!host.catalog.find(name)) {
      const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken }, token);
      return new vscode.LanguageModelToolResultPart(callId, content);
    }
    const args = (isRecord(input) ? input : {}) as Parameters<Host['broker']['call']>[0]['args'];
    const { parts } = await host.broker.call({
      name,
      args,
      surface: 'participant',
      signal,
      surfaceContext: toolInvocationToken,
    });
    const content = parts.map((part) =>
      part.kind === 'text'
        ? new vscode.LanguageModelTextPart(part.text)
        : new vscode.LanguageModelDataPart(part.data, part.mimeType),
    );
    return new vscode.LanguageModelToolResultPart(callId, content);
  } catch (error) {
    return new vscode.LanguageModelToolResultPart(callId, [new vscode.LanguageModelTextPart(messageOf(error))]);
  }
}
