import { isRecord, type JsonObject } from '../../base/json/json.ts';

/** What a server would like (specification: sampling, *Model Preferences*); priorities from 0 to 1. */
export interface ModelPreferences {
  readonly hints: readonly string[];
  readonly cost: number;
  readonly speed: number;
  readonly intelligence: number;
}

/** A server's preferences as it sent them, without what can't be understood. */
export function preferencesOf(value: unknown): ModelPreferences {
  const given = isRecord(value) ? value : {};
  const hints: readonly unknown[] = Array.isArray(given['hints']) ? given['hints'] : [];
  return {
    hints: hints.flatMap((hint) => (isRecord(hint) && typeof hint['name'] === 'string' ? [hint['name']] : [])),
    cost: priority(given['costPriority']),
    speed: priority(given['speedPriority']),
    intelligence: priority(given['intelligencePriority']),
  };
}

function priority(value: unknown): number {
  return typeof value === 'number' && value >= 0 ? Math.min(1, value) : 0;
}

/** An image or a sound; its data is base64, as it came. */
export interface MediaBlock {
  readonly type: 'image' | 'audio';
  readonly mimeType: string;
  readonly data: string;
}

/** A block of a sampling message. */
export type SamplingBlock =
  | MediaBlock
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'tool_result'; readonly toolUseId: string; readonly texts: readonly string[] };

export interface SamplingMessage {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly SamplingBlock[];
}

export interface SamplingTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** `sampling/createMessage` as the protocol has it, without what can't be understood. */
export interface SamplingRequest {
  readonly messages: readonly SamplingMessage[];
  readonly systemPrompt?: string;
  readonly preferences: ModelPreferences;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly stopSequences: readonly string[];
  readonly tools: readonly SamplingTool[];
  readonly toolChoice: 'auto' | 'required' | 'none';
}

export function samplingRequestOf(params: JsonObject): SamplingRequest {
  const { systemPrompt, maxTokens, temperature, stopSequences, tools, toolChoice } = params;
  const mode = isRecord(toolChoice) ? toolChoice['mode'] : undefined;
  return {
    messages: listOf(params['messages']).map((message) => ({
      role: message['role'] === 'assistant' ? 'assistant' : 'user',
      blocks: blocksOf(message['content']),
    })),
    ...(typeof systemPrompt === 'string' && systemPrompt !== '' ? { systemPrompt } : {}),
    preferences: preferencesOf(params['modelPreferences']),
    ...(typeof maxTokens === 'number' && maxTokens > 0 ? { maxTokens } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    stopSequences: (Array.isArray(stopSequences) ? (stopSequences as readonly unknown[]) : []).filter(
      (each): each is string => typeof each === 'string' && each !== '',
    ),
    tools: listOf(tools).flatMap(({ name, description, inputSchema }) =>
      typeof name === 'string'
        ? [
            {
              name,
              description: typeof description === 'string' ? description : '',
              inputSchema: (isRecord(inputSchema) ? inputSchema : { type: 'object' }) as JsonObject,
            },
          ]
        : [],
    ),
    toolChoice: mode === 'required' || mode === 'none' ? mode : 'auto',
  };
}

function blocksOf(content: unknown): readonly SamplingBlock[] {
  return listOf(Array.isArray(content) ? content : [content]).flatMap((block) => blockOf(block) ?? []);
}

function blockOf(block: Record<string, unknown>): SamplingBlock | undefined {
  const { type, text, data, mimeType, id, name, input, toolUseId, content } = block;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string')
    return { type, mimeType, data };
  if (type === 'tool_use' && typeof id === 'string' && typeof name === 'string')
    return { type, id, name, input: (isRecord(input) ? input : {}) as JsonObject };
  if (type !== 'tool_result' || typeof toolUseId !== 'string') return undefined;
  const texts = listOf(content).map((each) =>
    typeof each['text'] === 'string' ? each['text'] : `(${String(each['type'])})`,
  );
  return { type, toolUseId, texts };
}

function listOf(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? (value as readonly unknown[]).filter(isRecord) : [];
}

/** Where a text ends: before the first stop sequence in it; `undefined`: nowhere yet. */
export function stopIn(text: string, stopSequences: readonly string[]): number | undefined {
  const places = stopSequences.map((stop) => text.indexOf(stop)).filter((place) => place >= 0);
  return places.length === 0 ? undefined : Math.min(...places);
}

export function isMedia(block: SamplingBlock): block is MediaBlock {
  return block.type === 'image' || block.type === 'audio';
}

/** Why a server gets no answer from a model. The server is sent its code, one of `RPC_CODES`, and its text. */
export class SamplingRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
