import { deepEqual, equal } from 'node:assert/strict';
import { TermMaker, termOf, wordsOf } from '../../../../../src/catalog/search/words/splitWords.ts';

describe('words', () => {
  const splits: readonly (readonly [string, string])[] = [
    ['create_pull-request', 'create pull request'],
    ['getHTTPResponseCode', 'get http response code'],
    ['API-post-search', 'api post search'],
    ['s3Bucket2', 's 3 bucket 2'],
    ['Größe ändern', 'größe ändern'],
    ['ｆｕｌｌ', 'full'],
    ['搜索文件', '搜索 索文 文件'],
    ['検索api', '検索 api'],
    ['создать задачу', 'создать задачу'],
    ['', ''],
  ];
  for (const [text, words] of splits) {
    it(`of ${JSON.stringify(text)}`, () => equal(wordsOf(text).join(' '), words));
  }

  // From the published vocabulary of the algorithm's author.
  const stems: readonly (readonly [string, string])[] = [
    ['caresses', 'caress'], ['ponies', 'poni'], ['cats', 'cat'], ['agreed', 'agre'], ['plastered', 'plaster'],
    ['motoring', 'motor'], ['conflated', 'conflat'], ['hopping', 'hop'], ['falling', 'fall'], ['filing', 'file'],
    ['happy', 'happi'], ['sky', 'sky'], ['relational', 'relat'], ['conditional', 'condit'], ['digitizer', 'digit'],
    ['operator', 'oper'], ['electrical', 'electr'], ['hopefulness', 'hope'], ['allowance', 'allow'],
    ['adjustment', 'adjust'], ['adoption', 'adopt'], ['probate', 'probat'], ['rate', 'rate'], ['controller', 'control'],
    ['roll', 'roll'], ['größe', 'größe'], ['repositories', 'repositori'], ['repository', 'repositori'],
  ]; // prettier-ignore
  for (const [word, expected] of stems) {
    it(`stem of ${word} is ${expected}`, () => equal(termOf(word), expected));
  }

  it('that say nothing are left out', () => {
    deepEqual(new TermMaker().termsOf('I would like to list all of the issues, please'), ['list', 'issu']);
  });
});
