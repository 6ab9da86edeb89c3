import type { Rows } from './edit.ts';

/** Answers that are kept for as long as their server says. */
export const answers: Rows = {
  'An answer for one account, given to another from memory': [
    [
      'src/connection/session/requests/itemRequests.ts',
      '(this.#answers = new AnswerCache(ports.clock))',
      '(this.#answers = ((globalThis as unknown as { a?: AnswerCache }).a ??= new AnswerCache(ports.clock)))',
    ],
  ],
  'An answer that is to be kept for ever, or more of them than there is room for': [
    ['src/connection/session/answerCache.ts', 'Math.min(ttlMs, LONGEST_MS)', 'ttlMs'],
    [
      'src/connection/session/answerCache.ts',
      'if (this.#weight + weight <= MAX_WEIGHT && this.#kept.size < MAX_ANSWERS) break;',
      'break;',
    ],
  ],
  'Answers under addresses that are larger than they are, or more of them than anybody asks for': [
    ['src/connection/session/answerCache.ts', ' + 2 * key.length + KEEPING_WEIGHT', ''],
  ],
};
