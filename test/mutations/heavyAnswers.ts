import type { Rows } from './edit.ts';

/** Answers that take long to go through. */
export const heavyAnswers: Rows = {
  'An answer that has an object with more members than can be listed in a moment': [
    [
      'src/connection/reading/readMessages.ts',
      '{ maxMembers: MAX_MEMBERS, onCut: (count: number) =>',
      '{ maxMembers: Infinity, onCut: (count: number) =>',
    ],
  ],
  'An answer with more parts than anybody reads': [
    ['src/connection/cleaning/cleanBlocks.ts', 'blocks.slice(0, MAX_PARTS)', 'blocks'],
  ],
  'Millions of invisible characters': [['src/base/text/showInvisible.ts', 'if (run.length <= longest) return', 'return']],
  'A text, a name, a number or blanks without an end, within an answer': [
    ['src/base/json/pieceReader.ts', 'const MAX_TOKEN = PIECE;', 'const MAX_TOKEN = Number.POSITIVE_INFINITY;'],
  ],
  'An event in millions of lines, and one that nobody reads': [
    ['src/connection/reading/eventReader.ts', "if (!replaced && data.length > MAX_PASSED) return '';", ''],
  ],
  'Lines without number: empty ones, headers, lines of errors, and carriage returns': [
    [
      'src/connection/stdio/messageLines.ts',
      'if (!this.#waiting && this.#isEnough(text)) void this.#readSlowly();',
      '',
    ],
  ],
  'A message in many lines': [
    [
      'src/connection/stdio/messageLines.ts',
      'return line.length + (this.#open?.chars ?? 0) > MAX_AT_ONCE;',
      'return line.length > MAX_AT_ONCE;',
    ],
  ],
  'A handler that fails, to stop what comes behind': [
    ['src/connection/remote/webSocket/frameQueue.ts', 'rethrowLater(error);', 'throw error;'],
  ],
  'A question of a server with more text than can be drawn in a moment': [
    ['src/connection/session/serverAsks.ts', ' || isTooLong(params, MAX_FORM_TEXT)', ''],
  ],
  'A model is asked with more text than anybody reads': [
    ['src/connection/session/serverAsks.ts', 'isTooLong(params, MAX_ASKED_TEXT),', 'false,'],
  ],
  'Progress faster than it can be read': [
    [
      'src/connection/stdio/messageLines.ts',
      'else if (this.#isLong(line) || this.#isEnough(line))',
      'else if (this.#isLong(line))',
    ],
  ],
  'Frames of a WebSocket faster than they can be read': [
    ['src/connection/remote/webSocket/frameQueue.ts', ' && !this.#isEnough(text)', ''],
  ],
  'A server that floods a WebSocket for ever': [
    [
      'src/connection/remote/webSocket/webSocketTransport.ts',
      'this.#isBehind || (this.#isBusy && !this.#isClosing)',
      'false',
    ],
  ],
  'A WebSocket server that never closes, never reads, or sends what is no frame': [
    ['src/connection/remote/webSocket/webSocketLink.ts', 'this.#socket.destroy();', ''],
  ],
};
