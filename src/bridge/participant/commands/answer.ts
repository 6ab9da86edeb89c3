import type * as vscode from 'vscode';
import type { Host } from '../../../host/host.ts';
import type { Transcript } from '../turnTranscript.ts';
import { inSlices } from '../../../base/timeSlices.ts';
import { cleanTextSteps } from '../../../calls/results/cleanText.ts';

/** The slash commands that answer by themselves. */
export const ANSWERED_COMMANDS = [
  ...(['servers', 'add', 'connect', 'disconnect', 'tools', 'search', 'stats', 'plan', 'preset'] as const),
] as const;
export type AnsweredCommand = (typeof ANSWERED_COMMANDS)[number];
/** All of them, as the manifest declares them: those of `WORKING_COMMANDS` may go on to the model. */
export const WORKING_COMMANDS = ['prompt', 'resource'] as const;

/** A message that the user may send next, with a click. */
export interface FollowUp {
  readonly prompt: string;
  readonly label?: string;
  readonly command?: string;
}

/** What a slash command answers. */
export interface Answer {
  /** Markdown of ours: texts of others are escaped in it. */
  readonly markdown: string;
  readonly followUps?: readonly FollowUp[];
  /** A document that is linked below it. */
  readonly document?: { readonly uri: vscode.Uri; readonly title: string };
}

/** What is kept with a turn of the chat. */
export interface TurnMetadata {
  readonly followUps?: readonly FollowUp[];
  readonly transcript?: Transcript;
}

/** What a slash command works with. */
export interface CommandContext {
  readonly host: Host;
  readonly request: vscode.ChatRequest;
  /** What follows the command. */
  readonly argument: string;
  readonly signal: AbortSignal;
}

/** A server's text as a model gets it: without what could hide in it, and within the limit for results. */
export async function modelText({ broker }: Pick<Host, 'broker'>, raw: string): Promise<string> {
  const { text, note } = await inSlices(cleanTextSteps(raw));
  const parts = await broker.limited([{ kind: 'text', text: note === undefined ? text : `${text}\n${note}` }]);
  return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('\n');
}
