import { showInvisible } from '../../base/text/showInvisible.ts';
import { argumentText } from '../../calls/arguments/argumentText.ts';
import type { JsonObject } from '../../base/json/json.ts';
import { fenced } from '../text/markdownText.ts';

/** How a call ended. */
export type CallState = 'done' | 'denied' | 'failed' | 'cancelled';

const MARKS: Readonly<Record<CallState, string>> = { done: '✓', denied: '⊘', failed: '✗', cancelled: '◌' };
const MAX_LINES = 12;
const MAX_CHARACTERS = 1_500;

/** One call as the chat shows it. */
export interface ShownCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly state: CallState;
  /** The state in words. */
  readonly label: string;
  readonly durationMs: number;
  /** What the model got. */
  readonly output: string;
}

/** Name, state, arguments and the beginning of the result, as Markdown that nothing in them can change. */
export function callMarkdown({ name, args, state, label, durationMs, output }: ShownCall): string {
  const head = `**${MARKS[state]} \`${showInvisible(name).replaceAll('`', "'")}\`** ${label}, ${duration(durationMs)}`;
  const input = Object.keys(args).length === 0 ? [] : [fenced('json', argumentText(args))];
  const result = output.trim() === '' ? [] : [fenced('text', beginning(showInvisible(output.trim())))];
  return `\n\n${[head, ...input, ...result].join('\n\n')}\n\n`;
}

function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function beginning(text: string): string {
  const lines = text.slice(0, MAX_CHARACTERS).split('\n');
  const shown = lines.slice(0, MAX_LINES).join('\n');
  return shown.length < text.length ? `${shown}\n… (${text.length - shown.length} more characters)` : shown;
}
