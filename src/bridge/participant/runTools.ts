import * as vscode from 'vscode';
import { SwitchboardError, messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { maskedWithin } from '../../base/text/maskedWithin.ts';
import type { ResultPart } from '../../calls/results/resultParts.ts';
import { effectOf } from '../../catalog/catalogTool.ts';
import type { CallProgress } from '../../connection/connectionTypes.ts';
import type { Host } from '../../host/host.ts';
import { drawResult } from '../apps/drawResult.ts';
import { linkless } from '../text/markdownText.ts';
import { batches } from './callBatches.ts';
import { callMarkdown, type CallState } from './callMarkdown.ts';
import { modelTraits } from '../modelTraits.ts';

export interface RunPorts {
  readonly host: Host;
  readonly request: Pick<vscode.ChatRequest, 'model' | 'toolInvocationToken'>;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
  readonly signal: AbortSignal;
  /** The model asked that the person is offered to sign in to a server, by its name. */
  readonly onSignInOffered: (server: string) => void;
}

/** What a call gave: for the model, and as text for what is kept of the turn. */
export interface RunResult {
  readonly part: vscode.LanguageModelToolResultPart;
  readonly text: string;
}

type ModelCall = vscode.LanguageModelToolCallPart;

/** The call that a model means: what it calls through `mcp_call_tool` is the tool itself. */
interface MeantCall {
  readonly name: string;
  readonly args: JsonObject;
}

const { t } = vscode.l10n;
/** A server may send any number of progress messages; so often one is shown, in milliseconds. */
const PROGRESS_EVERY_MS = 500;

/**
 * Runs what the model called in one step; the results are in the calls' order.
 * @param offered names of the tools that the model was given
 */
export async function runCalls(
  ports: RunPorts,
  calls: readonly ModelCall[],
  offered: ReadonlySet<string>,
): Promise<readonly RunResult[]> {
  const readsOnly = (call: ModelCall): boolean => {
    const tool = ports.host.catalog.meant(meant(call).name)?.tool;
    return tool !== undefined && effectOf(tool.annotations) === 'read-only';
  };
  const results: RunResult[] = [];
  for (const batch of batches(calls, readsOnly))
    results.push(...(await Promise.all(batch.map((call) => runCall(ports, call, offered)))));
  return results;
}

async function runCall(ports: RunPorts, call: ModelCall, offered: ReadonlySet<string>): Promise<RunResult> {
  const { name, args } = meant(call);
  const began = Date.now();
  ports.stream.progress(linkless(t('Calling {0}', name)));
  let state: CallState = 'done';
  let content: (vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[];
  try {
    if (ports.signal.aborted) throw new SwitchboardError('call-cancelled', 'Cancelled before it was called.');
    content = await contentOf(ports, call, { name, args }, offered);
  } catch (error) {
    state = stateOf(error, ports.signal);
    content = [new vscode.LanguageModelTextPart(messageOf(error))];
  }
  const text = content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : dataText(part)))
    .join('\n');
  const shown = {
    name,
    args: maskedWithin(args, ports.host.mask),
    state,
    label: labelOf(state),
    durationMs: Date.now() - began,
    output: text,
  };
  ports.stream.markdown(callMarkdown(shown));
  return { part: new vscode.LanguageModelToolResultPart(call.callId, content), text };
}

async function contentOf(
  { host, request, stream, token, signal, onSignInOffered }: RunPorts,
  call: ModelCall,
  { name, args }: MeantCall,
  offered: ReadonlySet<string>,
): Promise<(vscode.LanguageModelTextPart | vscode.LanguageModelDataPart)[]> {
  const { toolInvocationToken } = request;
  if (!host.catalog.meant(name)) await host.settled(signal);
  if (!host.catalog.meant(name) && name === call.name) {
    // The editor has many more tools: what another party's text talks the model into is not for it to call.
    if (!offered.has(name)) throw new SwitchboardError('unknown-tool', `Unknown tool "${name}".`);
    const { content } = await vscode.lm.invokeTool(name, { input: call.input, toolInvocationToken }, token);
    if (name === 'mcp_sign_in' && typeof args['server'] === 'string') onSignInOffered(args['server']);
    return content.filter(
      (part) => part instanceof vscode.LanguageModelTextPart || part instanceof vscode.LanguageModelDataPart,
    );
  }
  const outcome = await host.broker.call({
    name,
    args,
    surface: 'participant',
    signal,
    surfaceContext: toolInvocationToken,
    onProgress: shownProgress(name, stream),
    onAskedElsewhere: () => stream.progress(t('{0}: the server asks for information at the top of the window', name)),
  });
  drawResult(host, name, args, outcome);
  const takesImages = modelTraits(request.model).takesImages !== false;
  return outcome.parts.map((part) => editorPart(part, takesImages));
}

/** What the server says of a call under way, in the chat. */
function shownProgress(name: string, stream: vscode.ChatResponseStream): (progress: CallProgress) => void {
  let last = 0;
  return ({ progress, total, message }) => {
    if (Date.now() - last < PROGRESS_EVERY_MS) return;
    last = Date.now();
    const numbers = total === undefined ? String(progress) : `${progress} / ${total}`;
    stream.progress(linkless(`${name}: ${[numbers, message].filter((text) => text !== undefined).join(' ')}`));
  };
}

function meant({ name, input }: ModelCall): MeantCall {
  const given = isRecord(input) ? (input as JsonObject) : {};
  if (name !== 'mcp_call_tool' || typeof given['name'] !== 'string') return { name, args: given };
  return { name: given['name'], args: isRecord(given['arguments']) ? given['arguments'] : {} };
}

function editorPart(
  part: ResultPart,
  takesImages: boolean,
): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  if (part.kind === 'text') return new vscode.LanguageModelTextPart(part.text);
  const data = new vscode.LanguageModelDataPart(part.data, part.mimeType);
  const isImage = part.mimeType.startsWith('image/');
  return isImage && !takesImages ? new vscode.LanguageModelTextPart(`${dataText(data)}, which you can't see`) : data;
}

function dataText({ mimeType, data }: vscode.LanguageModelDataPart): string {
  return `(${mimeType}, ${data.length} bytes)`;
}

function stateOf(error: unknown, signal: AbortSignal): CallState {
  if (signal.aborted) return 'cancelled';
  if (error instanceof SwitchboardError && error.code === 'denied') return 'denied';
  return 'failed';
}

function labelOf(state: CallState): string {
  switch (state) {
    case 'done':
      return t('done');
    case 'denied':
      return t('denied');
    case 'failed':
      return t('failed');
    case 'cancelled':
      return t('cancelled');
  }
}
