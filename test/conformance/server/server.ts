import { McpServer } from '@modelcontextprotocol/server';
import { addAskingTools, addInputRequiredTools } from './asking.ts';
import { addPrompts, addResources } from './resources.ts';
import { skills } from './skills.ts';
import { stateCodec } from './state.ts';
import { addResultTools, addSchemaTools, addTellingTools } from './tools.ts';

/** How those who listen are told of changes; each era has its own way. */
export interface Changes {
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  resourceUpdated(uri: string): void;
}

/** A server with everything that the conformance suite asks of one, in both eras. */
export function conformanceServer(changesOf: (server: McpServer) => Changes): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixture', version: '1.0.0' },
    {
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: true }, completions: {} },
      instructions: 'For conformance tests.',
      requestState: { verify: (state, context) => stateCodec.verify(state, context) },
    },
  );
  addResultTools(server);
  addSchemaTools(server);
  addTellingTools(server, changesOf(server));
  addAskingTools(server);
  addInputRequiredTools(server);
  addResources(server);
  addPrompts(server);
  skills.attach(server);
  return server;
}
