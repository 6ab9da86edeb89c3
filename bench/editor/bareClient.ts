import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Connects one server by the SDK alone, and gives how many tools it has. */
export async function toolsOf(command: string, args: readonly string[]): Promise<number> {
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
  const { tools } = await client.listTools();
  return tools.length;
}
