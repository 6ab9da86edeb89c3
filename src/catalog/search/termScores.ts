import type { Postings } from './index/postings.ts';
import type { ServerIndex } from './index/serverIndex.ts';
import type { RelatedTerm, Synonyms } from './words/synonyms.ts';
import type { TermIndex } from './index/termIndex.ts';
import type { TermMaker } from './words/splitWords.ts';

/** BM25's k1: how soon more of the same term stops to count. */
const SATURATION = 1.6;
/** What a related term counts of the term itself, by how it is related. */
const SYNONYM = 0.7;
const CONTAINING = 0.5;
const RESEMBLING = 0.8;
/** A term that more than this share of all tools have is not looked for in other forms. */
const COMMON = 0.1;

/** What ranking goes by. */
export interface RankingSources {
  readonly index: TermIndex;
  readonly maker: TermMaker;
  readonly synonyms: Synonyms | undefined;
}

/** The terms' part of the score of each tool, numbered over `servers` in their order. */
export function scoreTerms(
  terms: ReadonlyMap<string, number>,
  servers: readonly ServerIndex[],
  sources: RankingSources,
): Float64Array {
  const { index } = sources;
  /** Where the scores of a server start, by its slot; -1 for one that isn't asked. */
  const starts = new Int32Array(index.servers.length).fill(-1);
  let toolCount = 0;
  for (const server of servers) {
    starts[index.slotOf(server)] = toolCount;
    toolCount += server.tools.length;
  }
  const scores = new Float64Array(toolCount);
  const best = new Float64Array(toolCount);
  for (const [term, count] of terms) {
    const touched: number[] = [];
    const own = index.rarity(term);
    for (const { term: related, weight } of alternatives(term, terms, sources)) {
      const entry = index.entry(related);
      if (entry === undefined) continue;
      // What stands for a term tells no more than the term does, however rare it is itself.
      const factor = weight * count * Math.min(own, index.rarity(related));
      for (let at = 0; at < entry.holders.length; at += 2) {
        const slot = entry.holders[at] ?? 0;
        const start = starts[slot] ?? -1;
        const postings = index.servers[slot]?.postings;
        if (postings && start >= 0) keepBest(best, touched, start, postings, entry.holders[at + 1] ?? 0, factor);
      }
    }
    for (const at of touched) {
      scores[at] = (scores[at] ?? 0) + (best[at] ?? 0);
      best[at] = 0;
    }
  }
  return scores;
}

function keepBest(
  best: Float64Array,
  touched: number[],
  start: number,
  { starts, places, weights }: Postings,
  row: number,
  factor: number,
): void {
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at += 1) {
    const tool = start + (places[at] ?? 0);
    const weight = weights[at] ?? 0;
    const value = (factor * weight) / (weight + SATURATION);
    const before = best[tool] ?? 0;
    if (before === 0) touched.push(tool);
    if (value > before) best[tool] = value;
  }
}

/** The term itself and what may be meant by it; terms that the request has anyway are left out. */
function alternatives(
  term: string,
  terms: ReadonlyMap<string, number>,
  { index, synonyms }: RankingSources,
): readonly RelatedTerm[] {
  const found: RelatedTerm[] = [{ term, weight: 1 }];
  const add = (related: readonly RelatedTerm[], factor: number): void => {
    for (const { term: other, weight } of related)
      if (!terms.has(other)) found.push({ term: other, weight: weight * factor });
  };
  if ((index.entry(term)?.frequency ?? 0) > index.toolCount * COMMON) return found;
  if (synonyms) add(synonyms.of(term), SYNONYM);
  add(index.vocabulary.containing(term), CONTAINING);
  if (index.entry(term) === undefined) add(index.vocabulary.resembling(term), RESEMBLING);
  return found;
}
