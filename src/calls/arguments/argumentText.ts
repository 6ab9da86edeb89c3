import { isRecord, type JsonObject } from '../../base/json/json.ts';
import { showInvisible } from '../../base/text/showInvisible.ts';

/** The longest string shown whole in a question, in UTF-16 units. */
const MAX_STRING = 400;
const MAX_LINES = 40;

/**
 * A call's arguments as text for a question: formatted JSON, long values folded, and every invisible or reordering
 * character written out, so that what is shown is what would be sent. Nothing is covered for its look, since a model can
 * make anything look like a secret. Where it is too long each argument keeps its share of the lines, so that none can push
 * another out of sight.
 */
export function argumentText(args: JsonObject): string {
  const shown = fold(args) as Record<string, unknown>;
  const whole = linesOf(shown);
  if (whole.length <= MAX_LINES) return whole.join('\n');
  const names = Object.keys(shown);
  const share = Math.max(1, Math.floor((MAX_LINES - 2) / names.length));
  const members = names.slice(0, MAX_LINES - 2).flatMap((name, index) => {
    const lines = linesOf(shown[name]).map((line) => `  ${line}`);
    lines[0] = `  ${showInvisible(JSON.stringify(name))}: ${lines[0]?.trimStart() ?? ''}`;
    const comma = index < names.length - 1 ? ',' : '';
    if (lines.length <= share) return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${comma}`];
    return [...lines.slice(0, share), `  … (${lines.length - share} more lines)${comma}`];
  });
  const left = names.slice(MAX_LINES - 2).map((name) => showInvisible(name));
  return [
    '{',
    ...members,
    ...(left.length > 0 ? [`  … (${left.length} more: ${left.join(', ').slice(0, 2_000)})`] : []),
    '}',
  ].join('\n');
}

/** Whether `argumentText` leaves something out. */
export function foldsArguments(args: JsonObject): boolean {
  return argumentText(args) !== wholeArgumentText(args);
}

/** All arguments, whole. */
export function wholeArgumentText(args: JsonObject): string {
  return linesOf(args).join('\n');
}

function linesOf(value: unknown): string[] {
  return showInvisible(JSON.stringify(value, undefined, 2)).split('\n');
}

function fold(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_STRING) {
    return `${value.slice(0, MAX_STRING)}… (${value.length - MAX_STRING} more characters)`;
  }
  if (Array.isArray(value)) return value.map(fold);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fold(item)]));
  return value;
}
