import type * as vscode from 'vscode';
import { modelTraits } from '../models/modelTraits.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';
import { SamplingRefusal } from './refusal.ts';
import { isMedia, type SamplingRequest } from './samplingRequest.ts';

/**
 * The models that take what a request has in it: a model that doesn't would answer without having seen an image.
 * @throws SamplingRefusal where there are models, but none that do
 */
export function ableModels(
  models: readonly vscode.LanguageModelChat[],
  { messages, tools }: SamplingRequest,
): readonly vscode.LanguageModelChat[] {
  const hasImages = messages.some(({ blocks }) => blocks.some((block) => isMedia(block) && block.type === 'image'));
  const seeing = models.filter((model) => !hasImages || modelTraits(model).takesImages !== false);
  if (seeing.length === 0 && models.length > 0)
    throw new SamplingRefusal(
      RPC_CODES.invalidParams,
      'No language model here accepts images. Send the request without images.',
    );
  const able = seeing.filter((model) => tools.length === 0 || modelTraits(model).callsTools !== false);
  if (able.length === 0 && seeing.length > 0)
    throw new SamplingRefusal(
      RPC_CODES.invalidParams,
      'No language model here calls tools. Send the request without tools.',
    );
  return able;
}
