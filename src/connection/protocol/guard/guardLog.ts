import type { Logger } from '../../../base/log.ts';
import type { GuardOptions } from './guardedTransport.ts';
import { Tolerances } from './tolerances.ts';

/** How much is said of what a list leaves out. */
const MAX_LEFT_OUT = 200;
/** How much of an unknown id is logged. */
const MAX_ID_CHARS = 100;

/**
 * The options of a guard that says in the log what it leaves out and lets pass.
 * @param leftOut receives what it leaves out of lists of tools
 */
export function loggedGuard(
  leftOut: string[],
  { logger, mask, clock, tap }: Pick<GuardOptions, 'mask' | 'clock' | 'tap'> & { readonly logger: Logger },
): GuardOptions {
  const tolerances = new Tolerances((level, message) => logger.log(level, message));
  const said = new Set<string>();
  // Lists of items are fetched again and again.
  const sayOnce = (sentences: readonly string[]): void => {
    for (const sentence of sentences.filter((each) => !said.has(each) && said.size < MAX_LEFT_OUT)) {
      said.add(sentence);
      logger.log('warning', `Left out. ${sentence}`);
    }
  };
  return {
    mask,
    onLeftOut: (sentences, method) => {
      if (method === 'tools/list') leftOut.push(...sentences.slice(0, Math.max(0, MAX_LEFT_OUT - leftOut.length)));
      else sayOnce(sentences);
    },
    tolerate: tolerances.note,
    onUnexpectedAnswer: (id) => {
      const shown =
        typeof id === 'string' ? JSON.stringify(id.slice(0, MAX_ID_CHARS)) : typeof id === 'number' ? id : 'null';
      logger.log('debug', `The server answered the unknown request ${shown}.`);
    },
    onFlood: (what) => logger.log('warning', `The server sends too many ${what}. Those over the limit are ignored.`),
    tap,
    clock,
  };
}
