// npm run -s bench -- results
//
// Results that are too large for a model: what a page of a large one takes against one of a small one, and what storing
// takes beside many that are kept, each in turn.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ResultFiles } from '../src/calls/results/resultFiles.ts';
import { median, report } from './connection/report.ts';

const PAGE = 6_000;
const ROUNDS = 25;
const LINE = 'A line of text that is neither long nor short, it is just a line.\n';

/** Milliseconds that `work` takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

const folder = (): string => mkdtempSync(path.join(tmpdir(), 'switchboard-bench-results-'));
const [few, many] = [folder(), folder()];
try {
  const files = new ResultFiles(few, Date.now);
  const small = await files.store(LINE.repeat(1_500));
  const large = await files.store(LINE.repeat(760_000));
  const pages: Record<'small' | 'large', number[]> = { small: [], large: [] };
  for (let round = 0; round < ROUNDS; round++) {
    pages.small.push(await timed(() => files.read(small, round * 1_000, PAGE)));
    pages.large.push(await timed(() => files.read(large, round * 1_900_000, PAGE)));
  }
  for (let kept = 0; kept < 5_000; kept++)
    writeFileSync(path.join(many, `${kept.toString(16).padStart(24, '0')}.utf16`), 'x');
  const crowded = new ResultFiles(many, Date.now);
  const text = 'x'.repeat(100_000);
  const storing: Record<'few' | 'many', number[]> = { few: [], many: [] };
  for (let round = 0; round < ROUNDS; round++) {
    storing.few.push(await timed(() => files.store(text)));
    storing.many.push(await timed(() => crowded.store(text)));
  }
  const figures = {
    smallPageMs: median(pages.small),
    largePageMs: median(pages.large),
    pageRatio: median(pages.large) / median(pages.small),
    storeMs: median(storing.few),
    storeBeside5000Ms: median(storing.many),
  };
  report('results', figures, { pageRatio: '<= 3', storeBeside5000Ms: '<= 5' });
} finally {
  for (const each of [few, many]) rmSync(each, { recursive: true, force: true });
}
