import type { Event } from '../../../base/event.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import type { ExposureDecision } from '../../../catalog/exposure/toolExposure.ts';
import { instructionsFor, type InstructedServer } from '../../../catalog/exposure/instructions.ts';
import { freePart } from '../../../servers/nameParts.ts';
import { editorServerName, prefixOf } from '../../../catalog/names/toolNamePrefix.ts';
import { cutAtWord, DESCRIPTION_LIMIT } from '../../../catalog/exposure/descriptions.ts';
import { absentLines, type UnavailableServer } from '../../../catalog/unavailableLines.ts';
import { unavailableServers } from '../../../host/unavailableServers.ts';
import type { Host } from '../../../host/host.ts';
import { instructedServers } from '../../instructedServers.ts';
import { capabilitiesOf } from '../protocol/protocolMethods.ts';
import { ToolsAlone } from '../toolsOnlyEndpoint.ts';
import type { ListedTool, Upstream } from '../upstream.ts';

/** What the editor's list of servers calls it. */
export const OVERVIEW_NAME = 'MCP Switchboard';
const TOOL = 'list_servers';

export interface OverviewPorts {
  readonly host: Host;
  readonly version: string;
  readonly exposure: () => ExposureDecision;
  readonly onDidChangeTools: Event<void>;
}

/**
 * Says which servers there are where their tools are not in the agent's own list: because it has to search for them, or because
 * the server isn't there, such as one that nobody has approved yet. The agent passes on what a server says
 * of itself only while a tool of it is in that list (seen in VS Code 1.139), so this one has a single small tool, whose
 * description names each such server in one line. It offers nothing while every server's tools are there themselves.
 */
export class OverviewServer extends ToolsAlone {
  readonly #ports: OverviewPorts;

  constructor(ports: OverviewPorts) {
    super(ports.onDidChangeTools);
    this.#ports = ports;
  }

  /** `serverInfo.name`: another one where a server of the user's has taken it. */
  get infoName(): string {
    return editorServerName(this.#part(), this.#ports.host.catalog.format);
  }

  /** With the exposure `summaries`, the instructions name every tool, too. */
  describe(): ReturnType<Upstream['describe']> {
    const { host, version } = this.#ports;
    const { exposure } = this.#ports.exposure();
    return {
      serverInfo: { name: this.infoName, version },
      ...(exposure === 'summaries' ? { instructions: instructionsFor(instructedServers(host), exposure) } : {}),
      capabilities: capabilitiesOf({}),
    };
  }

  tools(): readonly ListedTool[] {
    const { host, exposure } = this.#ports;
    const isNative = exposure().exposure === 'native';
    const servers = isNative ? [] : instructedServers(host);
    const absent = unavailableServers(host);
    if (servers.length + absent.length === 0) return [];
    const callableName = prefixOf(this.#part(), host.catalog.format) + TOOL;
    return [{ name: TOOL, callableName, definition: overviewDefinition(servers, absent) }];
  }

  whyAbsent(): undefined {
    return undefined;
  }

  /** The same lines, and the servers that aren't ready. Nothing of a server is called. */
  call(): Promise<JsonObject> {
    const { host } = this.#ports;
    const missing = absentLines(unavailableServers(host), 'state');
    const text = [instructionsFor(instructedServers(host), 'search'), ...missing].join('\n');
    return Promise.resolve({ content: [{ type: 'text', text }], isError: false });
  }

  #part(): string {
    const { catalog } = this.#ports.host;
    const taken = new Set(catalog.serverIds.map((id) => catalog.partOf(id)));
    return freePart(OVERVIEW_NAME, ['switchboard'], taken);
  }
}

/** What the servers that aren't there may take of the description, in characters. */
const ABSENT_LIMIT = 600;

/** The tool as it is listed: a line for each server that is connected, none where the agent has their tools, and for the rest. */
export function overviewDefinition(
  servers: readonly InstructedServer[],
  absent: readonly UnavailableServer[] = [],
): JsonObject {
  const missing = cutAtWord(absentLines(absent).join('\n'), ABSENT_LIMIT);
  const there = servers.length > 0 ? instructionsFor(servers, 'search') : 'MCP servers of the user:';
  const room = DESCRIPTION_LIMIT - missing.length - 1;
  return {
    name: TOOL,
    title: 'List MCP Servers',
    description: [cutAtWord(there, room), ...(missing ? [missing] : [])].join('\n'),
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true },
  };
}
