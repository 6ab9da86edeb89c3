import * as vscode from 'vscode';
import { SwitchboardError, messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { ResultPart } from '../../calls/results/resultParts.ts';
import type { Host } from '../../host/host.ts';
import { signalOf } from '../cancellation.ts';
import { runLmTool, type LmToolSettings } from './lmToolRuns.ts';

/**
 * What the chat shows while each runs. No side effects: the editor may prepare a call that it never
 * makes.
 */
const MESSAGES: Readonly<Record<string, (input: JsonObject) => string>> = {
  mcp_tool_search: (input) =>
    text(input['query']).trim() === ''
      ? vscode.l10n.t('Listing MCP tools')
      : vscode.l10n.t('Searching MCP tools for “{0}”', text(input['query'])),
  mcp_tool_list: () => vscode.l10n.t('Listing MCP tools'),
  mcp_call_tool: (input) => vscode.l10n.t('Calling {0}', text(input['name'])),
  mcp_read_resource: (input) => vscode.l10n.t('Reading {0}', text(input['uri'])),
  mcp_list_resources: () => vscode.l10n.t('Listing MCP resources and prompts'),
  mcp_get_prompt: (input) => vscode.l10n.t('Getting the prompt {0}', text(input['name'])),
  mcp_load_skill: (input) =>
    text(input['skill']).trim() === ''
      ? vscode.l10n.t('Listing the skills of MCP servers')
      : vscode.l10n.t('Loading the skill {0}', text(input['skill'])),
  mcp_task: (input) =>
    ({
      wait: vscode.l10n.t('Waiting for an MCP task'),
      cancel: vscode.l10n.t('Canceling an MCP task'),
      list: vscode.l10n.t('Listing MCP tasks'),
    })[text(input['action'])] ?? vscode.l10n.t('Looking at an MCP task'),
  mcp_run_script: () => vscode.l10n.t('Running a script that calls MCP tools'),
  mcp_sign_in: (input) => vscode.l10n.t('Offering to sign in to {0}', text(input['server'])),
};

/** A language model tool as it is registered. */
export interface LmTool {
  readonly name: string;
  readonly schema: JsonObject;
  readonly host: Host;
  readonly settings: () => LmToolSettings;
  readonly offerSignIn: (serverId: string) => Promise<void>;
}

/** What the chat shows of a call before it is made. */
export function prepared(name: string, input: unknown): vscode.PreparedToolInvocation {
  return { invocationMessage: MESSAGES[name]?.(isRecord(input) ? (input as JsonObject) : {}) ?? '' };
}

/**
 * Makes a call that the editor asks for.
 * @throws Error whose text is meant for the model
 */
export async function invoke(
  { name, schema, host, settings, offerSignIn }: LmTool,
  options: vscode.LanguageModelToolInvocationOptions<JsonObject>,
  token: vscode.CancellationToken,
): Promise<vscode.LanguageModelToolResult> {
  const cancellation = signalOf(token);
  try {
    // The editor checks nothing against the schema.
    const input = isRecord(options.input) ? options.input : {};
    const mistakes = await host.validate(schema, input);
    if (mistakes.length > 0) throw new Error(`${name} was called wrongly:\n- ${mistakes.join('\n- ')}`);
    const invocation = { input, signal: cancellation.signal, token: options.toolInvocationToken, offerSignIn };
    const parts = await runLmTool(name, host, settings(), invocation);
    return new vscode.LanguageModelToolResult(parts.map(editorPart));
  } catch (error) {
    // What the user said is an answer, not a failure of the tool. Everything else reaches the model as an error's text.
    const isAnswer = (code: SwitchboardError['code']): boolean =>
      code === 'denied' || (code === 'call-cancelled' && !cancellation.signal.aborted);
    if (error instanceof SwitchboardError && isAnswer(error.code)) {
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(error.fullMessage)]);
    }
    throw new Error(messageOf(error), { cause: error });
  } finally {
    cancellation.dispose();
  }
}

function editorPart(part: ResultPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return part.kind === 'text'
    ? new vscode.LanguageModelTextPart(part.text)
    : new vscode.LanguageModelDataPart(part.data, part.mimeType);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
