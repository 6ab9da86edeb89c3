import { fromJsonSchema, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { audio, embedded, image, pause, text } from './content.ts';
import type { Changes } from './server.ts';

/** Tools whose results are looked at. */
export function addResultTools(server: McpServer): void {
  const none = z.object({});
  const add = (name: string, description: string, content: () => object[]): void => {
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { description, inputSchema: none, annotations }, () => ({ content: content() as never }));
  };
  add('test_simple_text', 'Gives a text', () => [text('This is a simple text response for testing.')]);
  add('test_image_content', 'Gives an image', () => [image]);
  add('test_audio_content', 'Gives a sound', () => [audio]);
  add('test_embedded_resource', 'Gives a resource', () => [
    embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
  ]);
  add('test_multiple_content_types', 'Gives blocks of three types', () => [
    text('Multiple content types test:'),
    image,
    embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ]);
  server.registerTool('test_error_handling', { description: 'Always fails', inputSchema: none }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  const telling = { readOnlyHint: true, openWorldHint: false };
  server.registerTool(
    'test_meta',
    { description: 'Gives what is beside its arguments', inputSchema: none, annotations: telling },
    (_args, { mcpReq }) => ({
      content: [text(JSON.stringify(mcpReq._meta ?? {}))],
      _meta: { 'example.com/seen': true },
    }),
  );
  server.registerTool(
    'test_structured',
    {
      title: 'Structured',
      description: 'Gives structured content',
      inputSchema: z.object({ city: z.string() }),
      outputSchema: z.object({ city: z.string(), celsius: z.number() }),
      annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
      icons: [{ src: 'data:image/png;base64,iVBORw0KGgo=', mimeType: 'image/png' }],
      _meta: { 'example.com/shelf': 3 },
    },
    ({ city }) => ({
      content: [text(`It is 7 degrees in ${city}`)],
      structuredContent: { city, celsius: 7 },
      _meta: { 'example.com/station': 'north' },
    }),
  );
}

/** Tools whose definitions are looked at: a schema with what 2020-12 has, and one whose arguments are headers, too. */
export function addSchemaTools(server: McpServer): void {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const add = (name: string, description: string, schema: object): void => {
    const inputSchema = fromJsonSchema<Record<string, unknown>>(schema);
    server.registerTool(name, { description, inputSchema, annotations }, (args) => ({
      content: [text(JSON.stringify(args))],
    }));
  };
  const string = { type: 'string' };
  add('json_schema_2020_12_tool', 'Has a schema of 2020-12', {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
    properties: {
      name: string,
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: string,
      email: string,
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  });
  add('test_header_argument', 'Takes an argument that is a header, too', {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  });
}

/** What the list of tools has when it changed; also for the server that answers the next request. */
let hasExtraTool = false;

/** Tools that tell something while they run. */
export function addTellingTools(server: McpServer, changes: Changes): void {
  const none = z.object({});
  const annotations = { readOnlyHint: true, openWorldHint: false };
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    server.registerTool(name, { description: 'Logs', inputSchema: none, annotations }, async (_args, { mcpReq }) => {
      await mcpReq.log('info', 'Tool execution started');
      await pause(50);
      await mcpReq.log('info', 'Tool processing data');
      await pause(50);
      await mcpReq.log('info', 'Tool execution completed');
      return { content: [text('Logged three times.')] };
    });
  }
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Tells its progress', inputSchema: none, annotations },
    async (_args, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined)
          await mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100, message: `at ${progress}` },
          });
        await pause(50);
      }
      return { content: [text('Went all the way.')] };
    },
  );
  const trigger = (name: string, change: () => void): void => {
    server.registerTool(name, { description: `Tells of a change`, inputSchema: none, annotations }, () => {
      change();
      return { content: [text('Told.')] };
    });
  };
  const extra = server.registerTool(
    'test_extra_tool',
    { description: 'Comes and goes', inputSchema: none, annotations },
    () => ({ content: [text('Here.')] }),
  );
  extra.enabled = hasExtraTool;
  trigger('test_trigger_tool_change', () => {
    extra.enabled = hasExtraTool = !hasExtraTool;
    changes.toolsChanged();
  });
  trigger('test_trigger_prompt_change', () => changes.promptsChanged());
  trigger('test_trigger_resource_change', () => changes.resourcesChanged());
  trigger('test_trigger_watched', () => changes.resourceUpdated('test://watched-resource'));
}
