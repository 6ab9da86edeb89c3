import type { Rows } from './edit.ts';

/** Clients of the gateway. */
export const gateway: Rows = {
  'A cursor that carries what was read to a server': [
    [
      'src/bridge/gateway/listCursors.ts',
      'if (rest.length > 0 || !isSame(tag, this.#tagOf(method, own)))',
      'if (false)',
    ],
  ],
  'A cursor of one list, server or session in another': [
    ['src/bridge/gateway/listCursors.ts', '`${method}\\n${cursor}`', 'cursor'],
  ],
  'Text beside the cursor of a list': [
    [
      'src/bridge/gateway/listCursors.ts',
      '{ cursor }: JsonObject): JsonObject',
      '{ cursor, ...more }: JsonObject): JsonObject',
    ],
    ['src/bridge/gateway/listCursors.ts', 'return {};', 'return more;'],
    ['src/bridge/gateway/listCursors.ts', 'return { cursor: own };', 'return { ...more, cursor: own };'],
  ],
  'A further page of a server that a rule denies': [
    ['src/calls/broker.ts', "if (action === 'deny') throw", 'if (false) throw'],
  ],
  'The session of another client': [
    [
      'src/bridge/gateway/protocol/clientSession.ts',
      'readonly #asked = new Map<RequestId, Deferred<JsonObject>>();',
      "readonly #asked: Map<RequestId, Deferred<JsonObject>> = ((globalThis as unknown as Record<string, never>)['asked'] ??= new Map() as never);",
    ],
  ],
  'A request without the token behind one that has it, in one connection': [
    [
      'src/bridge/gateway/protocol/loopbackServer.ts',
      'const refusal = refusalOf(headers, { port: this.#port, token });',
      "const refusal = Reflect.get(socket, 'isKnown') === true ? undefined : refusalOf(headers, { port: this.#port, token });\n        if (!refusal) Reflect.set(socket, 'isKnown', true);",
    ],
  ],
  'A link where the socket of a window that crashed was': [
    ['src/bridge/gateway/outside/privateServer.ts', ' || !(await isOwnFolder(folder))', ''],
  ],
};
