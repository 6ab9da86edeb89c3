import type { Rows } from './edit.ts';

/** Arguments, identity, hints, and what goes through the broker. */
export const decisions: Rows = {
  'An argument climbs out of what a rule allows, in any notation': [
    ['src/calls/policy/rules/ruleArguments.ts', 'if (!isCanonical(text) || (', 'if (('],
  ],
  'An argument slips under a rule that denies, in any notation': [
    [
      'src/calls/policy/argumentForms.ts',
      'for (const step of STEPS) for (const next of step(each)) known.add(next);',
      '',
    ],
  ],
  'A command that a rule allows, with another one behind it': [
    [
      'src/calls/policy/canonicalText.ts',
      'ADDRESS.test(text) || !/[&()]/.test(text.slice(length))',
      'text.length >= length',
    ],
  ],
  'A command that a rule denies, behind another one or spaced otherwise': [
    [
      'src/calls/policy/rules/ruleArguments.ts',
      'return commands.length > 0 && isSaid(readings, commands);',
      'return false;',
    ],
  ],
  'A link in a folder leads an argument elsewhere': [
    ['src/calls/policy/rules/ruleArguments.ts', 'return !leadsElsewhere(text, glob, folders);', 'return true;'],
  ],
  'The same argument under nearly the same name beside it, or deeper inside': [
    [
      'src/calls/policy/rules/ruleArguments.ts',
      'if (isRecord(value) && Object.keys(value).some((other) => other !== step && isNamed(other, key)))',
      'if (false)',
    ],
  ],
  'An argument that takes for ever to read': [
    ['src/calls/policy/argumentForms.ts', 'text.length > LONGEST_READ || ', ''],
    ['src/calls/policy/argumentForms.ts', 'if (text.length > LONGEST_READ_WHOLE)', 'if (false)'],
  ],
  'A permission for certain arguments is used for others': [
    ['src/calls/policy/permissionGrants.ts', 'entry.args.has(hashOf(args))', 'true'],
  ],
  'A rule that denies names a server as another host does': [
    ['src/calls/policy/rules/ruleSet.ts', '(namesServer && names.server.some', '(false && names.server.some'],
  ],
  'A namesake in a second folder, to switch off a rule that denies': [
    ['src/catalog/catalogTool.ts', 'return configuredName ?? serverName;', 'return serverName;'],
  ],
  'A tool is named like a request that a rule allows': [
    [
      'src/calls/policy/rules/ruleSet.ts',
      "if (own.includes('/') && !tool.name.endsWith(own) && rule.tool.endsWith(own)) return false;",
      '',
    ],
  ],
  'Another server takes a name that a rule allows': [
    [
      'src/calls/policy/rules/ruleOwners.ts',
      'return known === undefined ? !isOthers() : known === textOf(owner);',
      'return true;',
    ],
  ],
  'A namesake gets the trust that a setting gives to a name': [
    ['src/calls/policy/policyInputs.ts', '|| this.#isFor(name, tool) ? own : others', '|| true ? own : others'],
  ],
  'A server takes the short name that a rule was written for': [
    ['src/calls/policy/rules/ruleSet.ts', '[part, ...readableParts(configuredName)]', '[part]'],
  ],
  'A reading tool that doesn’t say that it stays within its own world': [
    ['src/calls/policy/callPolicy.ts', 'annotations.openWorldHint === false', 'annotations.openWorldHint !== true'],
  ],
  'A yes to a local read, used for the open world': [
    ['src/calls/policy/callGate.ts', 'return openWorld === true && reach', 'return reach'],
  ],
  'A tool that comes after the approval, under a rule with a wildcard': [
    ['src/calls/policy/callPolicy.ts', 'if (isNew === true && /[*?]/.test(rule.tool))', 'if (false)'],
  ],
  'A name in disguise of a tool that says that it only reads': [
    ['src/calls/policy/policyInputs.ts', 'isDisguised(name) || isDisguised(tool.tool.name)', 'false'],
  ],
  'A destructive tool that says later that it only reads': [
    ['src/catalog/pinChanges.ts', ' || annotations !== current.annotations', ''],
  ],
  'A number in a schema that changes in digits that a double hasn’t': [
    [
      'src/connection/cleaning/cleanTools.ts',
      'exactSchemas: exactSchemasOf(tool) }',
      'inputSchema: withPlainNumbers(inputSchema) }',
    ],
  ],
  'A tool is listed twice, once as it was approved': [
    ['src/catalog/pinChanges.ts', 'if (!pins.has(tool.name)) pins.set', 'pins.set'],
  ],
  'A tool that is renamed and edited at once': [
    ['src/catalog/pinChanges.ts', 'if (likest === undefined || was === undefined) changes', 'if (true) changes'],
  ],
  'What was approved of a server can’t be read any more: damaged, another user’s, of a later version': [
    [
      'src/catalog/toolPins.ts',
      'const isUnreadable = this.#isUnreadable(serverId, fingerprint);',
      'const isUnreadable = false as boolean;',
    ],
  ],
  'Instructions that change after the approval': [
    ['src/catalog/catalogFeed.ts', "if (open?.kind === 'changed') return", 'if (false) return'],
  ],
  'A prompt that changes after the approval': [
    ['src/calls/itemCalls.ts', '(await this.#ports.itemVerdict?.(request)) ?? ', "'' || "],
  ],
  'A prompt that was approved, and that isn’t listed any more, or whose list fails': [
    [
      'src/catalog/items/pinnedItems.ts',
      "return isCompared ? 'ok' : this.#verdictOfUnlisted(serverId, name);",
      "return isCompared ? 'ok' : 'ok';",
    ],
  ],
  'A private read, then a resource whose address carries it away': [
    [
      'src/calls/itemCalls.ts',
      'return !(await this.#ports.listsResource(serverId, uri, signal).catch(() => false));',
      'return false;',
    ],
  ],
  'A prompt, a resource or completion of a server that a rule, a mode or a hook denies': [
    [
      'src/calls/itemCalls.ts',
      'await this.#gate.authorize({ tool, args, call, hooks, started, asks, isChanged, isUnseen }, trace);',
      '',
    ],
  ],
  'A prompt that the model fills in, to send what it read': [
    ['src/calls/itemCalls.ts', "return surface !== 'gateway' && hasValues(params);", 'return false;'],
  ],
  'A name in other letters than the server’s, where another server has just that name': [
    [
      'src/catalog/names/serverNames.ts',
      'let left = near.filter(({ names }) => names.includes(written));',
      'let left: typeof near = [];',
    ],
  ],
};
