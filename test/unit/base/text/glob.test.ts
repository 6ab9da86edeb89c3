import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { Glob, matchesGlob, matchesPathGlob } from '../../../../src/base/text/glob.ts';

describe('base/glob', () => {
  it('matches the whole text', () => {
    assert.ok(matchesGlob('mcp__github__search', 'mcp__github__*'));
    assert.ok(matchesGlob('a.b', 'a?b'));
    assert.ok(!matchesGlob('xmcp__github__search', 'mcp__github__*'));
    assert.ok(!matchesGlob('A', 'a'));
  });

  it('keeps a star within one segment of a path, and ** across segments', () => {
    assert.ok(matchesPathGlob('src/a/b.ts', 'src/**/*.ts'));
    assert.ok(matchesPathGlob('src/b.ts', 'src/**/*.ts'));
    assert.ok(!matchesPathGlob('src/a/b.ts', 'src/*.ts'));
  });

  it('matches what a regular expression matches', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '.'), maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, (text, pattern) => {
        const source = pattern.replaceAll('.', '\\.').replaceAll('?', '[^]').replaceAll(/\*+/g, '[^]*');
        assert.equal(matchesGlob(text, pattern), new RegExp(`^${source}$`).test(text));
        assert.equal(new Glob(pattern).matches(text), matchesGlob(text, pattern));
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time that is linear in the text', () => {
    // Its square would take longer than a test may.
    assert.ok(!matchesGlob('a'.repeat(1_000_000), '*a*a*a*a*a*a*a*a*b'));
  });
});
