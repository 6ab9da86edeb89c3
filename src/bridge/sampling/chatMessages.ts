import * as vscode from 'vscode';
import type { SamplingBlock, SamplingRequest } from './samplingRequest.ts';

/** A request's messages as the editor has them. It has no role for a system prompt, so that comes first, as a user's. */
export function chatMessages({ systemPrompt, messages }: SamplingRequest): vscode.LanguageModelChatMessage[] {
  const Message = vscode.LanguageModelChatMessage;
  return [
    ...(systemPrompt === undefined ? [] : [Message.User(systemPrompt)]),
    ...messages
      .filter(({ blocks }) => blocks.length > 0)
      .map(({ role, blocks }) =>
        role === 'assistant'
          ? Message.Assistant(blocks.flatMap(assistantPart))
          : Message.User(blocks.flatMap(userPart)),
      ),
  ];
}

function userPart(
  block: SamplingBlock,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolResultPart | vscode.LanguageModelDataPart)[] {
  if (block.type === 'tool_result') {
    const texts = block.texts.map((text) => new vscode.LanguageModelTextPart(text));
    return [new vscode.LanguageModelToolResultPart(block.toolUseId, texts)];
  }
  return block.type === 'tool_use' ? [] : [plainPart(block)];
}

function assistantPart(
  block: SamplingBlock,
): (vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelDataPart)[] {
  if (block.type === 'tool_use') return [new vscode.LanguageModelToolCallPart(block.id, block.name, block.input)];
  return block.type === 'tool_result' ? [] : [plainPart(block)];
}

function plainPart(
  block: Exclude<SamplingBlock, { type: 'tool_use' | 'tool_result' }>,
): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  return block.type === 'text'
    ? new vscode.LanguageModelTextPart(block.text)
    : new vscode.LanguageModelDataPart(Buffer.from(block.data, 'base64'), block.mimeType);
}
