import type { Rows } from './edit.ts';

/** The plan, and hooks. */
export const hooks: Rows = {
  'A call joins the plan while the question whether to run it is open': [
    ['src/calls/plan/storedCalls.ts', 'of shown.entries())', 'of this.#calls.plan.queue.entries())'],
  ],
  'A planned call is changed, removed or started again after it was shown': [
    ['src/calls/plan/storedCalls.ts', 'if (this.#running.has(shown.id))', 'if (false)'],
    ['src/calls/plan/storedCalls.ts', 'if (!this.#calls.plan.isAsShown(shown))', 'if (false)'],
  ],
  'The end of a planned call’s arguments is out of sight': [
    [
      'src/calls/plan/planText.ts',
      'showInvisible(JSON.stringify(args, undefined, 2))',
      'showInvisible(JSON.stringify(args, undefined, 2)).slice(0, 300)',
    ],
  ],
  'A stored call doesn’t say what its tool was': [
    ['src/calls/plan/storedCalls.ts', "const UNKNOWN_STAMP = '';", 'const UNKNOWN_STAMP = undefined;'],
  ],
  'An agent fills the plan': [
    [
      'src/calls/plan/planMode.ts',
      'return index >= PLAN_LIMITS.calls || bytes > PLAN_LIMITS.bytes;',
      'return index < 0;',
    ],
  ],
  'A matcher that can’t be read, or that fits nothing': [
    ['src/calls/hooks/callHooks.ts', 'this.#doubtsOf(groups, call).map(', '([] as string[]).map('],
  ],
  'A matcher whose pattern takes for ever': [
    ['src/calls/hooks/hookMatcher.ts', 'if (isComplex(text))', 'if (false)'],
    ['src/calls/hooks/hookMatcher.ts', 'timeLimited(MATCH_LIMIT_MS)(() => (fits = isAny()));', 'fits = isAny();'],
  ],
  'A hook is for the tool that a custom or renamed one calls': [
    ['src/calls/hooks/hookMatcher.ts', '[...new Set([realNameOf(tool), ...toolSpellings(tool)])]', '[tool.name]'],
  ],
  'A hook allows a call, and another changes it': [['src/calls/hooks/callHooks.ts', 'verdicts.fill(undefined);', '']],
  'Hooks that change a call back and forth': [
    ['src/calls/hooks/callHooks.ts', 'if (runs === hooks.length * MAX_ROUNDS)', 'if (false)'],
  ],
  'A hook changes a call that the user started': [
    ['src/calls/policy/callGate.ts', 'if (isSame && !hooks.input)', 'if (isSame)'],
  ],
  'A hook puts another address into a request': [
    ['src/calls/itemCalls.ts', 'await this.#isOpen(sent)', 'await this.#isOpen(request)'],
  ],
  'A hook whose script is missing': [
    [
      'src/calls/hooks/callHooks.ts',
      "if (outcome.kind === 'failed' && isIgnored) return {};",
      'if (isIgnored) return {};',
    ],
  ],
  'A hook’s answer that can’t be read, or that stands beside other text': [
    [
      'src/calls/hooks/runHook.ts',
      "parsed(text) ?? parsed(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))",
      'parsed(text)',
    ],
    ['src/calls/hooks/runHook.ts', "return text.startsWith('{') || ANSWER.test(text)", 'return text.length < 0'],
  ],
  'A hook that says no in another host’s words, or nearly in ours': [
    [
      'src/calls/hooks/runHook.ts',
      "if (decision !== 'deny' && (unread !== undefined || goesOn !== true))",
      'if (goesOn === 0)',
    ],
  ],
  'A hook that isn’t a command': [
    ['src/calls/hooks/hookSettings.ts', ', ...(hooks.length < given.length ? { isPartial: true } : {})', ''],
  ],
};
