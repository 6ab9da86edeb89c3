// A server whose one tool gives a text or rows of about so many bytes.
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly bytes?: number; readonly kind?: string } };
}

const LINE = 'A line of a log, with a time 12:34:56 and a path /usr/lib/x.so, so that it looks real.\n';
const ROW = { id: 12_345, name: 'a row of a table', tags: ['x', 'y'], at: '2026-01-01T00:00:00Z', value: 1.25 };
const tool = {
  name: 'large',
  description: 'Gives much',
  inputSchema: { type: 'object', properties: { bytes: { type: 'integer' }, kind: { type: 'string' } } },
  annotations: { readOnlyHint: true, openWorldHint: false },
};
const results = new Map<string, string>();

/** The JSON of a result: made once, so that what is measured is the client. */
export function resultOf(bytes: number, kind: string): string {
  const key = `${kind} ${bytes}`;
  let result = results.get(key);
  if (result === undefined) {
    const rows = Array.from({ length: Math.floor(bytes / JSON.stringify(ROW).length) }, () => ROW);
    const content = kind === 'rows' ? [] : [{ type: 'text', text: LINE.repeat(Math.floor(bytes / LINE.length)) }];
    result = JSON.stringify({ content, ...(kind === 'rows' ? { structuredContent: { rows } } : {}) });
    results.set(key, result);
  }
  return result;
}

function outcomeOf({ method, params }: Message): string {
  if (method === 'initialize')
    return `"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"large","version":"1"}}`;
  if (method === 'tools/list') return `"result":${JSON.stringify({ tools: [tool] })}`;
  if (method !== 'tools/call') return '"error":{"code":-32601,"message":"Method not found"}';
  return `"result":${resultOf(params?.arguments?.bytes ?? 1_000, params?.arguments?.kind ?? 'text')}`;
}

if (process.argv[1]?.endsWith('largeServer.ts') === true)
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.id === undefined) return;
      process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},${outcomeOf(message)}}\n`);
    })
    .on('close', () => process.exit(0));
