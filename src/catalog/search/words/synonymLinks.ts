/** What the generated module has to export. Numbers are digits of {@link DIGITS}. */
export interface SynonymModule {
  readonly SYNONYM_TERMS: string;
  /** For each term, with how many later ones it makes a pair. */
  readonly SYNONYM_COUNTS: string;
  /** For each pair, how many terms stand between it and the one before: first all upper digits, then all lower ones. */
  readonly SYNONYM_GAPS: string;
  /** For each pair, which of the two leads to the other: one of {@link WAYS}. */
  readonly SYNONYM_WAYS: string;
  /** How near the terms of a pair are: one weight, or two where each way has its own. */
  readonly SYNONYM_WEIGHTS: string;
}

/** A related term and how near it is, from 0 to 1. */
export interface RelatedTerm {
  readonly term: string;
  readonly weight: number;
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_ !#$%&()*+,./:;<=>?@[]^{|}~';
const VALUES = Uint8Array.from({ length: 128 }, (_, code) => Math.max(0, DIGITS.indexOf(String.fromCharCode(code))));
const WAYS = { alike: 'a', there: 'b', back: 'c', apart: 'd' };
const WEIGHT_STEPS = 50;
const PLACES = 2 ** 16;

/** The links of each term, a number each: the farthest first, so that they are read from their end. */
export interface SynonymLinks {
  readonly links: Uint32Array;
  /** Where those of each term begin, and where one more’s would. */
  readonly starts: Uint32Array;
}

/** The links of a table of `count` terms. */
export function unpackLinks(packed: SynonymModule, count: number): SynonymLinks {
  const pairs = unpackPairs(packed);
  const starts = new Uint32Array(count + 1);
  visitLinks(pairs, (from) => (starts[from + 1] = (starts[from + 1] ?? 0) + 1));
  for (let place = 0; place < count; place += 1) starts[place + 1] = (starts[place + 1] ?? 0) + (starts[place] ?? 0);
  const links = new Uint32Array(starts[count] ?? 0);
  const ends = starts.slice();
  visitLinks(pairs, (from, link) => {
    const end = ends[from] ?? 0;
    links[end] = link;
    ends[from] = end + 1;
  });
  for (let place = 0; place < count; place += 1) links.subarray(starts[place], starts[place + 1]).sort();
  return { links, starts };
}

/** The place of the term that a link leads to, and how near it is. */
export function readLink(link: number): { readonly place: number; readonly weight: number } {
  return { place: PLACES - 1 - (link % PLACES), weight: Math.floor(link / PLACES) / WEIGHT_STEPS };
}

/** Gives the place of the term that each link leads from, and its number. */
function visitLinks(pairs: Uint16Array, visit: (from: number, link: number) => void): void {
  for (let at = 0; at < pairs.length; at += 4) {
    const first = pairs[at] ?? 0;
    const second = pairs[at + 1] ?? 0;
    const there = pairs[at + 2] ?? 0;
    const back = pairs[at + 3] ?? 0;
    if (there > 0) visit(first, there * PLACES + PLACES - 1 - second);
    if (back > 0) visit(second, back * PLACES + PLACES - 1 - first);
  }
}

/** Four numbers for each pair: the places of its terms, and the steps from the first to the second and back, 0 for no link. */
function unpackPairs(packed: SynonymModule): Uint16Array {
  const ways = packed.SYNONYM_WAYS;
  const nextWeight = digitsOf(packed.SYNONYM_WEIGHTS);
  const nextUpper = digitsOf(packed.SYNONYM_GAPS);
  const nextLower = digitsOf(packed.SYNONYM_GAPS, ways.length);
  const nextCount = digitsOf(packed.SYNONYM_COUNTS);
  const pairs = new Uint16Array(4 * ways.length);
  let at = 0;
  for (let first = 0; at < ways.length; first += 1) {
    let second = first;
    for (let left = nextCount(); left > 0; left -= 1) {
      second += 1 + nextUpper() * DIGITS.length + nextLower();
      const way = ways.charAt(at);
      const step = nextWeight() + 1;
      const other = way === WAYS.apart ? nextWeight() + 1 : step;
      pairs[4 * at] = first;
      pairs[4 * at + 1] = second;
      pairs[4 * at + 2] = way === WAYS.back ? 0 : step;
      pairs[4 * at + 3] = way === WAYS.there ? 0 : other;
      at += 1;
    }
  }
  return pairs;
}

/** Reads one digit after the other. */
function digitsOf(text: string, from = 0): () => number {
  let at = from;
  return () => VALUES[text.charCodeAt(at++)] ?? 0;
}

/**
 * Writes a table in the form that is shipped. Two thirds of the links lead both ways with one weight, and a column of a kind each is packed
 * tighter than rows: a quarter less than a list of links for each term.
 * @param table from each term to those that it leads to, as many as two digits can number; others are left out
 */
export function packSynonyms(table: ReadonlyMap<string, readonly RelatedTerm[]>): SynonymModule {
  const terms = [...table.keys()];
  const places = new Map(terms.map((term, place) => [term, place]));
  const pairs = new Map<number, { there: number; back: number }>();
  for (const [term, related] of table)
    for (const { term: other, weight } of related) {
      const [from, to] = [places.get(term) ?? -1, places.get(other) ?? -1];
      if (to < 0 || from === to) continue;
      const key = Math.min(from, to) * PLACES + Math.max(from, to);
      const step = Math.min(WEIGHT_STEPS, Math.max(1, Math.round(weight * WEIGHT_STEPS)));
      pairs.set(key, { ...(pairs.get(key) ?? { there: 0, back: 0 }), [from < to ? 'there' : 'back']: step });
    }
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  const counts = terms.map(() => 0);
  const gaps = sorted.map(([key], at) => {
    const first = Math.floor(key / PLACES);
    counts[first] = (counts[first] ?? 0) + 1;
    const before = sorted[at - 1]?.[0] ?? -1;
    return (key % PLACES) - 1 - (Math.floor(before / PLACES) === first ? before % PLACES : first);
  });
  const digits = (numbers: readonly number[]): string => numbers.map(digitOf).join('');
  return {
    SYNONYM_TERMS: terms.join(' '),
    SYNONYM_COUNTS: digits(counts),
    SYNONYM_GAPS:
      digits(gaps.map((gap) => Math.floor(gap / DIGITS.length))) + digits(gaps.map((gap) => gap % DIGITS.length)),
    SYNONYM_WAYS: sorted.map(([, pair]) => WAYS[wayOf(pair)]).join(''),
    SYNONYM_WEIGHTS: digits(
      sorted.flatMap(([, { there, back }]) =>
        there > 0 && back > 0 && there !== back ? [there - 1, back - 1] : [Math.max(there, back) - 1],
      ),
    ),
  };
}

function wayOf({ there, back }: { readonly there: number; readonly back: number }): keyof typeof WAYS {
  if (back === 0) return 'there';
  if (there === 0) return 'back';
  return there === back ? 'alike' : 'apart';
}

/** @throws {RangeError} for a number that one digit can't say */
function digitOf(number: number): string {
  const digit = DIGITS.charAt(number);
  if (digit === '') throw new RangeError(`The table of synonyms can't hold ${number} in a digit.`);
  return digit;
}
