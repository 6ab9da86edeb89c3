import type { Rows } from './edit.ts';

/** A server can’t stop the editor. What would fill the memory without its guard is dropped here instead. */
export const floods: Rows = {
  'A schema that arguments can’t be checked against in any time': [
    [
      'src/calls/arguments/argumentValidator.ts',
      'if (!isCheap(known.cost, checked)) return this.#judged(known, checked);',
      '',
    ],
  ],
  'A schema that takes for ever to read, before anybody calls its tool': [
    [
      'src/catalog/schema/schemaNode.ts',
      'if (context.depth > MAX_DEPTH || !context.spend(NODE_CHARACTERS + lookAt(schema, context).size))',
      'if (context.depth > MAX_DEPTH)',
    ],
  ],
  'A body without an end, packed or not': [
    [
      'src/connection/remote/answers/limitedBody.ts',
      'if (isFine) return controller.enqueue(chunk);',
      'if (isFine) controller.enqueue(chunk);\n      if (bytes > 0) return;',
    ],
  ],
  'An event or a frame without an end': [
    [
      'src/connection/remote/answers/limitedBody.ts',
      'if (isFine) return controller.enqueue(chunk);',
      'if (isFine) controller.enqueue(chunk);\n      if (bytes > 0) return;',
    ],
  ],
  'A frame with more in it than its size tells': [
    ['src/base/json/jsonMeter.ts', 'return this.#parts > MAX_PARTS;', 'return false;'],
  ],
  'A text in which each character takes two bytes, so that it is twice as long as it came': [
    ['src/base/json/jsonMeter.ts', 'if (this.#isTooWide) return true;', ''],
  ],
  'A message that is nested deeper than anybody can read, copy or write it': [
    [
      'src/base/json/jsonDepth.ts',
      'if (text.length <= MAX_NESTING || !hasManyLevels(text)) return false;',
      'if (text.length > 0) return false;',
    ],
    ['src/base/json/jsonScan.ts', 'if (levels > this.#maxNesting) throw new TooDeep();', ''],
  ],
  'A definition that has a server started, or asked, again and again without a pause': [
    ['src/config/read/readConnectionOptions.ts', 'Math.max(number, SHORTEST_RECONNECT_MS[field])', 'number'],
  ],
  'An answer that ends before its result, again and again': [
    [
      'src/connection/reading/eventReader.ts',
      "else if (field === 'retry' && Number(value) < SHORTEST_RETRY_MS) return `retry: ${SHORTEST_RETRY_MS}\\n`;",
      '',
    ],
  ],
  'An error whose body has no end': [
    [
      'src/connection/remote/answers/limitedBody.ts',
      'if (bytes > MAX_ERROR_BYTES) break;',
      'if (bytes > MAX_ERROR_BYTES) pieces.splice(0);',
    ],
  ],
  'A flood of log entries, lines and answers to nothing': [
    ['src/connection/session/throttledLog.ts', 'const isKept = this.#limit.take();', 'const isKept = true;'],
  ],
  'A flood of changes': [
    [
      'src/connection/session/notifications/coalescer.ts',
      'if (!this.#timer && this.#limit.take()) return this.#pass(news);',
      'return this.#pass(news);',
    ],
  ],
  'A flood of questions and requests': [
    ['src/connection/session/serverAsks.ts', '!handler || this.#open >= MAX_OPEN || isTooMuch()', '!handler'],
  ],
  'A flood of progress': [
    [
      'src/connection/session/requests/progressTeller.ts',
      'if (this.#limit.take()) this.flush();',
      'if (true) this.flush();',
    ],
  ],
  'Progress for ever': [
    [
      'src/connection/session/requests/callTimer.ts',
      'const leftMs = Math.max(0, this.#endsAt - this.#clock.now());',
      'const leftMs = Number.POSITIVE_INFINITY;',
    ],
  ],
  'A list without an end': [
    ['src/connection/cleaning/cleanTools.ts', 'isFull = room.tools <= 0 ||', 'isFull = room.tools <= -20_000 ||'],
  ],
  'A tool whose definition has more in it than can be looked at in a moment': [
    [
      'src/connection/cleaning/cleanTools.ts',
      'const MAX_TOOL_VALUES = 64 * 1024;',
      'const MAX_TOOL_VALUES = Infinity;',
    ],
  ],
  'Tools that are too large': [
    ['src/connection/cleaning/cleanTools.ts', 'if (weight > MAX_TOOL_WEIGHT) {', 'if (false) {'],
  ],
  'A client of the gateway that sends too much, or doesn’t read': [
    [
      'src/bridge/gateway/protocol/eventStream.ts',
      'if (this.#response.writableLength > MAX_UNREAD_BYTES)',
      'if (false)',
    ],
  ],
  'Names, texts and patterns that are made to be compared for ever': [
    [
      'src/catalog/names/lookAlikeTools.ts',
      'await inSlices(this.#lookAlikes().work);',
      'for (const { work } = this.#lookAlikes(); work.next().done !== true; );',
    ],
  ],
  'Tools that all change at once, to make comparing them endless': [
    ['src/catalog/pinChanges.ts', 'if (pairs > MAX_PAIRS) return gone[0];', ''],
  ],
  'A server whose tools’ names take for ever to compare with its entry’s patterns': [
    ['src/catalog/toolRules.ts', 'if (effort.left < 0) break;', ''],
    ['src/catalog/toolRules.ts', '{ left: MAX_EFFORT }', '{ left: Infinity }'],
  ],
  'A server with a thousand secrets, to make masking take for ever': [
    ['src/base/text/secrets.ts', 'this.#forms?.add(part);', 'this.#forms = undefined;'],
  ],
};
