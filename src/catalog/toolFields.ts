import { isRecord } from '../base/json.ts';
import { actionOf, type Action } from './actions.ts';
import type { CatalogTool } from './types.ts';
import { wordsOf, type TermMaker } from './words.ts';

/**
 * What each field of a tool weighs, how far a field's length tames its terms (BM25's b), and the number of terms that
 * counts as usual. Usual lengths are fixed rather than measured, so that one server's tools never change what another's
 * weigh.
 */
const FIELDS = {
  server: { weight: 1.5, taming: 0, usual: 2 },
  name: { weight: 2.8, taming: 0.4, usual: 3 },
  title: { weight: 2, taming: 0.4, usual: 3 },
  description: { weight: 1, taming: 0.6, usual: 25 },
  parameterNames: { weight: 0.6, taming: 0.6, usual: 8 },
  parameterDescriptions: { weight: 0.3, taming: 0.6, usual: 30 },
} as const;

/** Of longer texts only the beginning is indexed, in characters, so that no tool takes long. */
const MAX_TEXT = 8_000;

/** A tool's terms with their weights, and what its name says. */
export interface ToolTerms {
  /** In this order: the terms that are the tool's own, then those of parameter descriptions alone. */
  readonly weights: ReadonlyMap<string, number>;
  /** How many of them are the tool's own. */
  readonly ownCount: number;
  readonly nameTerms: readonly string[];
  readonly action: Action | undefined;
}

/** Takes a tool apart into the terms that it is found by. */
export function termsOfTool(entry: CatalogTool, maker: TermMaker): ToolTerms {
  const { tool } = entry;
  const weights = new Map<string, number>();
  const add = (field: keyof typeof FIELDS, terms: readonly string[]): void => {
    const { weight, taming, usual } = FIELDS[field];
    const share = weight / (1 - taming + (taming * terms.length) / usual);
    for (const term of terms) weights.set(term, (weights.get(term) ?? 0) + share);
  };
  const nameWords = wordsOf(tool.name);
  const nameTerms = maker.termsOfWords(nameWords);
  const parameters = parametersOf(tool.inputSchema);
  add('server', maker.termsOf(entry.serverName));
  add('name', nameTerms);
  add('title', maker.termsOf(tool.title ?? tool.annotations.title ?? ''));
  add('description', maker.termsOf((tool.description ?? '').slice(0, MAX_TEXT)));
  add('parameterNames', maker.termsOf(parameters.names));
  const ownCount = weights.size;
  add('parameterDescriptions', maker.termsOf(parameters.descriptions));
  return { weights, ownCount, nameTerms, action: actionOf(nameWords) };
}

function parametersOf(schema: unknown): { names: string; descriptions: string } {
  const properties = isRecord(schema) && isRecord(schema['properties']) ? schema['properties'] : {};
  let names = '';
  let descriptions = '';
  for (const name in properties) {
    if (names.length < MAX_TEXT) names += ` ${name}`;
    const property = properties[name];
    const description = isRecord(property) ? property['description'] : undefined;
    if (typeof description === 'string' && descriptions.length < MAX_TEXT) descriptions += ` ${description}`;
  }
  return { names: names.slice(0, MAX_TEXT), descriptions: descriptions.slice(0, MAX_TEXT) };
}
