import { oneLine } from '../../base/text/showInvisible.ts';
import type { ConfigProblem } from '../../config/configTypes.ts';

/** A problem and what fixes it as one line, whatever the names and values of the file that are in it. */
export function problemText({ message, fix }: Pick<ConfigProblem, 'message' | 'fix'>): string {
  return oneLine(fix ? `${message} ${fix}` : message);
}
