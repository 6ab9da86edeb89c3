import { strict as assert } from 'node:assert';
import { readFileSync, statSync } from 'node:fs';
import { startToken } from '../../../scripts/lib/start-token.mjs';
import { scratchFolder } from './scratch.ts';

describe('the token of npm start', () => {
  const scratch = scratchFolder();
  after(() => scratch.remove());

  it('is the same at each start of a clone, and its owner’s alone', () => {
    const file = scratch.file('one/.cache/start-token');
    const token = startToken(file);
    assert.match(token, /^[\da-f]{32}$/);
    assert.equal(startToken(file), token);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.notEqual(startToken(scratch.file('other/.cache/start-token')), token);
  });

  it('is made anew where it was cut off', () => {
    for (const [name, text] of Object.entries({ empty: '', short: 'abc', foreign: `--flag ${'a'.repeat(32)}` })) {
      const file = scratch.write(name, text, 0o600);
      const token = startToken(file);
      assert.match(token, /^[\da-f]{32}$/);
      assert.equal(readFileSync(file, 'utf8'), token);
    }
  });
});
