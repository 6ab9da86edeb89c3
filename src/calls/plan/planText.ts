import { showInvisible } from '../../base/invisible.ts';
import type { PlannedCall } from './planMode.ts';

/** What a dialog shows whole, in UTF-16 units and in lines. */
const DIALOG = { length: 2_000, lines: 25 } as const;

/**
 * Planned calls as they would run, for the question whether to run them: nothing is cut or masked, and every invisible or
 * reordering character is written out.
 */
export function planText(calls: readonly PlannedCall[]): string {
  return calls
    .map(({ tool, serverName, args }, index) => {
      const call = `${index + 1}. ${showInvisible(tool)} (${showInvisible(serverName)})`;
      return `${call}\n${showInvisible(JSON.stringify(args, undefined, 2))}`;
    })
    .join('\n\n');
}

/** Whether a dialog shows all of a text. */
export function fitsDialog(text: string): boolean {
  return text.length <= DIALOG.length && text.split('\n').length <= DIALOG.lines;
}
