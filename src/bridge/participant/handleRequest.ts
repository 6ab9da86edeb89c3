// Loaded with the first message to `@mcp`.
import * as vscode from 'vscode';
import { SwitchboardError, messageOf } from '../../base/errors.ts';
import { signalOf } from '../cancellation.ts';
import { linkless } from '../text/markdownText.ts';
import { escaped } from '../text/safeText.ts';
import { agentLoop } from './agentLoop.ts';
import { ANSWERED_COMMANDS, type Answer, type CommandContext, type TurnMetadata } from './commands/answer.ts';
import { firstMessages } from './modelMessages.ts';
import { modelTraits } from '../modelTraits.ts';
import { promptCommand, type FillPrompt } from './commands/promptCommand.ts';
import { contentParts, resourceCommand } from './commands/resourceCommand.ts';
import { runSlashCommand } from './commands/slashCommands.ts';
import { toolSet } from './requestTools.ts';
import { kept } from './turnTranscript.ts';
import { LINKED_COMMANDS } from './markdown.ts';
import type { ExposureSetting } from '../../catalog/exposure/toolExposure.ts';
import type { Host } from '../../host/host.ts';
import { localized } from '../text/localized.ts';

/** What `@mcp` works with. */
export interface ParticipantPorts {
  readonly host: Host;
  exposure(): ExposureSetting;
  /** How many times the model may call tools for one message. */
  maxSteps(): number;
  readonly fillPrompt: FillPrompt;
}

const { t } = vscode.l10n;

/** One message to `@mcp`, and the way to answer it. */
interface Turn extends CommandContext {
  readonly ports: ParticipantPorts;
  readonly chat: vscode.ChatContext;
  readonly stream: vscode.ChatResponseStream;
  readonly token: vscode.CancellationToken;
}

/** Answers one message to `@mcp`. What fails is said in the chat. */
export async function handleRequest(
  ports: ParticipantPorts,
  request: vscode.ChatRequest,
  chat: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
): Promise<vscode.ChatResult> {
  const cancellation = signalOf(token);
  const { signal } = cancellation;
  const turn: Turn = { ports, host: ports.host, request, argument: request.prompt.trim(), signal, chat, stream, token };
  try {
    return { metadata: await metadataOf(turn) };
  } catch (error) {
    if (signal.aborted) return {};
    if (!(error instanceof SwitchboardError || error instanceof vscode.LanguageModelError)) throw error;
    return { errorDetails: { message: linkless(localized(messageOf(error))) } };
  } finally {
    cancellation.dispose();
  }
}

async function metadataOf(turn: Turn): Promise<TurnMetadata> {
  const { ports, request } = turn;
  const command = ANSWERED_COMMANDS.find((name) => name === request.command);
  if (command) return tell(turn, await runSlashCommand(command, turn, ports.exposure()));
  switch (request.command) {
    case 'prompt': {
      const prompt = await promptCommand(turn, (offered, known) => ports.fillPrompt(offered, known));
      if (!('messages' in prompt)) return tell(turn, prompt);
      turn.stream.markdown(prompt.markdown);
      return work(turn, '', prompt.messages);
    }
    case 'resource': {
      const resource = await resourceCommand(turn);
      const metadata = tell(turn, resource);
      if (!('contents' in resource) || resource.question === '') return metadata;
      const takesImages = modelTraits(request.model).takesImages !== false;
      const parts = await contentParts(turn.host, resource.contents, takesImages);
      return work(turn, resource.question, [vscode.LanguageModelChatMessage.User(parts)]);
    }
    default:
      return work(turn, request.prompt, []);
  }
}

/** Shows an answer of ours. */
function tell({ stream }: Turn, { markdown, followUps, document }: Answer): TurnMetadata {
  stream.markdown(trusted(markdown));
  if (document) {
    stream.markdown('\n\n');
    stream.anchor(document.uri, document.title);
    stream.markdown('\n\n');
  }
  return followUps ? { followUps } : {};
}

/** Lets the model work on a message, with the tools. */
async function work(
  turn: Turn,
  prompt: string,
  extra: readonly vscode.LanguageModelChatMessage[],
): Promise<TurnMetadata> {
  const { ports, host, request, stream, token, signal, chat } = turn;
  const { model } = request;
  if (modelTraits(model).callsTools === false) {
    const text = t('The model {0} can’t call tools. Select another model to use MCP servers.', model.name);
    stream.markdown(escaped(text));
    return { followUps: [{ prompt: '', command: 'servers' }] };
  }
  await host.settled(signal);
  const scripts = await host.calls.scripts();
  const tools = (): ReturnType<typeof toolSet> => toolSet(host, ports.exposure(), request, scripts);
  const messages = await firstMessages(
    host,
    { prompt, model, references: request.references },
    chat,
    tools().exposure,
    extra,
  );
  const signIns = new Set<string>();
  const onSignInOffered = (server: string): void => void signIns.add(server);
  const loop = { host, request, stream, token, signal, tools, maxSteps: ports.maxSteps(), onSignInOffered };
  const transcript = kept(await agentLoop(loop, messages));
  // Behind the answer: the editor folds what stands between calls.
  for (const server of signIns)
    stream.button({ command: 'mcpSwitchboard.signIn', title: t('Sign In'), arguments: [server] });
  const followUps = [
    ...(transcript.stopped ? [{ prompt: 'continue', label: t('Continue') }] : []),
    ...(host.calls.plan.queue.length > 0 ? [{ prompt: '', label: t('What is planned'), command: 'plan' }] : []),
  ];
  return { transcript, followUps };
}

/** Markdown of ours, whose command links work; only those of `LINKED_COMMANDS`. */
function trusted(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: LINKED_COMMANDS };
  return markdown;
}
