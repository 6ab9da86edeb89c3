import type { Rows } from './edit.ts';

/** Secrets stay where they belong. */
export const secrets: Rows = {
  // The lines as they come, and the failure that has them.
  'A dying server writes its own key where the model reads': [
    ['src/connection/stdio/serverStderr.ts', 'this.#mask(asShown(line)', '((text: string) => text)(asShown(line)'],
    ['src/connection/managedConnection.ts', 'maskedFailure(raw, this.#mask)', 'maskedFailure(raw, (text) => text)'],
  ],
  'A server repeats its key in its log, its progress or its errors': [
    [
      'src/connection/protocol/guard/guardedTransport.ts',
      'this.#deliver(maskedWithin({ ...message, params: clean(message.params ?? {}, tolerate) }, this.#options.mask));',
      'this.#deliver({ ...message, params: clean(message.params ?? {}, tolerate) });',
    ],
  ],
  'A server repeats its key in a form, in what it asks a model, or in the data of an error': [
    [
      'src/connection/session/serverAsks.ts',
      'const shown = await inSlices(maskedWithinSteps(asked, mask, AS_THEY_CAME));',
      'const shown = asked;',
    ],
  ],
  'The key of a server in what is kept of calls': [
    ['src/calls/callServices.ts', 'this.mask = surroundings.mask ?? ((text) => text);', 'this.mask = (text) => text;'],
  ],
  'A remote server repeats its headers, its parameters or its password': [
    [
      'src/connection/start/startServer.ts',
      "if (spec.type !== 'sdk') for (const [name, value] of namedValuesOf(spec)) secrets.add(name, value);",
      '',
    ],
  ],
  'Doctor connects a server that repeats its key': [
    [
      'src/connection/start/startServer.ts',
      "if (spec.type !== 'sdk') for (const [name, value] of namedValuesOf(spec)) secrets.add(name, value);",
      '',
    ],
  ],
  'The address or token of the cloud in what is said of a failure': [
    ['src/config/sources/cloudServersCopy.ts', 'secrets.mask(messageOf(error))', 'messageOf(error)'],
  ],
  'A key in a definition, shown in a list or a tooltip': [
    ['src/servers/trust/summary/launchSummary.ts', 'oneLine(writtenSecrets(spec).mask(text))', 'oneLine(text)'],
  ],
  'A key that is an argument by its place alone': [
    ['src/config/variables/namedValues.ts', "if (looksLikeToken(word)) return [['token', word]];", ''],
  ],
  'A server repeats its key in escapes, in colours, with unseen letters, or in UTF-16': [
    [
      'src/base/text/secrets.ts',
      'depth === 0 ? undefined : readEscapes(text);',
      'undefined as ReturnType<typeof readEscapes>;',
    ],
  ],
  'A server repeats a part of a value, or lists its bytes': [
    ['src/base/text/secrets.ts', '...assignedParts(text).flatMap(within),', ''],
    ['src/base/text/secretForms.ts', ', ...byteLists(value)]', ']'],
  ],
  'A key that is short, or an ordinary word': [
    ['src/base/text/secrets.ts', 'if (value.length < SHORTEST || /', 'if (false && /'],
  ],
  'What only looks like a secret hides what a call does': [
    [
      'src/host/wiring/brokerPorts.ts',
      "import { maskedWithin } from '../../base/text/maskedWithin.ts';",
      "import { recordedArguments } from '../calls/results/masking.ts';",
    ],
    ['src/host/wiring/brokerPorts.ts', 'maskedWithin(args, parts.mask)', 'recordedArguments(args, parts.mask)'],
  ],
  'A folder gives a value, to hide it in what a call does': [
    ['src/servers/personalSecrets.ts', 'if (isOwn(entry)) for (', 'for ('],
  ],
  'A folder calls an ordinary value of yours a secret, to hide it in what a call does': [
    ['src/servers/personalSecrets.ts', 'isOwn(entry) ? [variable, field] : [variable]', '[variable, field]'],
  ],
};

/** The same, on every surface at once. */
export const secretSurfaces: Rows = {
  'A call goes through every surface, with servers that repeat what they were given': [
    ['src/base/text/secrets.ts', 'if (found.length === 0) return text;', 'if (found.length >= 0) return text;'],
  ],
};
