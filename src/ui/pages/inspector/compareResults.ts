import { structuredPatch } from 'diff';
import * as vscode from 'vscode';
import type { ResultPart } from '../../../calls/results/resultParts.ts';
import type { Block } from '../pageContent.ts';
import type { InspectorRun } from './inspectorRun.ts';

type Run = InspectorRun<readonly ResultPart[]>;

/** What is compared of a result, in UTF-16 units, and how long that may take: the extension host waits for it. */
const MAX_COMPARED = 200_000;
const TIMEOUT_MS = 200;
/** Lines that are in one of two results only: comparing takes the square of it. */
const MAX_DIFFERENT = 2_000;

/** What each run differed in from earlier ones: a page is drawn anew at each change. */
const compared = new WeakMap<Run, WeakMap<Run, Block>>();

/** How two results differ, a line each: `-` of the earlier, `+` of the later. Worked out once for each two. */
export function compareBlock(earlier: Run, later: Run): Block {
  const ofLater = compared.get(later) ?? new WeakMap<Run, Block>();
  compared.set(later, ofLater);
  const block = ofLater.get(earlier) ?? differences(earlier, later);
  ofLater.set(earlier, block);
  return block;
}

function differences(earlier: Run, later: Run): Block {
  const { t } = vscode.l10n;
  const title = t('Differences from Result {0}', earlier.number);
  const [old, next] = [textOf(earlier), textOf(later)];
  if (old === next) return { kind: 'code', title, text: t('The results are the same.') };
  const patch = structuredPatch('', '', old, next, '', '', {
    context: 3,
    timeout: TIMEOUT_MS,
    maxEditLength: MAX_DIFFERENT,
  });
  if (!patch) return { kind: 'code', title, text: t('The results are too different to compare.') };
  return { kind: 'code', title, text: patch.hunks.flatMap(({ lines }) => ['…', ...lines]).join('\n') };
}

function textOf({ outcome }: Run): string {
  if ('error' in outcome) return outcome.error;
  const texts = outcome.value.map((part) =>
    part.kind === 'text' ? laidOut(part.text) : `(${part.mimeType}, ${part.data.byteLength} B)`,
  );
  return `${texts.join('\n').slice(0, MAX_COMPARED)}\n`;
}

/** JSON in lines, so that what differs in it can be told. */
function laidOut(text: string): string {
  if (!/^\s*[[{]/.test(text) || text.length > MAX_COMPARED) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}
