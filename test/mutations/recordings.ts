import type { Rows } from './edit.ts';

/** What recordings have in them, and how much. */
export const recordings: Rows = {
  'A server repeats a secret of yours in what is recorded': [
    ['src/connection/recording/eventMask.ts', 'this.#learned.mask(this.#known(text))', 'this.#learned.mask(text)'],
  ],
  'What is written of a recording already has a password that is only known later': [
    ['src/connection/recording/recordingWriter.ts', 'if (this.#mask.learned > 0)', 'if (this.#mask.learned < 0)'],
  ],
  'A server fills the disk while it is recorded': [
    [
      'src/connection/recording/recordingWriter.ts',
      'if (this.#bytes >= this.#maxBytes) this.#finish();',
      'if (this.#bytes < 0) this.#finish();',
    ],
  ],
  'A server fills the memory that keeps the last minutes': [
    ['src/connection/recording/eventRing.ts', 'this.#bytes > this.#limits.maxBytes || ', ''],
  ],
};
