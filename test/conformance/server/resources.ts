import {
  completable,
  acceptedContent,
  inputRequired,
  ResourceTemplate,
  type McpServer,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { embedded, image, RED_PIXEL, text } from './content.ts';

/** Resources, a template, and prompts. */
export function addResources(server: McpServer): void {
  const add = (name: string, uri: string, mimeType: string, content: object): void => {
    server.registerResource(name, uri, { description: `The resource ${name}`, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content } as never],
    }));
  };
  add('static-text', 'test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  add('static-binary', 'test://static-binary', 'image/png', { blob: RED_PIXEL });
  add('watched', 'test://watched-resource', 'text/plain', { text: 'This one changes.' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data by id', mimeType: 'application/json' },
    (uri, { id }) => {
      const data = { id, templateTest: true, data: `Data for ID: ${String(id)}` };
      return { contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify(data) }] };
    },
  );
}

export function addPrompts(server: McpServer): void {
  const user = (content: object): never => ({ role: 'user', content }) as never;
  server.registerPrompt('test_simple_prompt', { description: 'A text' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  const cities = ['paris', 'park', 'party'];
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'A text with two arguments in it',
      argsSchema: z.object({
        arg1: completable(z.string(), (value) => cities.filter((city) => city.startsWith(value))),
        arg2: z.string(),
      }),
    },
    ({ arg1, arg2 }) => ({ messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))] }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => ({
      messages: [
        user(embedded(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
        user(text('Please process the embedded resource above.')),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'An image' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'Needs a context' }, ({ mcpReq }) => {
    const said = acceptedContent(mcpReq.inputResponses, 'user_context');
    if (said) return { messages: [user(text(`In the context of ${String(said['context'])}`))] };
    const requestedSchema = {
      type: 'object' as const,
      properties: { context: { type: 'string' as const } },
      required: ['context'],
    };
    const message = 'What context should the prompt use?';
    return inputRequired({ inputRequests: { user_context: inputRequired.elicit({ message, requestedSchema }) } });
  });
}
