import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changedTable, ROWS } from '../../scripts/lib/comparison.mjs';
import { root } from '../../scripts/lib/paths.mjs';

const ENVIRONMENT = { day: '2026-11-30', cpu: 'a CPU', cpus: 2, node: 'v24' };

describe('docs/comparison.md', () => {
  const rowOf = (text: string, work: string): string =>
    text.split('\n').find((line) => line.startsWith(`| ${work}`)) ?? '';

  it('keeps the cells of clients that a run doesn’t measure', () => {
    const ours = changedTable('', 'peers', { 'ours cases': 30, 'ours of': 30 }, ENVIRONMENT);
    const both = changedTable(ours, 'peers', { 'sdk v1 cases': 16, 'sdk v1 of': 30 }, ENVIRONMENT);
    assert.match(rowOf(both, 'Kinds of odd servers'), /\| 30 of 30 \|  \|  \| 16 of 30 \|/);
  });

  it('shows no figure that wasn’t measured', () => {
    const text = changedTable('', 'start', { allMs: 5, bareAllMs: 4, editorOursSeconds: null }, ENVIRONMENT);
    assert.match(rowOf(text, 'Until 10 real servers'), /\| 5 ms \|  \| 4 ms \|  \|/);
    assert.equal(rowOf(text, 'Until 12 real servers'), '');
  });

  it('keeps the day of a row of which nothing was measured', () => {
    const text = changedTable('', 'peers', { 'ours cases': 30, 'ours of': 30 }, ENVIRONMENT);
    assert.equal(changedTable(text, 'peers', { 'ours cases': 3 }, { ...ENVIRONMENT, day: '2030-01-01' }), text);
    assert.equal(changedTable(text, 'orphans', { ours: 3 }, ENVIRONMENT), text);
  });

  it('has a command for each row, and only rows that a command makes', () => {
    const works = ROWS.map(({ work }) => work);
    for (const line of readFileSync(join(root, 'docs', 'comparison.md'), 'utf8')
      .split('\n')
      .slice(8)) {
      const [, work = ''] = /^\| (.+?) \|/.exec(line) ?? [];
      if (work === '' || work === 'Work') continue;
      assert.ok(works.includes(work), work);
      assert.match(line, /`npm run compare -- \w+`/);
    }
  });
});
