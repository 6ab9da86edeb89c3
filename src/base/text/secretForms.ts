import { readEscapes, type Place } from './escapedText.ts';

/** Shorter values are parts of too many words; those below `LONG` are masked where they stand alone. In UTF-16 units. */
export const SHORTEST = 4;
export const LONG = 8;
/** How often a text is escaped at most: JSON in JSON in a page. */
export const MAX_ESCAPED = 3;

/** So much of a form is looked for; what follows is compared, and counts as far as it is there: programs cut long values. */
const HEAD = 64;
/** So many forms of one head are compared, each by itself. */
const MANY = 16;
/** Forms are told apart by so many bits of how they begin. */
const BITS = 18;
/** Up to so many beginnings, an expression finds them sooner than we do. */
const FEW_STARTS = 500;

/**
 * All forms of values, found in a text in one pass, which takes the same time for a thousand of them as for one: by a number for their
 * first four units. An expression of as many whole forms takes seconds to compile.
 */
export class FormIndex {
  readonly #isStart = new Uint8Array(1 << BITS);
  readonly #byStart = new Map<number, FormsByHead>();
  readonly #known = new Set<string>();
  /** The first four units of each. */
  readonly #starts = new Set<string>();
  #expression: RegExp | undefined;

  constructor(values: Iterable<string>) {
    for (const value of values) this.add(value);
  }

  add(value: string): void {
    for (const form of formsOf(value)) {
      const folded = foldedUnits(form.text);
      const key = `${folded}${form.isWord === true ? ' word' : ''}`;
      if (folded.length < SHORTEST || this.#known.has(key)) continue;
      this.#known.add(key);
      const start = startAt(folded, 0);
      this.#isStart[start] = 1;
      this.#starts.add(folded.slice(0, SHORTEST));
      this.#expression = undefined;
      const same = this.#byStart.get(start) ?? new FormsByHead();
      this.#byStart.set(start, same);
      same.add({ ...form, folded });
    }
  }

  /** Where forms stand in a text, whatever its case. */
  placesIn(text: string): Place[] {
    const folded = foldedUnits(text);
    const places: Place[] = [];
    const tokens = new TokenEnds(text);
    for (let at = this.#next(folded, 0); at >= 0; at = this.#next(folded, at + 1)) {
      const end = this.#byStart.get(startAt(folded, at))?.endAt(text, folded, at, tokens) ?? -1;
      if (end > at) places.push([at, end]);
    }
    return places;
  }

  /** Where the next form may begin; -1 for nowhere. */
  #next(folded: string, from: number): number {
    if (this.#starts.size <= FEW_STARTS) {
      this.#expression ??= new RegExp([...this.#starts].map(escapedPattern).join('|'), 'g');
      this.#expression.lastIndex = from;
      return this.#expression.test(folded) ? this.#expression.lastIndex - SHORTEST : -1;
    }
    for (let at = from; at + SHORTEST <= folded.length; at += 1)
      if (this.#isStart[startAt(folded, at)] === 1) return at;
    return -1;
  }
}

/** Forms whose first four units are the same, found by their heads: as many as a server likes may begin alike. */
class FormsByHead {
  /** By the length of the head, then by the head. */
  readonly #forms = new Map<number, Map<string, FoldedForm[]>>();

  add(form: FoldedForm): void {
    const head = form.folded.slice(0, HEAD);
    const sameLength = this.#forms.get(head.length) ?? new Map<string, FoldedForm[]>();
    this.#forms.set(head.length, sameLength);
    const same = sameLength.get(head) ?? [];
    sameLength.set(head, same);
    same.push(form);
  }

  /** Where the longest form ends that begins at a place in a text; -1 where none does. */
  endAt(text: string, folded: string, at: number, tokens: TokenEnds): number {
    let end = -1;
    for (const [length, byHead] of this.#forms) {
      const same = byHead.get(folded.slice(at, at + length));
      // Each has the whole head: of many that go on differently, what follows is taken out as far as it may be one of them.
      if (same && same.length > MANY) end = Math.max(end, tokens.endFrom(at + length));
      else for (const form of same ?? []) end = Math.max(end, endOf(form, text, folded, at));
    }
    return end;
  }
}

/** Where what has no blank or quote ends. */
class TokenEnds {
  readonly #text: string;
  #from = 0;
  #end = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** What lies within the last one isn't gone through again. */
  endFrom(at: number): number {
    if (at >= this.#from && at <= this.#end) return this.#end;
    this.#from = at;
    this.#end = at;
    while (this.#end < this.#text.length && !/[\s"'<>\\]/.test(this.#text.charAt(this.#end))) this.#end += 1;
    return this.#end;
  }
}

/** A number for four units of a text, at random among all there are. */
function startAt(text: string, at: number): number {
  let hash = text.charCodeAt(at);
  for (let next = 1; next < SHORTEST; next += 1) hash = Math.imul(hash ^ text.charCodeAt(at + next), 0x9e3779b1);
  return hash >>> (32 - BITS);
}

/** Where a form ends whose head begins at a place in a text; -1 where it is a part of a word. */
function endOf(form: FoldedForm, text: string, foldedText: string, at: number): number {
  const { folded, isWord, isBase64 } = form;
  let length = Math.min(folded.length, HEAD);
  while (length < folded.length && folded[length] === foldedText[at + length]) length += 1;
  const end = at + length;
  if (isWord === true) return isWithinWord(text, at, end) ? -1 : end;
  if (isBase64 !== true || length < folded.length) return end;
  return end + (/^[\w+/-]{0,2}={0,2}/.exec(text.slice(end, end + 4))?.[0].length ?? 0);
}

/** Whether a letter or a digit stands beside a part of a text. */
function isWithinWord(text: string, from: number, to: number): boolean {
  return (
    /[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, from - 2), from)) || /^[\p{L}\p{N}_]/u.test(text.slice(to, to + 2))
  );
}

/** The same for texts that differ in case alone, unit by unit: what would get longer stays. */
function foldedUnits(text: string): string {
  const folded = text.toLowerCase();
  const same =
    folded.length === text.length
      ? folded
      : Array.from(text, (sign) => (sign.toLowerCase().length === sign.length ? sign.toLowerCase() : sign)).join('');
  return same.replaceAll('\u017f', 's').replaceAll('ς', 'σ');
}

/** How a value may be written. */
interface Form {
  readonly text: string;
  /** It counts where it stands alone, not within a word. */
  readonly isWord?: boolean;
  /** It ends within a character of base64: what is left of that, and the padding, belong to it. */
  readonly isBase64?: boolean;
}

/** With the same for texts that differ in case alone. */
interface FoldedForm extends Form {
  readonly folded: string;
}

function formsOf(value: string): Form[] {
  // As forms of pages send it, and as it is once escapes are read: where one kind has to be, all are, those of the value, too.
  const sent = new URLSearchParams([['', value]]).toString().slice(1);
  const plain = [...new Set([value, sent, ...readings(value)])];
  if (value.length < LONG) return plain.map((text) => ({ text, isWord: true }));
  // A JWT holds JSON, and Windows has texts in UTF-16.
  const written = JSON.stringify(value).slice(1, -1);
  const texts = written === value ? [value] : [value, written];
  const encoded = [...texts.map((text) => Buffer.from(text)), Buffer.from(value, 'utf16le')].flatMap((bytes) => {
    const base64 = [0, 1, 2].map((offset) => base64Within(bytes, offset));
    const ends = [...base64, ...base64.map(urlSafe)].map((text) => ({ text, isBase64: true }));
    return [{ text: bytes.toString('hex') }, ...ends];
  });
  return [...[...plain, ...byteLists(value)].map((text) => ({ text })), ...encoded];
}

/** The bytes of a value as programs list them by themselves: `<Buffer 61 62>`, `61:62`, `{"data":[97,98]}`, `[97, 98]`. */
function byteLists(value: string): string[] {
  const bytes = [...Buffer.from(value)];
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0'));
  return [digits.join(' '), digits.join(':'), bytes.join(','), bytes.join(', ')];
}

/** A value with its own escapes read, once and more often. */
function readings(value: string, depth = MAX_ESCAPED): string[] {
  const read = depth === 0 ? undefined : readEscapes(value)?.text;
  return read === undefined || read.length < SHORTEST ? [] : [read, ...readings(read, depth - 1)];
}

/** What base64 makes of bytes that begin `offset` behind a multiple of three: only what no other byte takes part in. */
function base64Within(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  return text.slice(Math.ceil((offset * 4) / 3), Math.floor(((offset + bytes.length) * 4) / 3));
}

function urlSafe(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_');
}

function escapedPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
