import { say } from '../../base/say.ts';
import { withTimeout } from '../../base/async.ts';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { Mask, SecretValues } from '../../base/text/secrets.ts';
import type { InProcessServer, ServerEntry, StartMode } from '../../config/configTypes.ts';
import type { LazySignIns } from '../../connection/auth/lazySignIns.ts';
import { ConnectError } from '../../connection/connectionFailure.ts';
import type { ConnectionPool, ConnectionTarget } from '../../connection/connectionPool.ts';
import type { ConnectionSpec } from '../../connection/connectionTypes.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { CatalogFeed } from '../../catalog/catalogFeed.ts';
import { TOOL_NAME_FORMATS } from '../../catalog/names/toolNamePrefix.ts';
import type { HostPorts } from '../hostPorts.ts';
import type { ServerRegistry } from '../../servers/serverRegistry.ts';
import type { ResolveContext } from '../../servers/resolveEntry.ts';
import type { OpenFolders } from '../../servers/trust/folderDependence.ts';
import { launchKeyOf } from '../../servers/trust/fingerprint.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import type { ServerValues } from '../../servers/inputAnswers.ts';

export interface ReadyServerPorts extends Pick<
  HostPorts,
  'clock' | 'platform' | 'environment' | 'homeDir' | 'workspaceFolders' | 'settings' | 'editor'
> {
  readonly servers: ServerRegistry;
  readonly pool: ConnectionPool;
  readonly catalog: Catalog;
  readonly feed: CatalogFeed;
  readonly values: ServerValues | undefined;
  readonly signIns: LazySignIns;
  /** Reads the configuration again. */
  readonly reload: () => void;
  /** Anything that a view of the servers shows may have changed. */
  readonly changed: () => void;
}

/** The folders that an untrusted workspace consists of. */
export function openFoldersOf({
  workspaceFolders,
  homeDir,
}: Pick<HostPorts, 'workspaceFolders' | 'homeDir'>): OpenFolders {
  return { paths: workspaceFolders().map((folder) => folder.path), homeDir };
}

/**
 * Runs the servers that are ready: the connections follow the definitions, and the catalog follows both. What a server runs is resolved when
 * its connection starts.
 */
export class ReadyServers {
  readonly #ports: ReadyServerPorts;
  #secrets: SecretValues | undefined;
  /** An entry never changes. */
  readonly #keys = new WeakMap<ServerEntry, string>();

  constructor(ports: ReadyServerPorts) {
    this.#ports = ports;
  }

  /** Follows what changes, until the result is disposed. */
  follow(): Disposable {
    const { servers, pool } = this.#ports;
    const store = new DisposableStore();
    store.add(
      servers.onDidChange(({ changed }) => {
        this.reconcile();
        // Which tools an entry offers may be another, with nothing to restart.
        for (const { id } of changed) this.refreshTools(id);
      }),
    );
    store.add(pool.onDidChangeState(({ id }) => this.refreshTools(id)));
    store.add(pool.onDidChangeTools(({ id }) => this.refreshTools(id)));
    return store;
  }

  /** Brings everything in line with the definitions; nothing runs before the catalog is open. */
  reconcile(): void {
    const { catalog, servers, pool, feed, settings, changed } = this.#ports;
    if (!catalog.parts) return;
    catalog.setFormat(settings().toolNameFormat ?? TOOL_NAME_FORMATS[0]);
    catalog.parts.settle(servers.definitions);
    const ready = servers.definitions.filter(({ status }) => status.kind === 'ready');
    pool.reconcile(ready.map((definition) => this.targetOf(definition)));
    for (const serverId of new Set([...catalog.serverIds, ...pool.all.map(({ id }) => id)])) feed.refresh(serverId);
    changed();
  }

  /** What a server offers may be another: the catalog and the views follow. */
  refreshTools(serverId: string): void {
    this.#ports.feed.refresh(serverId);
    this.#ports.changed();
  }

  targetOf(definition: ServerDefinition): ConnectionTarget {
    const { entry } = definition;
    return {
      id: definition.id,
      name: definition.name,
      scope: entry.scope,
      key: this.#keyOf(entry),
      listKey: definition.fingerprint,
      resolve: () => this.#resolve(definition),
      ...this.#ports.signIns.targetOf(definition.id),
      ...(entry.callTimeoutMs === undefined ? {} : { callTimeoutMs: entry.callTimeoutMs }),
      ...(entry.handshakeTimeoutMs === undefined ? {} : { handshakeTimeoutMs: entry.handshakeTimeoutMs }),
      ...(entry.discoveryTimeoutMs === undefined ? {} : { discoveryTimeoutMs: entry.discoveryTimeoutMs }),
      ...(entry.timings === undefined ? {} : { timings: entry.timings }),
      ...(entry.reconnect === undefined ? {} : { reconnect: entry.reconnect }),
      ...(entry.logLevel === undefined ? {} : { logLevel: entry.logLevel }),
      autoStart: true,
      startMode: this.startModeOf(entry),
      needsDiscovery: !this.#ports.feed.isRemembered(definition),
    };
  }

  #keyOf(entry: ServerEntry): string {
    const known = this.#keys.get(entry) ?? launchKeyOf(entry);
    this.#keys.set(entry, known);
    return known;
  }

  /** When a server is connected: as its entry says, else as the setting does. */
  startModeOf({ startMode }: ServerEntry): StartMode {
    return startMode ?? this.#ports.settings().startMode ?? 'eager';
  }

  /** Masks the user's own secrets, as far as servers were given them. */
  readonly mask: Mask = (text) => this.#secrets?.mask(text) ?? text;

  /** What variables are replaced by, and where. */
  get context(): ResolveContext {
    const { platform, environment, homeDir, values } = this.#ports;
    const workspaceFolders = this.#ports.workspaceFolders();
    return { platform, environment, homeDir, workspaceFolders, ...(values ? { values } : {}) };
  }

  /** What to run or reach, or the server itself; asked for at each start. */
  async #resolve(definition: ServerDefinition): Promise<ConnectionSpec> {
    const { servers, editor, reload } = this.#ports;
    const [{ resolveTransport }, { SecretValues: Secrets }] = await Promise.all([
      import('../../servers/resolveTransport.ts'),
      import('../../base/text/secrets.ts'),
    ]);
    const spec = await resolveTransport(definition, this.context, {
      servers,
      secrets: (this.#secrets ??= new Secrets()),
      untrustedFolders: () => (editor.workspaceTrusted() ? undefined : openFoldersOf(this.#ports)),
      onStale: reload,
    });
    return spec.type === 'sdk' ? { type: 'sdk', server: await this.#makeServer(definition) } : spec;
  }

  async #makeServer({ id, name, entry }: ServerDefinition): Promise<InProcessServer> {
    const { servers, settings, clock } = this.#ports;
    const create = servers.factoryOf(id);
    const timeoutMs = entry.handshakeTimeoutMs ?? settings().handshakeTimeoutMs;
    if (create)
      return withTimeout(create(), timeoutMs, clock, () => {
        const message = say`The extension that provides ${name} did not create it within ${timeoutMs / 1_000} s.`;
        throw new ConnectError('handshake-timeout', message, { remedy: say`See the log of that extension.` });
      });
    throw new SwitchboardError(
      'not-connected',
      say`${name} is no longer available: the extension that provided it removed it.`,
    );
  }
}
