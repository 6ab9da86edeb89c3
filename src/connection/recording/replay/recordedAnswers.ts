import { numberOf } from '../../../base/json/exactNumber.ts';
import { isRecord } from '../../../base/json/json.ts';
import { MASK } from '../../../base/text/secrets.ts';
import { isSame, type Exchange } from './recordedScript.ts';

/** Requests that are the same whatever their parameters say of the client. */
const OF_ANY_CLIENT = new Set(['initialize', 'server/discover', 'ping', 'subscriptions/listen']);
/** Deeper parameters are none that were recorded: lines that are nested over 512 levels aren't read. */
const MAX_DEPTH = 600;
/** So many kinds of requests of a method are compared to say which is the nearest, and so many of their differences are told. */
const MOST_COMPARED = 500;
const MOST_DIFFERENCES = 5;
const MAX_PATH = 80;

/** Exchanges with equal requests, in order. */
interface Equal {
  readonly params: unknown;
  readonly exchanges: { readonly exchange: Exchange; readonly index: number }[];
  /** How many of them were found. */
  used: number;
}

interface OfMethod {
  readonly byKey: Map<string, Equal>;
  /** Those of them with masked texts, which stand for any. */
  readonly masked: Equal[];
}

/** Why a request isn't found: it was never sent, or only with other parameters. `differences`: the places where the nearest differs. */
export interface NotRecorded {
  readonly method: string;
  readonly differences?: readonly string[];
}

/** Finds what was recorded of a request: each exchange once, in order; where all have been used, the last again. */
export class RecordedAnswers {
  readonly #methods = new Map<string, OfMethod>();

  constructor(exchanges: readonly Exchange[]) {
    for (const [index, exchange] of exchanges.entries()) this.#add(exchange, index);
  }

  find(method: string, params: unknown): Exchange | NotRecorded {
    const ofMethod = this.#methods.get(method);
    if (!ofMethod) return { method };
    const asked = askedOf(method, params);
    const same = ofMethod.byKey.get(keyOf(asked) ?? '');
    const fitting = ofMethod.masked.filter((each) => each !== same && isSame(each.params, asked));
    if (same) fitting.push(same);
    const [found] = fitting.toSorted((a, b) => placeOf(a) - placeOf(b));
    if (!found) return { method, differences: nearestIn([...ofMethod.byKey.values()], asked) };
    const next = found.exchanges[found.used];
    if (next) found.used += 1;
    return (next ?? lastOf(fitting)).exchange;
  }

  #add(exchange: Exchange, index: number): void {
    const params = askedOf(exchange.method, exchange.params);
    const key = keyOf(params);
    if (key === undefined) return;
    let ofMethod = this.#methods.get(exchange.method);
    if (!ofMethod) this.#methods.set(exchange.method, (ofMethod = { byKey: new Map(), masked: [] }));
    let equal = ofMethod.byKey.get(key);
    if (!equal) {
      ofMethod.byKey.set(key, (equal = { params, exchanges: [], used: 0 }));
      if (key.includes(MASK)) ofMethod.masked.push(equal);
    }
    equal.exchanges.push({ exchange, index });
  }
}

/** Where the next that wasn't found yet stands in the recording. */
function placeOf({ exchanges, used }: Equal): number {
  return exchanges[used]?.index ?? Number.POSITIVE_INFINITY;
}

function lastOf(fitting: readonly Equal[]): Equal['exchanges'][number] {
  return fitting.flatMap(({ exchanges }) => exchanges.slice(-1)).reduce((a, b) => (a.index > b.index ? a : b));
}

/** The parameters by which a request is known: without `_meta`, which is the client's own. */
function askedOf(method: string, params: unknown): unknown {
  if (OF_ANY_CLIENT.has(method) || !isRecord(params)) return {};
  const { _meta: _, ...rest } = params;
  return rest;
}

/** The same text for what is the same, in whatever order members stand, and however numbers are written; `undefined`: too deep. */
function keyOf(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const number = numberOf(value);
  if (number !== undefined) return String(number);
  const isList = Array.isArray(value);
  if (!isList && !isRecord(value)) return JSON.stringify(value);
  const parts: string[] = [];
  for (const name of isList ? value.keys() : Object.keys(value).toSorted()) {
    const part = keyOf((value as Record<string | number, unknown>)[name], depth + 1);
    if (part === undefined) return undefined;
    parts.push(isList ? part : `${JSON.stringify(name)}:${part}`);
  }
  return isList ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}

/** Where a request differs from the recorded one that is the nearest: names of members, no values. */
function nearestIn(recorded: readonly Equal[], asked: unknown): readonly string[] {
  let nearest: readonly string[] | undefined;
  for (const { params } of recorded.slice(-MOST_COMPARED)) {
    const differences = [...differencesOf(params, asked, '', 0)];
    if (!nearest || differences.length < nearest.length) nearest = differences;
  }
  return (nearest ?? [])
    .slice(0, MOST_DIFFERENCES)
    .map((place) => JSON.stringify(place.slice(0, MAX_PATH)).slice(1, -1));
}

function* differencesOf(recorded: unknown, given: unknown, place: string, depth: number): Generator<string> {
  if (isSame(recorded, given)) return;
  const isInside = isRecord(recorded) && isRecord(given) && depth < MOST_DIFFERENCES;
  if (!isInside) return yield place;
  for (const name of new Set([...Object.keys(recorded), ...Object.keys(given)])) {
    const inner = place === '' ? name : `${place}.${name}`;
    if (!(name in recorded && name in given)) yield inner;
    else yield* differencesOf(recorded[name], given[name], inner, depth + 1);
  }
}
