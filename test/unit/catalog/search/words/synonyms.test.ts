import { deepEqual, ok } from 'node:assert/strict';
import * as fc from 'fast-check';
import * as table from '../../../../../src/catalog/search/words/synonymTable.ts';
import { packSynonyms } from '../../../../../src/catalog/search/words/synonymLinks.ts';
import { Synonyms } from '../../../../../src/catalog/search/words/synonyms.ts';

describe('synonyms', () => {
  it('come out of a packed table as they went in', () => {
    const packed = packSynonyms(
      new Map([
        ['delet', [{ term: 'remov', weight: 0.5 }, { term: 'nobody', weight: 1 }]],
        ['remov', [{ term: 'delet', weight: 1 }]],
      ]),
    ); // prettier-ignore
    const synonyms = new Synonyms(packed);
    deepEqual(synonyms.of('delet'), [{ term: 'remov', weight: 0.5 }]);
    deepEqual(synonyms.of('remov'), [{ term: 'delet', weight: 1 }]);
    deepEqual(synonyms.of('nobody'), []);
  });

  it('come out of any packed table, nearest first, each way with its own weight', () => {
    const places = fc.nat({ max: 300 });
    const weights = fc.integer({ min: 1, max: 50 }).map((step) => step / 50);
    fc.assert(
      fc.property(fc.array(fc.tuple(places, places, weights), { maxLength: 400 }), (links) => {
        const table = new Map(Array.from({ length: 301 }, (_, place) => [`term${place}`, new Map<string, number>()]));
        for (const [from, to, weight] of links) if (from !== to) table.get(`term${from}`)?.set(`term${to}`, weight);
        const given = new Map(
          [...table].map(([term, related]) => [term, [...related].map(([other, weight]) => ({ term: other, weight }))]),
        );
        const synonyms = new Synonyms(packSynonyms(given));
        for (const [term, related] of given) {
          const read = synonyms.of(term);
          deepEqual(new Set(read), new Set(related));
          const nearness = read.map(({ weight }) => weight);
          deepEqual(
            nearness,
            nearness.toSorted((a, b) => b - a),
          );
        }
      }),
      { numRuns: 30 },
    );
  });

  it('of the generated table are terms with weights from 0 to 1', () => {
    const synonyms = new Synonyms(table);
    ok(synonyms.of('remark').some(({ term }) => term === 'comment'));
    for (const { term, weight } of synonyms.of('photo')) ok(term !== '' && weight > 0 && weight <= 1, term);
  });
});
