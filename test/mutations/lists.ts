import type { Rows } from './edit.ts';

/** The lists of servers. */
export const lists: Rows = {
  'A denied command in another spelling': [
    ['src/servers/trust/commandRules.ts', "file: comparableProgram(words[at] ?? '')", "file: words[at] ?? ''"],
  ],
  'A denied command behind a shell or another program that starts it': [
    [
      'src/servers/trust/commandLinesIn.ts',
      'for (const line of commandLines(words, budget))',
      'for (const line of [words] as (Words | string)[])',
    ],
  ],
  'A denied command that a shell puts together': [
    ['src/servers/trust/commandLinesIn.ts', 'if (isCode && isUnreadable(line))', 'if (false)'],
  ],
  'A denied command behind any program that starts others': [
    ['src/servers/trust/commandRules.ts', '...words.map((_, at) => lineAt(words, at)),', ''],
  ],
  'A denied command that is joined to an option or a setting of another program': [
    [
      'src/servers/trust/commandLinesIn.ts',
      'const joined = context ? joinedTexts(words, index + 1, context) : [];',
      'const joined: readonly string[] = [];',
    ],
  ],
  'A command line or an address that takes for ever to look into': [
    [
      'src/servers/trust/commandRules.ts',
      'const lines = isTooLong(this.#words) ? undefined : commandLinesIn',
      'const lines = commandLinesIn',
    ],
    ['src/servers/trust/commandRules.ts', 'if (isTooLong(words) || CLIMBS', 'if (CLIMBS'],
  ],
  'A package or a file from elsewhere under a name that a list allows': [
    [
      'src/servers/trust/commandRules.ts',
      "if (rest.some((word, index) => leavesPattern(word, others[index] ?? ''))) return false;",
      '',
    ],
  ],
  'An allowed command whose environment makes something else run': [
    ['src/servers/trust/policyVerdict.ts', 'isCommand ? codeVariableIn(transport.env) : undefined', 'undefined'],
  ],
  'A denied address in another notation': [
    ['src/servers/trust/policyVerdict.ts', 'readings.some((url)', '[transport.url].some((url)'],
  ],
  'A command that is reached out of the folder that a list allows': [
    ['src/servers/trust/commandRules.ts', 'if (isTooLong(words) || CLIMBS.test(program))', 'if (isTooLong(words))'],
  ],
  'A `headersHelper` that runs what the lists deny': [
    [
      'src/servers/trust/policyVerdict.ts',
      'return helper === undefined ? undefined : lineVerdict(helper, policies, platform);',
      'return undefined;',
    ],
  ],
  'A hook that runs what the lists deny': [
    ['src/calls/hooks/runHook.ts', 'if (denial !== undefined) return', 'if (false) return'],
  ],
  'A workspace that sets the editor’s lists, to loosen those of the user': [
    ['src/servers/trust/serverPolicy.ts', '[fixed, ...(user ? [user] : [])]', '[fixed]'],
  ],
};
