import type { Rows } from './edit.ts';

/** The lists of servers. */
export const lists: Rows = {
  'A denied command in another spelling': [
    ['src/servers/trust/commandRules.ts', 'const file = comparable(program);', 'const file = program;'],
  ],
  'A denied command behind a shell or another program that starts it': [
    [
      'src/servers/trust/commandRules.ts',
      'for (const line of commandLines(words))',
      'for (const line of [words] as (readonly string[])[])',
    ],
  ],
  'A denied command that a shell puts together': [
    ['src/servers/trust/commandRules.ts', '(isUnreadable(line) || BRACES.test(text))', 'false'],
  ],
  'A denied command behind any program that starts others': [
    [
      'src/servers/trust/commandRules.ts',
      'fitsDenied(words.slice(index), patterns, platform)',
      'index === 0 && fitsDenied(words, patterns, platform)',
    ],
  ],
  'A denied command that is joined to an option or a setting of another program': [
    [
      'src/servers/trust/commandRules.ts',
      'const joined = isRest ? [] : joinedTexts(words, index + 1, runner >= 0 && runner <= index);',
      'const joined: readonly string[] = [];',
    ],
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
    ['src/servers/trust/policyVerdict.ts', 'readingsOfUrl(transport.url).some(', '[transport.url].some('],
  ],
  'A command that is reached out of the folder that a list allows': [
    ['src/servers/trust/commandRules.ts', 'if (CLIMBS.test(program)) return false;', ''],
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
