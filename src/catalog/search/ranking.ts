import { wordsOf } from './words/splitWords.ts';
import { actionsIn, type Action } from './words/actionVerbs.ts';
import { TopItems } from './bestItems.ts';
import type { ServerIndex } from './index/serverIndex.ts';
import { frequencyIn, type TermIndex } from './index/termIndex.ts';
import { scoreTerms, type RankingSources } from './termScores.ts';

/** What a term counts more for each time that the request repeats it. */
const REPETITION = 0.2;
/** The most terms of a request that count. */
const MAX_TERMS = 32;
/** What the server as a whole adds: its tools have the request's terms; its name has them. */
const SERVER_TOPIC = 0.3;
const SERVER_NAME = 0.25;
/** How much of its tools a term must be in for a server to be half about it. */
const HALF_TOPIC = 0.3;
/** What a name whose every term is asked for adds, as a share of the score. */
const NAME_COVERED = 0.3;
/** How much a tool gains that does what the request does, and loses that does something else. */
const SAME_ACTION = 0.2;

/** One term of a request, and how telling it is of a server. */
interface RequestTerm {
  readonly term: string;
  /** Of the term in the index; -1 where that hasn't got it. */
  readonly number: number;
  readonly topicRarity: number;
  readonly serverNameRarity: number;
}

/**
 * Scores the tools of `servers` for a request in words: BM25 over weighted fields, where a term counts as the best of
 * itself and what is related to it, and then what the server, the tool's name and its action add.
 *
 * @param limit how many of the best have to be exact; what can't be among them may have too low a score
 * @returns one score for each tool, in the order of the servers and their tools; 0 where nothing is shared
 */
export function scoreTools(
  text: string,
  servers: readonly ServerIndex[],
  sources: RankingSources,
  limit: number,
): Float64Array {
  const words = requestWords(text);
  const counts = mostTelling(countTerms(words, sources), sources.index);
  const terms = [...counts.keys()].map((term) => weighTerm(term, sources.index));
  const wanted = actionsIn(words);
  const scores = scoreTerms(counts, servers, sources);
  const best = new TopItems<number>(limit, (a, b) => b - a);
  let at = 0;
  for (const server of servers) {
    let bonus: number | undefined;
    for (let place = 0; place < server.tools.length; place += 1, at += 1) {
      const score = scores[at] ?? 0;
      if (score === 0) continue;
      bonus ??= scoreServer(terms, server);
      const full = (score + bonus) * actionFactor(server.actions[place], wanted);
      scores[at] = full;
      best.add(full);
    }
  }
  addCoverage(scores, servers, coverage(counts, sources.index), best.isFull ? (best.items.at(-1) ?? 0) : 0);
  return scores;
}

/** Adds what covered names are worth, where a tool can reach `threshold` with it. */
function addCoverage(
  scores: Float64Array,
  servers: readonly ServerIndex[],
  covered: (server: ServerIndex, from: number, to: number) => number,
  threshold: number,
): void {
  let at = 0;
  for (const server of servers) {
    let from = 0;
    for (const to of server.nameEnds) {
      const score = scores[at] ?? 0;
      if (score > 0 && score * (1 + NAME_COVERED) >= threshold)
        scores[at] = score * (1 + NAME_COVERED * covered(server, from, to));
      from = to;
      at += 1;
    }
  }
}

/** Of a long request the terms that tell most; the rest is talk, and costs time. */
function mostTelling(counts: ReadonlyMap<string, number>, index: TermIndex): ReadonlyMap<string, number> {
  if (counts.size <= MAX_TERMS) return counts;
  const telling = [...counts].toSorted(([a], [b]) => index.rarity(b) - index.rarity(a));
  return new Map(telling.slice(0, MAX_TERMS));
}

function weighTerm(term: string, index: TermIndex): RequestTerm {
  const topicRarity = index.rarityAmongServers(term);
  const number = index.entry(term)?.number ?? -1;
  return { term, number, topicRarity, serverNameRarity: index.rarityAmongServerNames(term) };
}

/** How often the request has each term, as what it counts for. */
function countTerms(words: readonly string[], { index, maker }: RankingSources): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  const kept = words.filter((word) => maker.termsOfWords([word]).length > 0);
  for (const term of maker.termsOfWords(kept)) {
    const count = terms.get(term);
    terms.set(term, count === undefined ? 1 : count + REPETITION);
  }
  // "web site" finds "website".
  for (let at = 0; at + 1 < kept.length; at += 1) {
    const [joined] = maker.termsOfWords([`${kept[at] ?? ''}${kept[at + 1] ?? ''}`]);
    if (joined !== undefined && !terms.has(joined) && index.entry(joined)) terms.set(joined, 1);
  }
  return terms;
}

function scoreServer(terms: readonly RequestTerm[], server: ServerIndex): number {
  let score = 0;
  for (const { term, number, topicRarity, serverNameRarity } of terms) {
    const frequency = frequencyIn(server, number);
    if (frequency === 0) continue;
    const share = frequency / server.tools.length;
    score += (SERVER_TOPIC * topicRarity * share) / (share + HALF_TOPIC);
    if (serverNameRarity > 0 && server.serverTerms.includes(term)) score += SERVER_NAME * serverNameRarity;
  }
  return score;
}

/** How much of a name's terms, those of a server's `nameTerms` from one place to another, by how telling they are, the request has. */
function coverage(
  terms: ReadonlyMap<string, number>,
  index: TermIndex,
): (server: ServerIndex, from: number, to: number) => number {
  const asked = new Set([...terms.keys()].map((term) => index.entry(term)?.number));
  const rarities = new Map<number, number>();
  const rarityOf = (term: number): number => {
    const known = rarities.get(term);
    if (known !== undefined) return known;
    const rarity = index.rarityOf(term);
    rarities.set(term, rarity);
    return rarity;
  };
  return ({ nameTerms }, from, to) => {
    let all = 0;
    let covered = 0;
    for (let at = from; at < to; at += 1) {
      const term = nameTerms[at] ?? -1;
      const rarity = rarityOf(term);
      all += rarity;
      if (asked.has(term)) covered += rarity;
    }
    return all > 0 ? covered / all : 0;
  };
}

function actionFactor(action: Action | undefined, wanted: ReadonlySet<Action>): number {
  if (action === undefined || wanted.size === 0) return 1;
  return wanted.has(action) ? 1 + SAME_ACTION : 1 / (1 + SAME_ACTION);
}

const URL = /https?:\/\/(?:www\.)?([\p{L}\p{N}.-]+)\S*/giu;
const PATH = /(?<![\p{L}\p{N}.])(?:~|\.{0,2})\/[\w.-]+(?:\/[\w.-]+)+\/?/gu;

/**
 * The words of a request. An address counts as `url` and the name of its host, a path as `file`, its folders and the
 * ending of its name: what is inside them is what the request is about, not which tool it needs.
 */
export function requestWords(text: string): string[] {
  return wordsOf(
    text
      .replaceAll(URL, (_whole, host: string) => ` url ${host.split('.').slice(0, -1).join(' ')} `)
      .replaceAll(PATH, (path) => ` file ${wordsOfPath(path)} `),
  );
}

function wordsOfPath(path: string): string {
  const parts = path.split('/').filter(Boolean);
  const last = parts.pop() ?? '';
  const dot = last.lastIndexOf('.');
  return [...parts.filter((part) => part !== 'home'), dot >= 0 ? last.slice(dot + 1) : last].join(' ');
}
