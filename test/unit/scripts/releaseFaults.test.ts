import { strict as assert } from 'node:assert';
import { releaseFaults } from '../../../scripts/lib/release-faults.mjs';

describe('a version that is released', () => {
  const lock = { version: '0.2.1', packages: { '': { version: '0.2.1' } } };
  const tree = { version: '0.2.1', lock, changelog: '# Changelog\n\n## 0.2.1 — 2026-11-30\n', fixtures: ['0.2.1'] };

  it('has its lock file, its dated section and its state', () => assert.deepEqual(releaseFaults(tree), []));

  for (const [title, change, expected] of [
    ['a lock file of another version', { lock: { ...lock, version: '0.2.0' } }, /package-lock\.json is of 0\.2\.0/],
    ['a lock file whose root is of another', { lock: { ...lock, packages: { '': { version: '0.2.0' } } } }, /package-lock/], // prettier-ignore
    ['a lock file without a root', { lock: { ...lock, packages: {} } }, /package-lock/],
    ['a section without a date', { changelog: '## 0.2.1 — unreleased\n' }, /begins with “## 0\.2\.1 — unreleased”/],
    ['a day that there isn’t', { changelog: '## 0.2.1 — 2026-13-01\n' }, /begins with/],
    ['a section of another version first', { changelog: `## 0.3.0 — 2026-11-30\n${tree.changelog}` }, /begins with “## 0\.3/], // prettier-ignore
    ['no section', { changelog: '' }, /begins with “nothing”/],
    ['no state of it', { fixtures: ['0.2.0', 'workspace'] }, /has no 0\.2\.1: `npm run state-fixture`/],
    ['a name behind its number', { version: '0.2.1-beta.1' }, /0\.2\.1-beta\.1 isn’t MAJOR\.MINOR\.PATCH/],
    ['two numbers', { version: '0.2' }, /isn’t MAJOR/],
    ['a command in it', { version: '0.2.1;id' }, /isn’t MAJOR/],
  ] as const)
    it(`isn’t one with ${title}`, () => {
      const faults = releaseFaults({ ...tree, ...change });
      assert.equal(faults.length, 1, faults.join('\n'));
      assert.match(faults[0] ?? '', expected);
    });
});
