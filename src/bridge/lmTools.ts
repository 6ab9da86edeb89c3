import * as vscode from 'vscode';
import { SwitchboardError, messageOf } from '../base/errors.ts';
import { isRecord, type JsonObject } from '../base/json.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import type { ResultPart } from '../calls/result.ts';
import type { Host } from '../host.ts';
import { signalOf } from './cancellation.ts';
import { withJoinedTools } from './joinedTools.ts';
import { instructedServers } from './instructedServers.ts';
import { readResource } from './readResource.ts';
import { listText, overviewText, searchText } from './toolText.ts';

/** What the manifest declares of a language model tool. */
export interface LmToolDeclaration {
  readonly name: string;
  readonly inputSchema: JsonObject;
}

/** Numbers that shape what the tools answer. */
export interface LmToolSettings {
  readonly maxToolsPerSearch: number;
  /** The longest line about a tool, in characters. */
  readonly summaryDescriptionLimit: number;
  /** Whether the editor is offered tools natively at all. */
  readonly isGatewayEnabled: boolean;
  /** The model is to know every tool by a line. */
  readonly exposesSummaries: boolean;
}

interface Invocation {
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly token: vscode.ChatParticipantToolToken | undefined;
}

interface LmTool {
  /** What the chat shows while it runs. No side effects: the editor may prepare a call that it never makes. */
  message(input: JsonObject): string;
  run(invocation: Invocation): Promise<readonly ResultPart[]>;
}

/** How many results a search gives when the model names no limit. */
const DEFAULT_SEARCH_LIMIT = 10;
/** How many lines an empty search gives when the model names no limit; all where the setting says summaries. */
const OVERVIEW_LIMIT = 200;

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
  const tools = lmTools(host, settings);
  const wait = <T>(run: () => Promise<T>): Promise<T> => withJoinedTools(host, settings().isGatewayEnabled, run);
  for (const [name, tool] of Object.entries(tools)) {
    const declaration = declarations.find((each) => each.name === name);
    store.add(vscode.lm.registerTool(name, new EditorTool(name, tool, declaration?.inputSchema ?? {}, validate, wait)));
  }
  return store;
}

/** The tools' names and what they do. */
function lmTools(host: Host, settings: () => LmToolSettings): Record<string, LmTool> {
  return {
    mcp_tool_search: {
      message: (input) =>
        text(input['query']).trim() === ''
          ? vscode.l10n.t('Listing MCP tools')
          : vscode.l10n.t('Searching MCP tools for “{0}”', text(input['query'])),
      async run({ input, signal }) {
        const isOverview = text(input['query']).trim() === '';
        const overviewLimit = settings().exposesSummaries ? Number.MAX_SAFE_INTEGER : OVERVIEW_LIMIT;
        const byDefault = isOverview ? overviewLimit : DEFAULT_SEARCH_LIMIT;
        const limit = typeof input['limit'] === 'number' ? input['limit'] : byDefault;
        const server = typeof input['server'] === 'string' ? { server: input['server'] } : {};
        const query = { query: text(input['query']), limit, regex: input['regex'] === true, ...server };
        const { hits, total, unavailable, offers } = await host.search(query, signal);
        host.calls.tell({ type: 'tool.search', resultCount: hits.length, total });
        // What the answer gives with its schema is what was found.
        if (!isOverview) host.loaded.use(hits.slice(0, settings().maxToolsPerSearch).map(({ tool }) => tool.name));
        const answer = isOverview
          ? overviewText(instructedServers(host), hits, total, unavailable, settings())
          : searchText(hits, total, unavailable, { ...settings(), now: Date.now() }, offers);
        return [{ kind: 'text', text: answer }];
      },
    },
    mcp_tool_list: {
      message: () => vscode.l10n.t('Listing MCP tools'),
      async run({ input, signal }) {
        await host.settled(signal);
        const server = input['server'];
        const tools = host.catalog.tools.filter((tool) => server === undefined || tool.serverName === server);
        const cursor = typeof input['cursor'] === 'string' ? input['cursor'] : undefined;
        return [{ kind: 'text', text: listText(tools, cursor, host.unavailable, settings()) }];
      },
    },
    mcp_call_tool: {
      message: (input) => vscode.l10n.t('Calling {0}', text(input['name'])),
      async run({ input, signal, token }) {
        const name = text(input['name']);
        if (!host.catalog.find(name)) await host.settled(signal);
        const { parts } = await host.broker.call({
          name,
          args: isRecord(input['arguments']) ? input['arguments'] : {},
          surface: 'lm-tool',
          signal,
          surfaceContext: token,
        });
        return parts;
      },
    },
    mcp_read_resource: {
      message: (input) => vscode.l10n.t('Reading {0}', text(input['uri'])),
      run: ({ input, signal, token }) => readResource(host, { input, signal, surfaceContext: token }),
    },
    mcp_list_resources: {
      message: () => vscode.l10n.t('Listing MCP resources and prompts'),
      run: async ({ input, signal }) => (await import('./resources/offers.ts')).listResources(host, input, signal),
    },
    mcp_get_prompt: {
      message: (input) => vscode.l10n.t('Getting the prompt {0}', text(input['name'])),
      run: async ({ input, signal }) => (await import('./resources/offers.ts')).getPrompt(host, input, signal),
    },
  };
}

class EditorTool implements vscode.LanguageModelTool<JsonObject> {
  readonly #name: string;
  readonly #tool: LmTool;
  readonly #schema: JsonObject;
  readonly #validate: (schema: JsonObject, input: JsonObject) => Promise<readonly string[]>;
  readonly #wait: <T>(run: () => Promise<T>) => Promise<T>;

  constructor(
    name: string,
    tool: LmTool,
    schema: JsonObject,
    validate: (schema: JsonObject, input: JsonObject) => Promise<readonly string[]>,
    wait: <T>(run: () => Promise<T>) => Promise<T>,
  ) {
    this.#name = name;
    this.#tool = tool;
    this.#schema = schema;
    this.#validate = validate;
    this.#wait = wait;
  }

  prepareInvocation({
    input,
  }: vscode.LanguageModelToolInvocationPrepareOptions<JsonObject>): vscode.PreparedToolInvocation {
    return { invocationMessage: this.#tool.message(isRecord(input) ? input : {}) };
  }

  async invoke(
    options: vscode.LanguageModelToolInvocationOptions<JsonObject>,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const cancellation = signalOf(token);
    try {
      // The editor checks nothing against the schema.
      const input = isRecord(options.input) ? options.input : {};
      const mistakes = await this.#validate(this.#schema, input);
      if (mistakes.length > 0) throw new Error(`${this.#name} was called wrongly:\n- ${mistakes.join('\n- ')}`);
      const invocation = { input, signal: cancellation.signal, token: options.toolInvocationToken };
      const parts = await this.#wait(() => this.#tool.run(invocation));
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
