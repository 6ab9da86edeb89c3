import { SwitchboardError, messageOf } from '../../base/errors.ts';
import type { InProcessServer } from '../../config/configTypes.ts';

/**
 * What an extension's `createServer` gives, as a connection takes it.
 * @throws SwitchboardError `handshake-failed`
 */
export async function inProcessServer(make: () => unknown, extension: string, name: string): Promise<InProcessServer> {
  let server: unknown;
  try {
    server = await make();
  } catch (error) {
    const why = messageOf(error);
    throw new SwitchboardError('handshake-failed', `${extension} could not make its server ${name}: ${why}`, {
      cause: error,
    });
  }
  if (has(server, 'fetch')) return { kind: 'fetch', fetch: async (request) => server.fetch(request) as Response };
  if (has(server, 'connect')) {
    return {
      kind: 'transport',
      connect: async (transport) => {
        await server.connect(transport);
      },
    };
  }
  throw new SwitchboardError('handshake-failed', `${extension} gave nothing that is a server for ${name}.`, {
    remedy: '`createServer` has to give an object with `connect` or `fetch`.',
  });
}

function has<K extends string>(value: unknown, member: K): value is Record<K, (argument: unknown) => unknown> {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, member) === 'function';
}
