import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROWS, type Report } from '../../bench/table/rows.ts';
import { tableOf } from '../../bench/table/table.ts';
import { root } from '../../scripts/lib/paths.mjs';

const text = readFileSync(join(root, 'docs/performance.md'), 'utf8');

describe('docs/performance.md', () => {
  it('is what the benchmarks write', () => {
    assert.equal(tableOf(ROWS, new Map(), text), text);
  });

  it('keeps what others gave where one benchmark runs', () => {
    const [row, other] = [
      { bench: 'one', work: 'Work', ours: ['ms', 'ms'], ratio: 'ms' },
      { bench: 'two', work: 'Other work', ours: ['ms', 'ms'], ratio: 'ms' },
    ] as const;
    const report = (bench: string, ms: number, day: string): Report => ({
      bench,
      figures: { ms },
      goals: { ms: '<= 5' },
      environment: { cpu: 'A processor', cpus: 2, node: 'v24' },
      day,
    });
    const reports = (...all: Report[]): ReadonlyMap<string, Report> => new Map(all.map((each) => [each.bench, each]));
    const first = tableOf(
      [row, other],
      reports(report('one', 4, '1'), report('two', 6, '1')),
      'x\n\n## Notes\n\nKept.\n',
    );
    const second = tableOf([row, other], reports(report('one', 7, '2')), first);
    assert.ok(second.includes('| Work (`one`) | 7.00 ms |  |  | ≤ 5 | **no** |'), second);
    assert.ok(second.includes('| Other work (`two`) | 6.00 ms |  |  | ≤ 5 | **no** |'), second);
    assert.ok(second.includes('- 1, A processor with 2 cores, Node v24: two\n- 2, A processor with 2 cores, Node v24: one\n\n## Notes\n\nKept.\n'), second); // prettier-ignore
    assert.equal(tableOf([row, other], new Map(), second), second);
  });
});
