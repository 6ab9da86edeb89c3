import { isRecord, type JsonObject } from '../../base/json/json.ts';
import {
  isMedia,
  samplingRequestOf,
  type MediaBlock,
  type SamplingBlock,
  type SamplingRequest,
} from './samplingRequest.ts';

/** A request as users read and change it: images and sounds stand there by number. */
export function editableRequest({ systemPrompt, messages, maxTokens }: SamplingRequest): JsonObject {
  let number = 0;
  const shown = (block: SamplingBlock): JsonObject =>
    isMedia(block) ? { ...block, data: `#${(number += 1)}` } : wire(block);
  return {
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    messages: messages.map(({ role, blocks }) => ({ role, content: blocks.map(shown) })),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  };
}

/** What was changed put into the request; `undefined` where no message is left. What isn't shown stays as it is. */
export function editedRequest(edited: JsonObject, original: SamplingRequest): SamplingRequest | undefined {
  const { systemPrompt, messages, maxTokens } = samplingRequestOf(edited);
  if (messages.every(({ blocks }) => blocks.length === 0)) return undefined;
  const data = original.messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (isMedia(block) ? [block.data] : [])),
  );
  const whole = (block: SamplingBlock): readonly SamplingBlock[] => {
    if (!isMedia(block)) return [block];
    const found = data[Number(/^#(\d+)$/.exec(block.data)?.[1]) - 1];
    return found === undefined ? [] : [{ ...block, data: found }];
  };
  const { preferences, temperature, stopSequences, tools, toolChoice } = original;
  return {
    messages: messages.map(({ role, blocks }) => ({ role, blocks: blocks.flatMap(whole) })),
    preferences,
    stopSequences,
    tools,
    toolChoice,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function wire(block: Exclude<SamplingBlock, MediaBlock>): JsonObject {
  if (block.type !== 'tool_result') return { ...block };
  const { type, toolUseId, texts } = block;
  return { type, toolUseId, content: texts.map((text) => ({ type: 'text', text })) };
}

/** A text as a JSON object; `undefined` where it is none. */
export function parsedObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}
