import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { text } from './content.ts';
import { stateCodec } from './state.ts';

type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema'];
type Responses = ServerContext['mcpReq']['inputResponses'];

const none = z.object({});
const string = { type: 'string' as const };
const nameForm = { type: 'object', properties: { name: string }, required: ['name'] } as Form;
const askName = inputRequired.elicit({ message: 'What is your name?', requestedSchema: nameForm });
const capital = inputRequired.createMessage({
  messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
  maxTokens: 100,
});

/** The text of what a model answered, where it did. */
function sampled(responses: Responses, key: string): string | undefined {
  const view = inputResponse(responses, key);
  if (view.kind !== 'sampling') return undefined;
  const block = [view.result.content].flat()[0];
  return block?.type === 'text' ? block.text : JSON.stringify(block);
}

/** What a form was answered with, where it was shown. */
function elicited(responses: Responses, key: string): { action: string; content: unknown } | undefined {
  const view = inputResponse(responses, key);
  return view.kind === 'elicit' ? { action: view.action, content: 'content' in view ? view.content : {} } : undefined;
}

/** Tools that ask the client as servers of 2025-11-25 do, and the same of 2026-07-28. */
export function addAskingTools(server: McpServer): void {
  server.registerTool(
    'test_sampling',
    {
      description: 'Asks the model',
      inputSchema: z.object({
        prompt: z.string(),
        withTools: z.boolean().optional(),
        withContext: z.boolean().optional(),
      }),
    },
    ({ prompt, withTools, withContext }, { mcpReq }) => {
      const answer = sampled(mcpReq.inputResponses, 'answer');
      if (answer !== undefined) return { content: [text(`LLM response: ${answer}`)] };
      const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }];
      const more = {
        ...(withTools ? { tools: [{ name: 'weather', inputSchema: { type: 'object' as const } }] } : {}),
        ...(withContext ? { includeContext: 'thisServer' as const } : {}),
      };
      return inputRequired({
        inputRequests: { answer: inputRequired.createMessage({ messages, maxTokens: 100, ...more }) },
      });
    },
  );
  const form = (name: string, what: string, requestedSchema: Form): void => {
    server.registerTool(name, { description: 'Shows a form', inputSchema: none }, (_args, { mcpReq }) => {
      const answer = elicited(mcpReq.inputResponses, 'form');
      if (!answer)
        return inputRequired({ inputRequests: { form: inputRequired.elicit({ message: what, requestedSchema }) } });
      const said = `Elicitation completed: action=${answer.action}, content=${JSON.stringify(answer.content)}`;
      return { content: [text(said)] };
    });
  };
  server.registerTool(
    'test_elicitation',
    { description: 'Asks the user', inputSchema: z.object({ message: z.string() }) },
    ({ message }, { mcpReq }) => {
      const answer = elicited(mcpReq.inputResponses, 'form');
      if (answer) return { content: [text(`User response: ${JSON.stringify(answer)}`)] };
      const described = (description: string): object => ({ type: 'string', description });
      const properties = { username: described("User's response"), email: described("User's email address") };
      const requestedSchema = { type: 'object', properties, required: ['username', 'email'] } as Form;
      return inputRequired({ inputRequests: { form: inputRequired.elicit({ message, requestedSchema }) } });
    },
  );
  form('test_elicitation_sep1034_defaults', 'Please look through these values', {
    type: 'object',
    properties: {
      name: { type: 'string', default: 'John Doe' },
      age: { type: 'integer', default: 30 },
      score: { type: 'number', default: 95.5 },
      status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
      verified: { type: 'boolean', default: true },
    },
  });
  const titled = ['First', 'Second', 'Third'].map((title, index) => ({
    const: `value${index + 1}`,
    title: `${title} Option`,
  }));
  const plain = ['option1', 'option2', 'option3'];
  form('test_elicitation_sep1330_enums', 'Please choose', {
    type: 'object',
    properties: {
      untitledSingle: { type: 'string', enum: plain },
      titledSingle: { type: 'string', oneOf: titled },
      legacyEnum: {
        type: 'string',
        enum: ['opt1', 'opt2', 'opt3'],
        enumNames: ['Option One', 'Option Two', 'Option Three'],
      },
      untitledMulti: { type: 'array', items: { type: 'string', enum: plain } },
      titledMulti: { type: 'array', items: { anyOf: titled } },
    },
  });
}

/** Tools that need something of the client before they answer (protocol 2026-07-28). */
export function addInputRequiredTools(server: McpServer): void {
  const add = (name: string, answer: (context: ServerContext) => unknown): void => {
    server.registerTool(
      name,
      { description: 'Needs something first', inputSchema: none },
      (_args, context) => answer(context) as never,
    );
  };
  add('test_input_required_result_elicitation', ({ mcpReq }) => {
    const said = acceptedContent(mcpReq.inputResponses, 'user_name');
    if (typeof said?.['name'] !== 'string') return inputRequired({ inputRequests: { user_name: askName } });
    return { content: [text(`Hello, ${said['name']}!`)] };
  });
  for (const name of ['test_input_required_result_sampling', 'test_missing_capability']) {
    add(name, ({ mcpReq }) => {
      const answer = sampled(mcpReq.inputResponses, 'capital_question');
      if (answer === undefined) return inputRequired({ inputRequests: { capital_question: capital } });
      return { content: [text(answer)] };
    });
  }
  add('test_streaming_elicitation', ({ mcpReq }) => {
    const said = acceptedContent(mcpReq.inputResponses, 'user_name');
    return said ? { content: [text('Thanks.')] } : inputRequired({ inputRequests: { user_name: askName } });
  });
  add('test_input_required_result_list_roots', ({ mcpReq }) => {
    const view = inputResponse(mcpReq.inputResponses, 'client_roots');
    if (view.kind !== 'roots') return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
    return { content: [text(`Roots: ${view.roots.map(({ uri }) => uri).join(' ')}`)] };
  });
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    add(name, async (context) => {
      const { mcpReq } = context;
      if (mcpReq.requestState<{ round: number }>() && acceptedContent(mcpReq.inputResponses, 'confirm'))
        return { content: [text('state-ok')] };
      const properties = { ok: { type: 'boolean' } };
      const requestedSchema = { type: 'object', properties, required: ['ok'] } as Form;
      const confirm = inputRequired.elicit({ message: 'Please confirm', requestedSchema });
      return inputRequired({ inputRequests: { confirm }, requestState: await stateCodec.mint({ round: 1 }, context) });
    });
  }
  add('test_input_required_result_multiple_inputs', async (context) => {
    const { inputResponses } = context.mcpReq;
    const greeting = sampled(inputResponses, 'greeting');
    const said = acceptedContent(inputResponses, 'user_name');
    const roots = inputResponse(inputResponses, 'client_roots');
    if (said && greeting !== undefined && roots.kind === 'roots')
      return { content: [text(`${greeting}, ${String(said['name'])}! ${roots.roots.length} roots.`)] };
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Generate a greeting' } }];
    return inputRequired({
      inputRequests: {
        user_name: askName,
        greeting: inputRequired.createMessage({ messages, maxTokens: 50 }),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await stateCodec.mint({ round: 1 }, context),
    });
  });
  add('test_input_required_result_multi_round', async (context) => {
    const { inputResponses, requestState } = context.mcpReq;
    const round = requestState<{ round: number }>()?.round ?? 0;
    const color = acceptedContent(inputResponses, 'step2');
    if (round === 2 && color) return { content: [text(`Your favorite color is ${String(color['color'])}.`)] };
    const named = round >= 1 && acceptedContent(inputResponses, 'step1');
    const requestedSchema = { type: 'object', properties: { color: string }, required: ['color'] } as Form;
    const step2 = inputRequired.elicit({ message: 'Step 2: What is your favorite color?', requestedSchema });
    const step1 = inputRequired.elicit({ message: 'Step 1: What is your name?', requestedSchema: nameForm });
    const state = await stateCodec.mint({ round: named ? 2 : 1 }, context);
    return inputRequired({ inputRequests: named ? { step2 } : { step1 }, requestState: state });
  });
  add('test_input_required_result_capabilities', ({ mcpReq }) => {
    const declared = (mcpReq.envelope as Record<string, object> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
    if (inputResponse(mcpReq.inputResponses, 'capital_question').kind !== 'missing')
      return { content: [text('Done.')] };
    return inputRequired({
      inputRequests: {
        ...('sampling' in declared ? { capital_question: capital } : {}),
        ...('elicitation' in declared ? { user_name: askName } : {}),
      },
    });
  });
}
