// Loaded with the first call of a language model tool.
import * as vscode from 'vscode';
import { SwitchboardError, messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject } from '../../base/json/json.ts';
import type { ResultPart } from '../../calls/results/resultParts.ts';
import { MAX_SUMMARIES } from '../../catalog/exposure/instructions.ts';
import type { Host } from '../../host/host.ts';
import { signalOf } from '../cancellation.ts';
import { instructedServers } from '../instructedServers.ts';
import { drawResult } from '../apps/drawResult.ts';
import { readResource } from './readResource.ts';
import { loadSkillForModel } from './loadSkill.ts';
import { getPrompt, listResources } from './listItems.ts';
import { canSignIn } from '../../host/views/serverView.ts';
import { viewNamed } from '../../host/views/viewNamed.ts';
import { askForTask } from './askForTask.ts';
import { listText, overviewText, searchText } from './toolText.ts';
import { delay } from '../../base/async.ts';
import { systemClock } from '../../base/clock.ts';
import { unavailableServers } from '../../host/unavailableServers.ts';
import { editorNameOf } from '../../catalog/names/toolNamePrefix.ts';

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

/** A language model tool as it is registered. */
export interface LmTool {
  readonly name: string;
  readonly schema: JsonObject;
  readonly host: Host;
  readonly settings: () => LmToolSettings;
  readonly offerSignIn: (serverId: string) => Promise<void>;
}

interface Invocation {
  readonly input: JsonObject;
  readonly signal: AbortSignal;
  readonly token: vscode.ChatParticipantToolToken | undefined;
  readonly offerSignIn: (serverId: string) => Promise<void>;
}

/** How many results a search gives when the model names no limit. */
const DEFAULT_SEARCH_LIMIT = 10;
/** How many lines an empty search gives when the model names no limit; more where the setting says summaries. */
const OVERVIEW_LIMIT = 200;

type Run = (host: Host, settings: LmToolSettings, invocation: Invocation) => Promise<readonly ResultPart[]>;

const RUNS: Readonly<Record<string, Run>> = {
  mcp_tool_search: searchTools,
  mcp_tool_list: listTools,
  mcp_call_tool: callTool,
  mcp_read_resource: (host, _settings, { input, signal, token }) =>
    readResource(host, { input, signal, surfaceContext: token }),
  mcp_list_resources: (host, _settings, { input, signal }) => listResources(host, input, signal),
  mcp_get_prompt: (host, _settings, { input, signal, token }) =>
    getPrompt(host, { input, signal, surfaceContext: token }),
  mcp_load_skill: (host, _settings, { input, signal, token }) =>
    loadSkillForModel(host, { input, signal, surfaceContext: token }),
  mcp_sign_in: offerSignIn,
  mcp_task: (host, _settings, { input, signal, token }) => askForTask(host, input, { signal, surfaceContext: token }),
  mcp_run_script: runScript,
};

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

/**
 * Does what a language model tool does, and comes back when the agent has what joined its list by it.
 * @throws what the tool throws; for a name that isn't one of ours, an error that says so
 */
async function runLmTool(
  name: string,
  host: Host,
  settings: LmToolSettings,
  invocation: Invocation,
): Promise<readonly ResultPart[]> {
  const run = RUNS[name];
  if (!run) throw new Error(`There is no language model tool ${name}.`);
  return withJoinedTools(host, settings.isGatewayEnabled, () => run(host, settings, invocation));
}

async function searchTools(
  host: Host,
  settings: LmToolSettings,
  { input, signal }: Invocation,
): Promise<readonly ResultPart[]> {
  const isOverview = text(input['query']).trim() === '';
  const overviewLimit = settings.exposesSummaries ? MAX_SUMMARIES : OVERVIEW_LIMIT;
  const byDefault = isOverview ? overviewLimit : DEFAULT_SEARCH_LIMIT;
  const limit = typeof input['limit'] === 'number' ? input['limit'] : byDefault;
  const server = serverIn(host, input);
  const query = { query: text(input['query']), limit, regex: input['regex'] === true, ...(server ? { server } : {}) };
  const { hits, total, unavailable, items } = await host.search(query, signal);
  host.calls.tell({ type: 'tool.search', resultCount: hits.length, total });
  // What the answer gives with its schema is what was found.
  if (!isOverview) host.loaded.use(hits.slice(0, settings.maxToolsPerSearch).map(({ tool }) => tool.name));
  const answer = isOverview
    ? overviewText(instructedServers(host), hits, total, unavailable, { ...settings, now: Date.now() })
    : searchText(hits, total, unavailable, { ...settings, now: Date.now() }, items);
  return [{ kind: 'text', text: answer }];
}

async function listTools(
  host: Host,
  settings: LmToolSettings,
  { input, signal }: Invocation,
): Promise<readonly ResultPart[]> {
  await host.settled(signal);
  const server = serverIn(host, input);
  const tools = server === undefined ? host.catalog.tools : host.catalog.toolsOf(server);
  const cursor = typeof input['cursor'] === 'string' ? input['cursor'] : undefined;
  return [{ kind: 'text', text: listText(tools, cursor, unavailableServers(host), { ...settings, now: Date.now() }) }];
}

async function callTool(
  host: Host,
  _settings: LmToolSettings,
  { input, signal, token }: Invocation,
): Promise<readonly ResultPart[]> {
  const name = text(input['name']);
  if (!host.catalog.meant(name)) await host.settled(signal);
  const args = isRecord(input['arguments']) ? input['arguments'] : {};
  const outcome = await host.broker.call({ name, args, surface: 'lm-tool', signal, surfaceContext: token });
  drawResult(host, name, args, outcome);
  return outcome.parts;
}

async function runScript(
  host: Host,
  _settings: LmToolSettings,
  { input, signal, token }: Invocation,
): Promise<readonly ResultPart[]> {
  await host.settled(signal);
  const caller = { surface: 'lm-tool', signal, surfaceContext: token } as const;
  return (await host.broker.runScript(text(input['script']), caller)).parts;
}

/** Shows the user the button; it is theirs to click, and nothing waits for it. */
async function offerSignIn(
  host: Host,
  _settings: LmToolSettings,
  { input, offerSignIn: offer }: Invocation,
): Promise<readonly ResultPart[]> {
  const waiting = host.views.filter(canSignIn);
  const view = viewNamed(waiting, text(input['server']), host.catalog);
  if (!view) {
    const names = waiting.map(({ definition }) => definition.name).join(', ');
    throw new SwitchboardError('unknown-server', `No MCP server "${text(input['server'])}" needs a sign-in.`, {
      remedy: `Servers that need one are: ${names || 'none'}.`,
    });
  }
  await offer(view.definition.id);
  const said = `The user was shown the button to sign in to "${view.definition.name}". Only they can do it, in the browser. Tell them, and continue without the server, or end your turn and wait for them.`;
  return [{ kind: 'text', text: said }];
}

/**
 * The id of the server that the input names.
 * @throws SwitchboardError `unknown-server`, naming those that have tools
 */
function serverIn({ catalog, views }: Host, input: JsonObject): string | undefined {
  const name = text(input['server']).trim();
  if (name === '') return undefined;
  const having = catalog.serverIds.filter((id) => catalog.toolsOf(id).length > 0);
  const withTools = views.filter(({ definition }) => having.includes(definition.id));
  const view = viewNamed(withTools, name, catalog) ?? viewNamed(views, name, catalog);
  if (view) return view.definition.id;
  const names = withTools.map(({ definition }) => definition.name).join(', ');
  throw new SwitchboardError('unknown-server', `There is no MCP server "${name}".`, {
    remedy: `Servers with tools are: ${names || 'none'}.`,
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** How long the editor may take to list a tool that joined; it takes about 0.2 s. In milliseconds. */
const MOST_MS = 1_000;
const STEP_MS = 20;

/**
 * Does something that may make tools join the agent's own list, and comes back when the editor has them: what the agent
 * may call is settled when its next step begins, which is at once.
 *
 * @param isNative whether the editor is offered any tools natively
 */
async function withJoinedTools<T>(host: Host, isNative: boolean, run: () => Promise<T>): Promise<T> {
  const before = new Set(host.loaded.joined);
  const result = await run();
  const joined = isNative ? host.loaded.joined.filter((name) => !before.has(name)) : [];
  const wanted = joined.map((name) => editorNameOf(name, host.catalog.format));
  for (let waited = 0; waited < MOST_MS && !areListed(wanted); waited += STEP_MS) await delay(STEP_MS, systemClock);
  return result;
}

function areListed(names: readonly string[]): boolean {
  if (names.length === 0) return true;
  const listed = new Set(vscode.lm.tools.map(({ name }) => name));
  return names.every((name) => listed.has(name));
}
