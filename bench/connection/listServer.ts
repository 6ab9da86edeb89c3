// A server that lists as many tools as it is told to, in one page.
import { createInterface } from 'node:readline';
import { toolsFor } from '../scale/manyTools.ts';

const tools = JSON.stringify(toolsFor(0, Number(process.argv[2] ?? 10)));
const bodies: Readonly<Record<string, string>> = {
  initialize: JSON.stringify({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'list', version: '1.0.0' },
  }),
  'tools/list': `{"tools":${tools}}`,
};

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method } = JSON.parse(line) as { readonly id?: number | string; readonly method: string };
    if (id === undefined) return;
    const body = bodies[method];
    const outcome = body ? `"result":${body}` : '"error":{"code":-32601,"message":"Method not found"}';
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}\n`);
  })
  .on('close', () => process.exit(0));
