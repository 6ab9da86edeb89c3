import type { Rows } from './edit.ts';

/** What recordings have in them, and how much. */
export const recordings: Rows = {
  'A server repeats a secret of yours in what is recorded': [
    ['src/connection/recording/eventMask.ts', 'this.#learned.mask(this.#known(text))', 'this.#learned.mask(text)'],
  ],
  'A server sends others by the thousand until your password is no longer known to a recording': [
    ['src/connection/recording/eventMask.ts', 'new SecretValues(Infinity)', 'new SecretValues()'],
    ['src/connection/recording/eventMask.ts', 'if (values <= 0 || ', 'if ('],
  ],
  'What is written of a recording already has a password that is only known later': [
    ['src/connection/recording/maskRecording.ts', 'if (mask(line) === line)', "if (line !== '')"],
  ],
  'A server fills the disk while it is recorded': [
    [
      'src/connection/recording/recordingWriter.ts',
      'if (this.#bytes >= this.#maxBytes) this.#finish();',
      'if (this.#bytes < 0) this.#finish();',
    ],
  ],
  'A server fills the memory that keeps the last minutes': [
    ['src/connection/recording/eventRing.ts', 'this.#shrinkTo(maxBytes - size)', 'this.#shrinkTo(Infinity)'],
  ],
  'A recording of a stranger whose lines have no end, are nested without an end, or are no events': [
    [
      'src/connection/recording/replay/readRecording.ts',
      'const MAX_LINE = 8 * 1024 * 1024;',
      'const MAX_LINE = Infinity;',
    ],
    [
      'src/connection/recording/recordingFormat.ts',
      'atOnce(isTooDeep(line)) ? undefined : parsed(line)',
      'parsed(line)',
    ],
  ],
  'A recording of a stranger with so many messages that finding what belongs together never ends': [
    [
      'src/connection/recording/replay/recordedScript.ts',
      'return this.#waiting.at(-1) ?? this.#last;',
      'return [...this.#named.values()].findLast(({ isAnswered }) => !isAnswered) ?? this.#last;',
    ],
  ],
  'A recording of a stranger with times that no clock has': [
    ['src/base/clock.ts', 'Math.min(LONGEST_DELAY_MS, Math.max(0, delayMs))', 'Math.max(0, delayMs)'],
  ],
  'A recording of a stranger whose name, or whose server’s name, is a command of the editor': [
    ['src/ui/recording/replayAsServer.ts', 'for (const text of [file, server])', 'for (const text of [] as string[])'],
  ],
};
