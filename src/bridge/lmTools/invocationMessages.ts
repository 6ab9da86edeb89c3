// Loaded with the first call of a language model tool.
import * as vscode from 'vscode';
import { isRecord, type JsonObject } from '../../base/json/json.ts';

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

/** What the chat shows of a call before it is made. */
export function prepared(name: string, input: unknown): vscode.PreparedToolInvocation {
  return { invocationMessage: MESSAGES[name]?.(isRecord(input) ? (input as JsonObject) : {}) ?? '' };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
