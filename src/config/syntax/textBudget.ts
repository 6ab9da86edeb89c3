import { createScanner } from 'jsonc-parser';

/** About 300 servers, or 2,500 lines of settings: read in less than 50 ms. */
const MAX_COST = 10_000;

/** What a character costs, beside the token that it is part of: places, comments, escapes and variables take time, too. */
const CHARACTER_COSTS = { $: 1, '\n': 0.1, '\r': 0.1, '/': 0.1, '\\': 0.1, ' ': 0.01, '\t': 0.01 };
/** TOML is counted by its characters: each key has some of these. */
const TOML_COSTS = { ...CHARACTER_COSTS, ',': 2, '=': 4, '.': 4, '[': 4, '{': 4, '"': 0.1, "'": 0.1, '#': 0.1 };

/** `SyntaxKind.EOF`: the enum is declared only. */
const END = 17;

/**
 * Whether a text takes too long to read for one that somebody else wrote: not its length counts, but the number of its
 * values and variables. Stops counting at the limit.
 */
export function isOverBudget(text: string, syntax: 'jsonc' | 'toml'): boolean {
  let cost = characterCost(text, syntax === 'toml' ? TOML_COSTS : CHARACTER_COSTS);
  if (syntax === 'toml') return cost > MAX_COST;
  const scanner = createScanner(text, true);
  const next = (): number => scanner.scan();
  while (cost <= MAX_COST && next() !== END) cost += 1;
  return cost > MAX_COST;
}

function characterCost(text: string, costs: Readonly<Record<string, number>>): number {
  const byCode = new Float64Array(128);
  for (const [character, cost] of Object.entries(costs)) byCode[character.charCodeAt(0)] = cost;
  let cost = 0;
  for (let at = 0; at < text.length && cost <= MAX_COST; at += 1) cost += byCode[text.charCodeAt(at)] ?? 0;
  return cost;
}
