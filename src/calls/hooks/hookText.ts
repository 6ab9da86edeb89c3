// Loaded with a question about hooks.
import { oneLine } from '../../base/text/showInvisible.ts';
import type { HookEvent } from './hookTypes.ts';

/** A hook as a line of a question. A matcher is in quotes unless it is plain, so that it can't read as the command. */
export function hookText(event: HookEvent, matcher: string, command: string): string {
  const shown = /^[\w|*.-]*$/.test(matcher) ? matcher || '*' : oneLine(JSON.stringify(matcher));
  return `${event} ${shown}: ${oneLine(command)}`;
}
