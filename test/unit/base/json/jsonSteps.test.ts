import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonPieces } from '../../../../src/base/json/jsonPieces.ts';
import { isTooDeep, MAX_NESTING } from '../../../../src/base/json/jsonDepth.ts';
import { parseSteps, readSteps } from '../../../../src/base/json/jsonSteps.ts';
import { TooDeep, TooManyMembers } from '../../../../src/base/json/readingLimits.ts';
import { atOnce, inSlices } from '../../../../src/base/timeSlices.ts';

/** What reading gives, or that it throws. */
const outcome = (read: () => unknown): unknown => {
  try {
    return { value: read() };
  } catch (error) {
    return String(error);
  }
};

describe('JSON in steps', () => {
  it('reads any text as JSON.parse does, whatever the size of the pieces', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.integer({ min: 0, max: 30 }), fc.boolean(), (text, piece, isWide) => {
        const given = isWide ? JSON.stringify(JSON.parse(text), undefined, 2) : text;
        assert.deepEqual(atOnce(parseSteps(given, piece)), JSON.parse(given));
      }),
    );
  });

  it('leaves out members over a limit, and says how many; where nobody wants to know, it fails', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.json({ maxDepth: 2 }), { maxKeys: 12 }), (members) => {
        const text = `{${Object.entries(members).map(([key, json]) => `${JSON.stringify(key)}:${json}`).join()}}`; // prettier-ignore
        const whole = JSON.parse(text) as Record<string, unknown>;
        let cut = 0;
        const limit = { maxMembers: 5, onCut: (count: number) => void (cut += count) };
        const read = atOnce(parseSteps(text, 9, limit)) as Record<string, unknown>;
        // Those of values are counted, too.
        if (Object.keys(whole).length <= 5 || text.length <= 9) return;
        assert.equal(Object.keys(read).length, 5);
        assert.ok(cut >= Object.keys(whole).length - 5);
        assert.throws(() => atOnce(parseSteps(text, 9, { maxMembers: 5 })), TooManyMembers);
      }),
    );
  });

  it('sees on its way how a text is written: its numbers, the blanks in it, and where its long values stand', () => {
    const number = fc.constantFrom(
      '0',
      '-7',
      '1.25',
      '120',
      '-0.5',
      '1.0',
      '1e3',
      '2.5E-7',
      '0.0000001',
      '-0.0000002',
      '1234567890123456789',
    );
    const text = fc.tuple(fc.array(number, { minLength: 4, maxLength: 30 }), fc.json({ maxDepth: 2 }), fc.boolean());
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 40 }), ([numbers, other, isWide], piece) => {
        const gap = isWide ? ' ' : '';
        const own = numbers.map((digits, index) => `{"text":"1e5, 1.0: [","${index}":${digits}}`);
        const given = `[${own.join(`,${gap}`)},${JSON.stringify(JSON.parse(other))}]`;
        const { value, written } = atOnce(readSteps(given, piece));
        assert.deepEqual(value, JSON.parse(given));
        assert.equal(written?.hasBlanks, isWide);
        const isOdd = (digits: string): boolean => String(Number(digits)) !== digits;
        if (numbers.some(isOdd)) assert.ok(written?.mayHaveExactNumbers);
        else if (!/[\d.]{16}|[eE]|\.\d*0/.test(other)) assert.equal(written?.mayHaveExactNumbers, false);
        assert.ok((written?.places.size ?? 0) > 0);
        for (const [place, [from, to]] of written?.places ?? [])
          assert.deepEqual(place, JSON.parse(given.slice(from, to)));
      }),
      { numRuns: 500 },
    );
    assert.equal(atOnce(readSteps('[1.0]')).written, undefined);
  });

  it('refuses what JSON.parse refuses, with the same words', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', ' 1', '\\'), (text, place, put) => {
        const at = place % (text.length + 1);
        const given = text.slice(0, at) + put + text.slice(at + 1);
        for (const piece of [0, 3, 9])
          assert.deepEqual(outcome(() => atOnce(parseSteps(given, piece))), outcome(() => JSON.parse(given))); // prettier-ignore
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads and writes a string in pieces, with its escapes and characters whole', () => {
    const unit = fc.constantFrom('\\', '"', '\n', 'u', 'u00', '😀', '\ud83d', '\u0001', 'é', 'x', '\\u0041', '\u2028');
    const text = fc.array(unit, { maxLength: 80 }).map((units) => units.join(''));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 20 }), fc.boolean(), (value, piece, isAscii) => {
        const json = JSON.stringify({ value });
        const escape = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
        const given = isAscii ? json.replaceAll(/[^ -~]/g, escape) : json;
        assert.deepEqual(atOnce(parseSteps(given, piece)), { value });
        assert.equal([...jsonPieces(value, piece)].join(''), JSON.stringify(value));
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps a member called __proto__, and the last of two with one name', () => {
    const text = '{"__proto__": [1, 2, 3], "a": 1, "a": {"b": [2]}}';
    const value = atOnce(parseSteps(text, 2)) as object;
    assert.deepEqual(Object.entries(value), [
      ['__proto__', [1, 2, 3]],
      ['a', { b: [2] }],
    ]);
  });

  it('reads nothing that is nested deeper than it may be, whatever the size of the pieces', () => {
    const nest = (levels: number, within = ''): string => '['.repeat(levels) + within + ']'.repeat(levels);
    const around: readonly ((levels: number) => string)[] = [
      nest,
      (levels) => nest(levels, '"[[[\\"{{"'),
      (levels) => `[1,"[",${nest(levels - 1)},2]`,
      (levels) => `{"a":{"b]":[0],"c":${nest(levels - 2)}}}`,
      (levels) => `[${'[],'.repeat(40)}${'{"a":'.repeat(levels - 1)}0${'}'.repeat(levels - 1)}]`,
    ];
    for (const text of around)
      for (const levels of [MAX_NESTING, MAX_NESTING + 1, 3 * MAX_NESTING])
        for (const piece of [9, 400, 1_000_000]) {
          const given = text(levels);
          const read = (): unknown => atOnce(parseSteps(given, piece, { limitsNesting: true }));
          assert.equal(atOnce(isTooDeep(given)), levels > MAX_NESTING);
          if (levels > MAX_NESTING) assert.throws(read, TooDeep, `${levels} levels in pieces of ${piece}`);
          else assert.equal(JSON.stringify(read()), JSON.stringify(JSON.parse(given)));
        }
  });

  it('writes any value as JSON.stringify does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 60 }), (value, piece) => {
        assert.equal([...jsonPieces(value, piece)].join(''), JSON.stringify(value));
      }),
    );
    assert.equal([...jsonPieces({ a: undefined, b: [undefined] }, 0)].join(''), '{"b":[null]}');
  });

  it('lets others run while it reads a long text', async () => {
    const items = Array.from({ length: 50_000 }, (_, index) => ({ index, text: `text "${index}"` }));
    const text = JSON.stringify(items);
    let turns = 0;
    let on = true;
    const turn = (): void => {
      turns += 1;
      if (on) setImmediate(turn);
    };
    setImmediate(turn);
    assert.deepEqual(await inSlices(parseSteps(text)), items);
    on = false;
    assert.ok(turns > 1, `${turns} turns`);
  });
});
