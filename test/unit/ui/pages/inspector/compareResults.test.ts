import { equal, match, ok } from 'node:assert/strict';
import { withStubbedEditor } from '../../../../support/stubbedEditor.ts';
import type { InspectorRun } from '../../../../../src/ui/pages/inspector/inspectorRun.ts';
import type { ResultPart } from '../../../../../src/calls/results/resultParts.ts';

const { compareBlock } = await withStubbedEditor(
  { l10n: { t: (text: string) => text } },
  () => import('../../../../../src/ui/pages/inspector/compareResults.ts'),
);

let number = 0;
const run = (text: string): InspectorRun<readonly ResultPart[]> => ({
  number: (number += 1),
  at: 0,
  durationMs: 0,
  outcome: { value: [{ kind: 'text', text }] },
});
const textOf = (block: ReturnType<typeof compareBlock>): string => (block.kind === 'code' ? block.text : '');

describe('inspector: comparing two results', () => {
  it('is done once for each two, however often the page is drawn', () => {
    const [first, second, third] = [run('a\nb'), run('a\nc'), run('d\nb')];
    const block = compareBlock(first, third);
    match(textOf(compareBlock(first, second)), /-b\n\+c/);
    match(textOf(block), /-a\n\+d/);
    equal(compareBlock(first, third), block);
  });

  it('has an end where nearly every line differs', () => {
    const lines = (of: string): string => Array.from({ length: 15_000 }, (_, at) => `${of}${at}`).join('\n');
    match(textOf(compareBlock(run(lines('a')), run(lines('b')))), /too different/);
    const same = lines('c');
    ok(textOf(compareBlock(run(same), run(`x\n${same}`))).includes('+x'));
  });
});
