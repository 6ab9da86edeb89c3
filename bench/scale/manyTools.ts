import { isRecord } from '../../src/base/json/json.ts';
import type { InProcessServer } from '../../src/config/configTypes.ts';

/** A server in this process that lists many tools, and can say that one of them is another. */
export interface ManyTools {
  readonly inProcess: InProcessServer;
  change(): Promise<void>;
}

interface Transport {
  onmessage?: (message: unknown) => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
}

const VERBS = ['create', 'read', 'update', 'delete', 'list', 'search', 'export', 'archive', 'merge', 'watch'];
const NOUNS = ['issue', 'branch', 'invoice', 'page', 'customer', 'build', 'message', 'calendar', 'record', 'image'];

/** @param place tells this server's tools from those of others */
export function createServer(place: number, count: number): ManyTools {
  let transport: Transport | undefined;
  let edition = 0;
  const tools = (): object[] => toolsFor(place, count, edition);
  const answer = (method: unknown): object => {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: '2025-11-25',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: `server-${place}`, version: '1' },
        };
      case 'tools/list':
        return { tools: tools() };
      default:
        return {};
    }
  };
  return {
    inProcess: {
      kind: 'transport',
      connect: async (given) => {
        transport = given as Transport;
        transport.onmessage = (message) => {
          if (!isRecord(message) || message['id'] === undefined) return;
          const { id, method } = message;
          const known = ['initialize', 'tools/list', 'ping'].includes(String(method));
          const body = known ? { result: answer(method) } : { error: { code: -32601, message: 'Method not found' } };
          // As from another process: never in the same turn.
          setImmediate(() => void transport?.send({ jsonrpc: '2.0', id, ...body }));
        };
        await transport.start();
      },
    },
    change: async () => {
      edition += 1;
      await transport?.send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    },
  };
}

/** The tools of the server at a place. @param edition of the first of them */
export function toolsFor(place: number, count: number, edition = 0): object[] {
  return Array.from({ length: count }, (_, index) => tool(place, index, index === 0 ? edition : 0));
}

function tool(place: number, index: number, edition: number): object {
  const verb = VERBS[index % VERBS.length] ?? '';
  const noun = NOUNS[Math.floor(index / VERBS.length) % NOUNS.length] ?? '';
  return {
    name: `${verb}_${noun}_${index}`,
    description: `${verb}s one ${noun} of system ${place} by its id, edition ${edition}. Gives the ${noun} as JSON, with its fields.`,
    inputSchema: {
      type: 'object',
      properties: {
        id: { type: 'string', description: `Which ${noun}.` },
        fields: {
          type: 'array',
          items: { type: 'string' },
          description: 'Which fields to give; all where none are named.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'How many at most.' },
        filter: {
          type: 'object',
          properties: { since: { type: 'string', format: 'date-time' }, owner: { type: 'string' } },
        },
      },
      required: ['id'],
    },
    annotations: { readOnlyHint: verb === 'read' },
  };
}
