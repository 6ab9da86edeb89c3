import { messageOf } from '../../base/errors.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { ResultPart } from '../../calls/result.ts';
import { pages } from '../../catalog/offerLists.ts';
import { cutAtWord, SUMMARY_LIMIT } from '../../catalog/summaries.ts';
import type { Host } from '../../host.ts';
import type { ServerView } from '../../serverView.ts';
import { getPromptMessages, promptText } from './prompts.ts';
import { capabilitiesOf, connectedView, connectedViews, liveSession } from './serverRequests.ts';

/** How many items of a list the model gets. */
const MAX_ITEMS = 100;

/**
 * `mcp_list_resources`: resources, templates and prompts of one server or of all that are connected. A server that
 * fails costs itself alone.
 * @throws SwitchboardError `unknown-server`
 */
export async function listResources(
  host: Host,
  input: JsonObject,
  signal: AbortSignal,
): Promise<readonly ResultPart[]> {
  const wanted = typeof input['server'] === 'string' ? input['server'] : undefined;
  const views = wanted === undefined ? connectedViews(host) : [connectedView(host, wanted)];
  const servers = await Promise.all(views.map((view) => offersOf(host, view, signal)));
  const some = servers.filter((server) => Object.keys(server).length > 1);
  const next = 'Read one with mcp_read_resource, its uri and its server; get a prompt with mcp_get_prompt.';
  const nothing = 'No connected server has resources or prompts.';
  return [
    { kind: 'text', text: JSON.stringify(some.length > 0 ? { servers: some, next } : { servers: [], next: nothing }) },
  ];
}

/**
 * `mcp_get_prompt`: a prompt of a server, filled with arguments, as text.
 * @throws SwitchboardError `unknown-server`, or what the connection throws
 */
export async function getPrompt(host: Host, input: JsonObject, signal: AbortSignal): Promise<readonly ResultPart[]> {
  const { server, name, arguments: args } = input;
  const request = { server: textOf(server), name: textOf(name), arguments: isRecord(args) ? args : {} };
  const messages = await getPromptMessages(host, request, signal);
  return [{ kind: 'text', text: promptText(messages) }];
}

async function offersOf(host: Host, view: ServerView, signal: AbortSignal): Promise<JsonObject> {
  const server = view.definition.name;
  const has = capabilitiesOf(view);
  try {
    const session = await liveSession(host, view, signal);
    const [resources, templates, prompts] = await Promise.all([
      has['resources'] ? pages(session, 'resources/list', 'resources') : [],
      has['resources'] ? pages(session, 'resources/templates/list', 'resourceTemplates').catch(() => []) : [],
      has['prompts'] ? pages(session, 'prompts/list', 'prompts') : [],
    ]);
    return {
      server,
      ...listed('resources', resources, ['uri', 'name', 'mimeType']),
      ...listed('templates', templates, ['uriTemplate', 'name', 'mimeType']),
      ...listed('prompts', prompts, ['name', 'arguments']),
    };
  } catch (error) {
    return { server, error: messageOf(error) };
  }
}

function listed(
  key: string,
  items: readonly Readonly<Record<string, unknown>>[],
  members: readonly string[],
): JsonObject {
  if (items.length === 0) return {};
  const short = items.slice(0, MAX_ITEMS).map((item) => {
    const kept = members.filter((member) => item[member] !== undefined);
    const about =
      typeof item['description'] === 'string' ? { about: cutAtWord(item['description'], SUMMARY_LIMIT) } : {};
    return { ...Object.fromEntries(kept.map((member) => [member, item[member] as JsonValue])), ...about };
  });
  return { [key]: short, ...(items.length > MAX_ITEMS ? { [`${key}Total`]: items.length } : {}) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
