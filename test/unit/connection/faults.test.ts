import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { faultRows, faultsPage } from './faultTable.ts';
import './faults.stdio.ts';
import './faults.remote.ts';

const page = new URL('../../../docs/faults.md', import.meta.url);

describe('docs/faults.md', () => {
  it('says what the tests of the faults assert', () => {
    const text = faultsPage(faultRows);
    if (process.env['UPDATE_FAULTS']) writeFileSync(page, text);
    assert.equal(readFileSync(page, 'utf8'), text, 'run the unit tests with UPDATE_FAULTS=1');
  });
});
