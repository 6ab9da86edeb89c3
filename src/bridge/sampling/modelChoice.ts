import { type ModelPreferences, SamplingRefusal, isMedia, type SamplingRequest } from './samplingRequest.ts';
import type * as vscode from 'vscode';
import { modelTraits } from '../modelTraits.ts';
import { RPC_CODES } from '../../connection/protocol/rpcCodes.ts';

/** What is known of a model. */
export interface ModelFacts {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly family: string;
  readonly maxInputTokens: number;
}

/**
 * The models in the order in which they fit: the first hint that some model fits decides before all else, as the
 * specification says; among those that fit, what the priorities ask for; then the editor's own order.
 */
export function rankedModels<T extends ModelFacts>(models: readonly T[], preferences: ModelPreferences): readonly T[] {
  const { hints, cost, speed, intelligence } = preferences;
  const [hinted = []] = hints.map((hint) => fitting(models, hint)).filter(({ length }) => length > 0);
  const wish = intelligence - Math.max(cost, speed);
  const score = (model: T): number => (hinted.includes(model) ? 10 : 0) + wish * strengthOf(model);
  return models
    .map((model, index) => ({ model, index, score: score(model) }))
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .map(({ model }) => model);
}

/** Hints are parts of names. Of a model that isn't here its words still say something (`claude-3-sonnet`: *claude*, *sonnet*). */
function fitting<T extends ModelFacts>(models: readonly T[], hint: string): readonly T[] {
  const wanted = plain(hint);
  const namesOf = ({ id, name, family }: T): string => [id, name, family].map(plain).join(' ');
  const whole = wanted === '' ? [] : models.filter((model) => namesOf(model).includes(wanted));
  if (whole.length > 0) return whole;
  const wordsOf = (text: string): readonly string[] => text.split(/[^a-z]+/).filter((word) => word.length > 2);
  const likeness = models.map((model) => {
    const own = wordsOf(namesOf(model));
    return wordsOf(wanted).filter((word) => own.includes(word)).length;
  });
  const most = Math.max(1, ...likeness);
  return models.filter((_, index) => likeness[index] === most);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[\s_.]+/g, '-');
}

const LIGHT = /\b(?:mini|nano|haiku|flash|lite|small|tiny|fast|turbo|instant|micro|air|8b|7b|3b|1b)\b/;
const STRONG = /\b(?:opus|pro|large|ultra|max|o1|o3|deep|reason(?:er|ing)?|405b|70b)\b/;

/** What models are is said nowhere but in their names: -1 for the small and fast, 1 for the strong, 0 for the rest. */
function strengthOf({ id, name, family }: ModelFacts): number {
  const text = plain(`${id} ${name} ${family}`).replaceAll('-', ' ');
  if (LIGHT.test(text)) return -1;
  return STRONG.test(text) ? 1 : 0;
}

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
