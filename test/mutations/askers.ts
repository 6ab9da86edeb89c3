import type { Rows } from './edit.ts';

/** Who asks, and agents outside the editor. */
export const askers: Rows = {
  'A permission that was given to one caller is used by another': [
    ['src/calls/policy/policyInputs.ts', '...(caller === undefined ? {} : { caller }),', ''],
  ],
  'An agent outside calls itself like another, or like none': [
    [
      'src/calls/policy/permissionScope.ts',
      "return { id: OUTSIDE, reach: isAnsweredByCaller === true ? 'call' : 'session' };",
      "return caller === undefined ? { reach: 'session' } : { id: `extension:${caller}`, reach: 'session' };",
    ],
  ],
  'An extension that can’t be told keeps a permission': [
    ['src/calls/policy/permissionScope.ts', "EXTENSION_ID.test(caller ?? '') ? 'workspace' : 'call'", "'workspace'"],
  ],
  'An agent outside answers the question about its own call': [
    ['src/bridge/gateway/brokerCall.ts', 'outside?.asksClients() === false ? {} : contextOf', 'contextOf'],
  ],
  'An agent outside that may answer gives itself a lasting permission': [
    ['src/bridge/gateway/brokerCall.ts', '...(outside && context.askInCall ? { isAnsweredByCaller: true } : {}),', ''],
  ],
  'An answer that comes before its question': [
    [
      'src/bridge/gateway/protocol/stateless/heldRequest.ts',
      'key === undefined ? undefined : this.#offered.get(key)',
      "this.#offered.get(key ?? 'input_1')",
    ],
  ],
  'A lasting permission for agents outside': [
    ['src/calls/policy/callGate.ts', " || (caller.reach === 'session' && isLasting)", ''],
  ],
  'An agent outside fills in a prompt, to send what it read': [
    ['src/calls/itemCalls.ts', "return surface !== 'gateway' && hasValues(params);", 'return false;'],
    ['src/calls/itemCalls.ts', "return surface === 'outside';", 'return false;'],
  ],
  'Identical calls in parallel, to get one of many questions answered by mistake': [
    ['src/calls/policy/openQuestions.ts', 'this.#open.get(key) ?? this.#begin(key, ask)', 'this.#begin(key, ask)'],
  ],
  'One yes to one of several identical calls runs them all': [
    ['src/calls/policy/callGate.ts', "? asked.run : 'run';", "? 'run' : 'run';"],
  ],
  'A result with links that the editor reads by itself, to ask until it is allowed': [
    ['src/calls/policy/callGate.ts', 'this.#refusedReads.has(read)', 'false'],
  ],
  'A call is cancelled while an identical one waits for the same question': [
    ['src/calls/policy/openQuestions.ts', 'if (question.waiting === 0) question.ending', 'question.ending'],
  ],
  'Reading tools of one server in parallel, each with a question about the open world': [
    ['src/calls/policy/callGate.ts', 'isForServer(decision, caller) ? [key.serverId, key.fingerprint] : ', ''],
  ],
  'A question that nobody answers, to keep others from being asked': [
    ['src/calls/policy/askUser.ts', "() => close('expired')", '() => undefined'],
  ],
  'A form that is left open in one client, to keep the editor from asking': [
    ['src/bridge/dialogs/inputTurns.ts', 'if (this.#turns[0] !== turn || this.#turns.length === 1) return;', 'return;'],
  ],
  'A process listens on a port that a window had, to get the token': [
    [
      'src/bridge/gateway/outside/outsideGateway.ts',
      "const token = randomBytes(32).toString('base64url');",
      'const token = this.#key;',
    ],
  ],
  'A port or a token in the list of processes, a file or a history': [
    [
      'src/bridge/gateway/outside/outsideGateway.ts',
      'return outsideCommand(this.#ports.editor, args);',
      "return outsideCommand(this.#ports.editor, [...args, 'http://127.0.0.1:1/mcp']);",
    ],
  ],
  'Another user looks for the socket of a window': [
    ['src/bridge/gateway/outside/privateServer.ts', "if (platform !== 'win32') await chmod(this.#address, 0o600);", ''],
  ],
  'Another user puts a socket where a window’s was': [
    ['src/bridge/gateway/outside/answeringWindow.ts', 'if (!isOwn) throw', 'if (false) throw'],
  ],
  'A window that crashed leaves a socket behind': [
    ['src/bridge/gateway/outside/privateServer.ts', 'await removeStale(this.#record);', ''],
  ],
  'Connections without the token, to use up what a window can have open': [
    [
      'src/bridge/gateway/protocol/loopbackServer.ts',
      "this.#server.on('connection', (socket) => strangers.add(socket));",
      '',
    ],
  ],
  'A client without an end to its name': [
    ['src/bridge/gateway/protocol/protocolMethods.ts', 'name.slice(0, MAX_NAME)', 'name'],
  ],
};
