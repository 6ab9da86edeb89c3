import * as vscode from 'vscode';
import { SwitchboardError, messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { ResultPart } from '../../calls/results/resultParts.ts';
import type { Host } from '../../host/host.ts';
import { signalOf } from '../cancellation.ts';
import type { Invocation, LmToolSettings } from './lmToolTypes.ts';

/** What the manifest declares of a language model tool. */
export interface LmToolDeclaration {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/**
 * The tools' names, and what the chat shows while each runs. No side effects: the editor may prepare a call that it never
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
};

interface EditorToolPorts {
  readonly schema: JsonObject;
  validate(schema: JsonObject, input: JsonObject): Promise<readonly string[]>;
  run(name: string, invocation: Invocation): Promise<readonly ResultPart[]>;
}

/**
 * Registers the language model tools. Their names, descriptions and schemas are the manifest's (the editor takes no
 * others), and `declarations` are what it says.
 */
export function registerLmTools(
  host: Host,
  declarations: readonly LmToolDeclaration[],
  settings: () => LmToolSettings,
  validate: (schema: JsonObject, input: JsonObject) => Promise<readonly string[]>,
): Disposable {
  const store = new DisposableStore();
  store.add(
    vscode.workspace.onDidChangeConfiguration(
      (event) => event.affectsConfiguration('mcpSwitchboard') && host.settingsChanged(),
    ),
  );
  // Kept: each `import()` of a module that is loaded long since costs a call 0.1 ms in the extension host.
  let loading: Promise<typeof import('./lmToolRuns.ts')> | undefined;
  const run: EditorToolPorts['run'] = async (name, invocation) => {
    const { runLmTool } = await (loading ??= import('./lmToolRuns.ts'));
    return runLmTool(name, host, settings(), invocation);
  };
  for (const name of Object.keys(MESSAGES)) {
    const declaration = declarations.find((each) => each.name === name);
    const ports = { schema: declaration?.inputSchema ?? {}, validate, run };
    store.add(vscode.lm.registerTool(name, new EditorTool(name, ports)));
  }
  return store;
}

class EditorTool implements vscode.LanguageModelTool<JsonObject> {
  readonly #name: string;
  readonly #ports: EditorToolPorts;

  constructor(name: string, ports: EditorToolPorts) {
    this.#name = name;
    this.#ports = ports;
  }

  prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<JsonObject>): vscode.PreparedToolInvocation {
    return { invocationMessage: MESSAGES[this.#name]?.(isRecord(input) ? input : {}) ?? '' };
  }

  async invoke(
    options: vscode.LanguageModelToolInvocationOptions<JsonObject>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const cancellation = signalOf(token);
    try {
      // The editor checks nothing against the schema.
      const input = isRecord(options.input) ? options.input : {};
      const mistakes = await this.#ports.validate(this.#ports.schema, input);
      if (mistakes.length > 0) throw new Error(`${this.#name} was called wrongly:\n- ${mistakes.join('\n- ')}`);
      const invocation = { input, signal: cancellation.signal, token: options.toolInvocationToken };
      const parts = await this.#ports.run(this.#name, invocation);
      return new vscode.LanguageModelToolResult(parts.map(editorPart));
    } catch (error) {
      // A denial is an answer, not a failure of the tool. Everything else reaches the model as an error's text.
      if (error instanceof SwitchboardError && error.code === 'denied') {
        return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(error.fullMessage)]);
      }
      throw new Error(messageOf(error), { cause: error });
    } finally {
      cancellation.dispose();
    }
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
