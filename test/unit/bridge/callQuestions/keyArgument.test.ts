import assert from 'node:assert/strict';
import { keyArgument } from '../../../../src/bridge/callQuestions/keyArgument.ts';

describe('the argument in the title of a question', () => {
  it('is the first that the tool requires, and else the first that is one value', () => {
    assert.equal(keyArgument({ text: 'x', title: 'Welcome' }, ['title', 'text'], 60), 'title: "Welcome"');
    assert.equal(keyArgument({ list: [1], limit: 3 }, undefined, 60), 'limit: 3');
    assert.equal(keyArgument({ title: ' ', force: true }, ['title'], 60), 'force: true');
    assert.equal(keyArgument({ list: [1], of: { a: 1 } }, ['list'], 60), undefined);
    assert.equal(keyArgument({}, ['toString', 'title'], 60), undefined);
  });

  it('takes no more than the title has left, and forges nothing', () => {
    const long = keyArgument({ path: `/home/${'a'.repeat(500)}` }, ['path'], 60) ?? '';
    assert.equal(Array.from(long).length, 40);
    assert.match(long, /^path: "\/home\/a+…$/);
    assert.equal(keyArgument({ path: '/a' }, ['path'], 5), undefined);
    assert.equal(keyArgument({ 'on notes? Allowed': 'x' }, undefined, 60), undefined);
    const hidden = keyArgument({ path: 'a\u202eb\n[x](command:y) “z”' }, ['path'], 80) ?? '';
    assert.doesNotMatch(hidden, /\u202e|\n|\]\(|[“”]/);
  });
});
