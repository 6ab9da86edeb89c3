import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogFeed } from '../../catalog/catalogFeed.ts';
import { ConnectionPool } from '../../connection/connectionPool.ts';
import type { ServerRegistry } from '../../servers/serverRegistry.ts';
import { outsideFolders } from '../../servers/trust/outsideFolders.ts';
import { openFoldersOf } from './readyServers.ts';
import type { Host } from '../host.ts';
import type { HostPorts } from '../hostPorts.ts';

/** What processes inherit: nothing that leads into a folder that isn't trusted. */
function environmentOf(ports: HostPorts): NodeJS.ProcessEnv {
  const { editor, environment, platform } = ports;
  return editor.workspaceTrusted() ? environment : outsideFolders(environment, openFoldersOf(ports), platform);
}

/** The connections of a host. */
export function openConnectionPool(
  ports: HostPorts,
  host: { readonly catalog: Catalog; readonly feed: CatalogFeed; readonly servers: ServerRegistry } & Pick<
    Host,
    'recording'
  >,
): ConnectionPool {
  return new ConnectionPool({
    clock: ports.clock,
    log: ports.serverLog,
    platform: ports.platform,
    get hostEnvironment() {
      return environmentOf(ports);
    },
    fetch: ports.fetch,
    homeDir: ports.homeDir,
    clientInfo: ports.clientInfo,
    store: ports.store,
    requests: {
      ...ports.requests,
      // Another connection is told what is so then.
      get extensions() {
        return ports.requests?.extensions;
      },
      roots: async (question) => (await import('../serverRoots.ts')).rootsOf(question, host, ports),
      ...(ports.onDidChangeRoots ? { onRootsChanged: ports.onDidChangeRoots } : {}),
    },
    ...(ports.stateDir === undefined ? {} : { stateDir: ports.stateDir }),
    prepareTools: (tools) => host.feed.prepare(tools),
    recorder: async () => {
      const { recorder, tracing } = await host.recording();
      // Then the first handshake is part of a trace, too.
      await tracing.tracer();
      return recorder;
    },
    settings: () => ports.settings(),
  });
}
