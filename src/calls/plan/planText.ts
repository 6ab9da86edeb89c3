import { showInvisible } from '../../base/text/showInvisible.ts';
import type { PlannedCall } from './planMode.ts';

/** A call as it is shown before it runs. */
export type ShownCall = Pick<PlannedCall, 'tool' | 'serverName' | 'args'>;

/**
 * Planned calls as they would run, for the question whether to run them: nothing is cut or masked, and every invisible or
 * reordering character is written out.
 */
export function planText(calls: readonly ShownCall[]): string {
  return calls
    .map(({ tool, serverName, args }, index) => {
      const call = `${index + 1}. ${showInvisible(tool)} (${showInvisible(serverName)})`;
      return `${call}\n${showInvisible(JSON.stringify(args, undefined, 2))}`;
    })
    .join('\n\n');
}
