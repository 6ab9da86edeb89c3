import { join } from 'node:path';
import { SwitchboardError } from '../../base/errors.ts';
import { CLIENT_NAME } from '../../connection/auth/flow/clientDocument.ts';
import { SignInService } from '../../connection/auth/signInService.ts';
import type { SignInTarget } from '../../connection/auth/signInPorts.ts';
import type { ConnectionPool, ConnectionTarget } from '../../connection/connectionPool.ts';
import type { ServerRegistry } from '../../servers/serverRegistry.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import type { Host } from '../host.ts';
import type { HostPorts } from '../hostPorts.ts';
import { signInBinding } from './signInBinding.ts';

/** Makes what signs in to the servers of a host. Loaded with the first use. */
export async function openSignIns(
  ports: HostPorts,
  host: { readonly servers: ServerRegistry; readonly pool: ConnectionPool } & Pick<Host, 'recorder'>,
  ready: { targetOf(definition: ServerDefinition): ConnectionTarget },
  changed: (serverId: string) => void,
): Promise<SignInService> {
  const { signIn: openPorts, clock, log, store, platform, fetch, stateDir } = ports;
  if (!openPorts) throw new SwitchboardError('unsupported', 'Nobody can sign in here.');
  const targetFor = (definition: ServerDefinition): SignInTarget => ({
    server: { id: definition.id, name: definition.name },
    binding: signInBinding(definition),
    resolve: () => ready.targetOf(definition).resolve(),
  });
  const loading = [import('../../connection/protocol/sdk.ts'), openPorts(), host.recorder()] as const;
  const [sdk, signIn, recorder] = await Promise.all(loading);
  return new SignInService(
    {
      signIn,
      clock,
      log,
      store,
      platform,
      fetch,
      clientName: CLIENT_NAME,
      stepped: (serverId, step, detail, ms) =>
        recorder.note(serverId, { kind: 'signIn', step, detail, ...(ms === undefined ? {} : { ms }) }),
      folder: stateDir === undefined ? undefined : join(stateDir, 'sign-in'),
      target: (serverId) => {
        const definition = host.servers.get(serverId);
        return definition?.status.kind === 'ready' ? targetFor(definition) : undefined;
      },
      reconnect: async (serverId) => {
        if (host.pool.get(serverId)) await host.pool.restart(serverId);
      },
      changed: (serverId, isNews) => {
        changed(serverId);
        // Somebody signed in in another window.
        const state = isNews ? host.pool.get(serverId)?.state : undefined;
        if (state?.kind === 'needs-auth') void host.pool.connect(serverId);
        else if (state?.kind === 'connected' && state.accountNeeded) void host.pool.restart(serverId);
      },
    },
    sdk,
  );
}
