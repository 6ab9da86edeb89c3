import { strict as assert } from 'node:assert';
import { looksLike, NameIndex, oddLetters } from '../../../../src/servers/trust/lookAlikeNames.ts';

describe('names that look like others', () => {
  const ALIKE: readonly [string, string][] = [
    ['github', 'gіthub'],
    ['github', 'ɡithub'],
    ['github', 'githuЬ'],
    ['github', 'git\u200bhub'],
    ['github', 'githսb'],
    ['notes', 'nоtes'],
    ['notes', 'ｎotes'],
    ['notes', 'nótes'],
    ['mail', 'mai1'],
    ['copa', 'сора'],
    ['slack', 's1ack'],
    ['modern', 'modem'],
    ['github', 'githib'],
    ['github', 'githhub'],
    ['github', 'gihtub'],
    ['github', 'gthub'],
    ['read_file', 'read_flle'],
    ['read_file', 'raed_file'],
    ['send_mail', 'send_maill'],
  ];
  for (const [one, other] of ALIKE)
    it(`${JSON.stringify(other)} is like ${one}`, () => {
      assert.ok(looksLike(other, one));
      // Of the two, the one in plain letters is imitated and not suspect.
      assert.equal(looksLike(one, other), !/[^ -~]/.test(other));
      assert.deepEqual(
        new NameIndex([one, other, 'something else']).warningsOf(other).filter(({ kind }) => kind === 'like'),
        [{ kind: 'like', other: one }],
      );
    });

  const UNLIKE: readonly [string, string][] = [
    ['github', 'gitlab'],
    ['notes', 'notes'],
    ['Notes', 'notes'],
    ['read_file', 'readFile'],
    ['read-file', 'read_file'],
    ['db1', 'db2'],
    ['github', 'github2'],
    ['list_issue', 'list_issues'],
    ['read', 'road'],
    ['get', 'set'],
    ['search_code', 'search_issues'],
    ['get_value', 'set_value'],
    ['日本語', '日本'],
  ];
  for (const [one, other] of UNLIKE)
    it(`${other} is not taken for ${one}`, () => {
      assert.ok(!looksLike(one, other));
      assert.ok(!looksLike(other, one));
    });

  it('odd letters are found without another name', () => {
    assert.deepEqual(oddLetters('pаypal'), [{ kind: 'scripts', scripts: ['Latin', 'Cyrillic'] }]);
    for (const hidden of ['\u200b', '\u202e', '\u00ad', '\u3164', '\ufe01', '\u{e0041}', '\u0007'])
      assert.deepEqual(oddLetters(`a${hidden}b`), [{ kind: 'invisible' }], escape(hidden));
    for (const plain of ['read_file', 'Поиск', 'search検索', 'ひらがなカタカナ漢字', 'naïve', 'αβγ', 'read_Поиск'])
      assert.deepEqual(oddLetters(plain), [], plain);
  });
});
