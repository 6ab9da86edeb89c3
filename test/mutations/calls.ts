import type { Rows } from './edit.ts';

/** Of the first table of docs/security.md. */
export const calls: Rows = {
  'Rug pull: a tool changes after it was allowed': [
    ['src/calls/policy/permissionGrants.ts', 'key.fingerprint, key.pin, ', 'key.fingerprint, '],
  ],
  'Rug pull: a tool changes that a rule allows by its name': [
    ['src/calls/policy/callPolicy.ts', 'if (changed === true) return', 'if (false) return'],
  ],
  'Rug pull: the server’s definition changes after a tool of it was allowed': [
    ['src/calls/policy/permissionGrants.ts', 'key.serverId, key.fingerprint, ', 'key.serverId, '],
  ],
  'Rug pull: a tool changes while the question about it is open': [
    ['src/calls/broker.ts', 'if (same && (now === tool ||', 'if (same && (true ||'],
  ],
  'Rug pull: a tool changes while a call of it waits on the plan’s list': [
    ['src/calls/policy/callGate.ts', 'started.stamp === undefined || started.stamp === this.stampOf(tool)', 'true'],
  ],
  'Shadowed name: another server offers a tool of the same name': [
    ['src/calls/policy/permissionGrants.ts', '[key.serverId, ', '['],
  ],
  'Look-alike name: a server or tool in letters that look like another’s': [
    [
      'src/calls/policy/rules/ruleSet.ts',
      'if (!rule.tool.startsWith(prefix)) return false;',
      'if (!plain(rule.tool).startsWith(plain(prefix))) return false;',
    ],
  ],
  'A description that gives orders': [
    ['src/calls/policy/callPolicy.ts', "return decision('ask', reasonToAsk(", "return decision('allow', reasonToAsk("],
  ],
  'Invisible, reordering or terminal characters in a question': [
    ['src/base/text/showInvisible.ts', '.replace(INVISIBLE_RUN, (run) => codesOf(run, longestRun))', ''],
  ],
  'Arguments that overflow the question': [
    ['src/calls/arguments/argumentText.ts', 'if (lines.length <= share)', 'if (true)'],
  ],
  'A rule that may be meant to deny, and can’t be read': [
    ['src/config/rules/permissionRules.ts', "written ?? 'ask'", "written ?? 'allow'"],
  ],
  'A rule that allows, with a restriction that can’t be read': [
    ['src/config/rules/permissionRules.ts', ' ?? unreadMember(item)', ''],
  ],
  'A repository that ships permissive rules': [
    ['src/config/rules/permissionRules.ts', "if (action === 'allow' && !mayAllow)", 'if (false)'],
  ],
  'A repository that ships hooks': [['src/calls/hooks/callHooks.ts', "mayAllow: source === 'user'", 'mayAllow: true']],
  'A repository that ships autoApprove': [
    [
      'src/host/wiring/brokerPorts.ts',
      'entryRulesOf: (serverId) => servers.get(serverId)?.entry.permissionRules,',
      "entryRulesOf: (id) => servers.get(id)?.entry.autoApprove?.map((tool) => ({ tool, server: servers.get(id)?.entry.name ?? '', action: 'allow', source: 'entry' })),",
    ],
  ],
  'A result that claims to be an approval': [
    ['src/calls/policy/callGate.ts', "each === asked.answer) ?? 'deny'", "each === asked.answer) ?? 'once'"],
  ],
  'A name that parses as another server’s': [
    [
      'src/calls/policy/rules/ruleSet.ts',
      '...(configuredName.includes(end) ? [] : [configuredName])',
      'configuredName',
    ],
  ],
  'A tool that is shown as a milder one': [
    [
      'src/calls/policy/policyInputs.ts',
      'annotations: underlyingOf(tool).annotations',
      'annotations: tool.tool.annotations',
    ],
  ],
  'A server that lies about only reading': [
    ['src/calls/policy/callPolicy.ts', '(writePattern !== undefined || oddName === true)', 'false'],
  ],
  'A stored grant that somebody else wrote': [
    ['src/calls/policy/permissionGrants.ts', 'stored.filter(isGrant)', 'stored'],
  ],
  'A private read, then an open-world fetch': [
    ['src/calls/policy/callPolicy.ts', 'if (openWorldGranted)', 'if (true)'],
  ],
  'A schema with a pattern that takes for ever': [
    [
      'src/calls/arguments/argumentValidator.ts',
      'if (!isCheap(known.cost, checked)) return this.#judged(known, checked);',
      '',
    ],
  ],
};
