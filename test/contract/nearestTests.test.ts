import { strict as assert } from 'node:assert';
import { testsNear } from '../../scripts/lib/nearest-tests.mjs';

describe('npm run check', () => {
  const near = (file: string): ReadonlyMap<string, number> =>
    new Map(testsNear([file]).map(({ file: test, hops }) => [test, hops]));

  it('finds the unit tests of a change: the test itself, those that import it, then those behind them', () => {
    const changed = 'src/doctor/installedBuild.ts';
    assert.equal(near(changed).get('test/unit/doctor/installedBuild.test.ts'), 1);
    assert.equal(near('test/unit/doctor/installedBuild.test.ts').get('test/unit/doctor/installedBuild.test.ts'), 0);
    const hops = testsNear(['src/base/errors.ts']).map((test) => test.hops);
    assert.ok(hops.length > 100 && hops[0] === 1 && hops.some((each) => each > 2), `${hops.length} tests`);
    assert.deepEqual(
      hops,
      hops.toSorted((a, b) => a - b),
    );
  });

  it('finds them behind an import that is made later, and a helper of tests', () => {
    assert.equal(near('src/catalog/search/words/synonymTable.ts').get('test/unit/calls/writtenNames.test.ts'), 1);
    assert.equal(near('test/support/eventually.ts').get('test/unit/host/keptState.test.ts'), 1);
  });

  it('runs none for a document', () => {
    assert.deepEqual(testsNear(['README.md']), []);
  });
});
