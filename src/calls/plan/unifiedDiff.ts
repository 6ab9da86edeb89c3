/** Lines of context around a change. */
const CONTEXT = 3;
/** Above this many pairs of lines to compare, a changed stretch is shown as replaced whole. */
const MAX_PAIRS = 1_000_000;

type Line = { readonly kind: ' ' | '-' | '+'; readonly text: string };

/**
 * What differs between two texts, as a unified diff without file names; empty where nothing does. Cut after `maxLines`,
 * which is said.
 */
export function unifiedDiff(before: string, after: string, maxLines: number): string {
  if (before === after) return '';
  const lines = diffLines(before.split('\n'), after.split('\n'));
  const kept = lines.map((_, index) => lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(isChange));
  const out: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (const [index, line] of lines.entries()) {
    if (kept[index]) {
      if (!kept[index - 1]) out.push(`@@ -${oldLine} +${newLine} @@`);
      out.push(`${line.kind}${line.text}`);
    }
    if (line.kind !== '+') oldLine += 1;
    if (line.kind !== '-') newLine += 1;
  }
  if (out.length <= maxLines) return out.join('\n');
  return [...out.slice(0, maxLines), `… (${out.length - maxLines} more lines)`].join('\n');
}

function isChange({ kind }: Line): boolean {
  return kind !== ' ';
}

function diffLines(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const same = (text: string): Line => ({ kind: ' ', text });
  return [
    ...before.slice(0, start).map(same),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

/** By the longest common subsequence. */
function middle(before: readonly string[], after: readonly string[]): Line[] {
  const removed = before.map((text): Line => ({ kind: '-', text }));
  const added = after.map((text): Line => ({ kind: '+', text }));
  if (before.length * after.length > MAX_PAIRS) return [...removed, ...added];
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const lines: Line[] = [];
  let i = 0;
  let j = 0;
  while (i < before.length && j < after.length) {
    if (before[i] === after[j]) {
      lines.push({ kind: ' ', text: before[i] ?? '' });
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) lines.push(removed[i++] ?? { kind: '-', text: '' });
    else lines.push(added[j++] ?? { kind: '+', text: '' });
  }
  return [...lines, ...removed.slice(i), ...added.slice(j)];
}
