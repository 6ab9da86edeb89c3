import { deepEqual, ok } from 'node:assert/strict';
import * as table from '../../../../../src/catalog/search/words/synonymTable.ts';
import { packSynonyms, Synonyms } from '../../../../../src/catalog/search/words/synonyms.ts';

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

  it('of the generated table are terms with weights from 0 to 1', () => {
    const synonyms = new Synonyms(table);
    ok(synonyms.of('remark').some(({ term }) => term === 'comment'));
    for (const { term, weight } of synonyms.of('photo')) ok(term !== '' && weight > 0 && weight <= 1, term);
  });
});
