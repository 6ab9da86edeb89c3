import { join } from 'node:path';
import type { LazySignInPorts } from '../connection/auth/lazySignIns.ts';
import type { SignInTarget } from '../connection/auth/signInService.ts';
import type { ConnectionPool, ConnectionTarget } from '../connection/connectionPool.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ServerDefinition } from '../servers/serverTypes.ts';
import { signInBinding } from '../servers/trust/fingerprint.ts';
import type { HostPorts } from './hostPorts.ts';

/** How this client calls itself where a person sees it: on the pages of authorization servers. */
const CLIENT_NAME = 'MCP Switchboard';

/** What signing in needs of the host. */
export function signInPortsOf(
  ports: HostPorts,
  host: {
    readonly servers: ServerRegistry;
    readonly pool: ConnectionPool;
    targetOf(definition: ServerDefinition): ConnectionTarget;
  },
): LazySignInPorts {
  const { clock, log, store, platform, fetch, signIn, stateDir } = ports;
  const targetFor = (definition: ServerDefinition): SignInTarget => ({
    server: { id: definition.id, name: definition.name },
    binding: signInBinding(definition),
    resolve: () => host.targetOf(definition).resolve(),
  });
  const readyOne = (serverId: string): ServerDefinition | undefined => {
    const definition = host.servers.get(serverId);
    return definition?.status.kind === 'ready' ? definition : undefined;
  };
  return {
    signIn,
    clock,
    log,
    store,
    platform,
    fetch,
    clientName: CLIENT_NAME,
    folder: stateDir === undefined ? undefined : join(stateDir, 'sign-in'),
    transportOf: (serverId) => host.servers.get(serverId)?.entry.transport,
    target: (serverId) => {
      const definition = readyOne(serverId);
      return definition && targetFor(definition);
    },
    reconnect: async (serverId) => {
      if (host.pool.get(serverId)) await host.pool.restart(serverId);
    },
    changedElsewhere: (serverId) => {
      if (host.pool.get(serverId)?.state.kind === 'needs-auth') void host.pool.connect(serverId);
    },
  };
}
