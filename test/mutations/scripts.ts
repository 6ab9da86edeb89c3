import type { Rows } from './edit.ts';

/** A script writes nothing without its yes. */
export const scripts: Rows = {
  'A script makes changes that nobody allowed': [
    ['src/calls/script/scriptQuestions.ts', "if (!ALLOWING.includes(reply)) return 'denied';", ''],
  ],
  'A script goes on after a denial, to ask until it is allowed': [
    ['src/calls/script/scriptRun.ts', "if (answer !== 'allowed') throw batchError(answer, this.#counts);", ''],
  ],
  'Arguments or the language are others once they were checked': [
    [
      'src/calls/script/scriptVm.ts',
      'const { parse, stringify } = JSON;',
      'const parse = (text) => JSON.parse(text), stringify = (value) => JSON.stringify(value);',
    ],
  ],
  'A script is another one when it is repeated': [
    ['src/calls/script/scriptVm.ts', 'before.name !== name || before.args !== args', 'false'],
  ],
  'A call that the question doesn’t show runs with those that it shows': [
    ['src/calls/policy/callGate.ts', 'if (call.script)', 'if (false)'],
  ],
  'An answer to a script that holds for other calls': [
    ['src/calls/policy/permissionScope.ts', "call.script ? { ...caller, reach: 'call' } : caller", 'caller'],
  ],
  'A tool changes while the question about a script is open': [
    ['src/calls/script/scriptQuestions.ts', "isSame ? 'allowed' : 'changed'", "'allowed'"],
  ],
  'A call of a script is cancelled while the question is open': [
    [
      'src/calls/script/scriptQuestions.ts',
      "if (ending.aborted) return ending.reason === 'expired' ? 'expired' : 'closed';",
      '',
    ],
  ],
  'More than anybody looks through, in one question or in many': [
    ['src/calls/script/scriptQuestions.ts', "if (isTooMuch(questions)) return 'tooMany';", ''],
  ],
  'A name in a script that means something else': [
    ['src/calls/script/scriptVm.ts', 'const known = create(null);', 'const known = {};'],
  ],
  'A script reaches outside of its interpreter': [
    [
      'src/calls/script/scriptVm.ts',
      'const waiting = create(null);',
      'const waiting = (globalThis.call = call, create(null));',
    ],
  ],
  'A script that never ends, or takes all memory': [
    ['src/calls/script/scriptVm.ts', "return this.#stop('steps');", 'return false;'],
  ],
  'A script where nobody turned scripts on': [
    ['src/calls/script/runRecordedScript.ts', "if (!scripts.on) throw offError('It did not run.');", ''],
  ],
  'A script of one caller uses what another one may': [
    [
      'src/calls/script/scriptRun.ts',
      '        ...this.#caller,\n',
      "        ...this.#caller,\n        surface: 'lm-tool',\n",
    ],
  ],
  'Texts in a script’s question that draw other calls': [
    ['src/bridge/callQuestions/questionText.ts', '${escaped(callTitle(question))}', '${callTitle(question)}'],
  ],
};
