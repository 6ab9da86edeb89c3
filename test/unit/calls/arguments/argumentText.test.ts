import { strict as assert } from 'node:assert';
import { argumentText } from '../../../../src/calls/arguments/argumentText.ts';

describe('arguments in a question', () => {
  it('folds long values and says how much is not shown', () => {
    const text = argumentText({ body: 'x'.repeat(1_000) });
    assert.match(text, /x{400}… \(600 more characters\)/);
  });

  it('folds many lines', () => {
    const text = argumentText({ list: Array.from({ length: 100 }, (_, index) => index) });
    assert.match(text, /… \(\d+ more lines\)/);
    assert.ok(text.split('\n').length <= 41);
  });

  it('lets no argument push another out of sight', () => {
    const text = argumentText({ filler: Array.from({ length: 500 }, (_, index) => index), path: '/etc/passwd' });
    assert.match(text, /"path": "\/etc\/passwd"/);
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`a${index}`, index]));
    assert.match(argumentText({ ...many, path: 'x' }), /more: .*path/);
  });

  it('writes invisible and reordering characters out', () => {
    const text = argumentText({ path: 'a\u202egpj.exe', zero: 'a\u200bb', escape: 'a\u001b[31m' });
    assert.ok(text.includes('a\\u{202e}gpj.exe'));
    assert.ok(text.includes('a\\u{200b}b'));
    assert.ok(!text.includes('\u001b'));
  });
});
