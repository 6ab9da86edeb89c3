// npm run -s bench -- definitions
//
// What each request to a model carries of the tools of 12 real servers: with all definitions, as a client gives them that has no search;
// and with search exposure, our own tools and the overview of the servers. Counted, not timed; an estimate of tokens (tokenx).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { root } from '../scripts/lib/paths.mjs';
import { overviewDefinition } from '../src/bridge/gateway/editor/overviewServer.ts';
import { openCatalog } from '../src/catalog/catalogToolMaker.ts';
import { definitionText, estimateTokens } from '../src/catalog/exposure/toolDefinition.ts';
import type { McpTool } from '../src/connection/connectionTypes.ts';
import { realServers } from './connection/realServers.ts';
import { report } from './connection/report.ts';

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  contributes: { languageModelTools: readonly { name: string; modelDescription: string; inputSchema: object }[] };
};
const catalog = openCatalog();
const servers = [];
for (const { id, args } of realServers) {
  const client = new Client({ name: 'bench', version: '0.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [...args], stderr: 'ignore' }));
  const { tools } = await client.listTools();
  const instructions = client.getInstructions();
  await client.close();
  catalog.setServer(
    id,
    id,
    tools.map((tool) => ({ ...tool, annotations: tool.annotations ?? {} }) as McpTool),
  );
  servers.push({ serverName: id, tools: catalog.toolsOf(id), ...(instructions === undefined ? {} : { instructions }) });
}
const sum = (texts: readonly string[]): number => texts.reduce((tokens, text) => tokens + estimateTokens(text), 0);
const own = manifest.contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) =>
  JSON.stringify({ name, description: modelDescription, input_schema: inputSchema }),
);
report(
  'definitions',
  {
    tools: catalog.tools.length,
    nativeTokens: sum(catalog.tools.map(definitionText)),
    oursTokens: sum([...own, JSON.stringify(overviewDefinition(servers))]),
  },
  {},
);
process.exit(0);
