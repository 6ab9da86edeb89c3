import { say } from '../../base/say.ts';
import { withTimeout } from '../../base/async.ts';
import { SwitchboardError } from '../../base/errors.ts';
import type { Mask, SecretValues } from '../../base/text/secrets.ts';
import type { InProcessServer, ServerEntry, StartMode, TransportSpec } from '../../config/configTypes.ts';
import type { LazySignIns } from '../../connection/auth/lazySignIns.ts';
import { ConnectError } from '../../connection/connectionFailure.ts';
import type { ConnectionTarget } from '../../connection/connectionPool.ts';
import type { ConnectionSpec } from '../../connection/connectionTypes.ts';
import type { HostPorts } from '../hostPorts.ts';
import type { ServerRegistry } from '../../servers/serverRegistry.ts';
import type { ResolveContext } from '../../servers/resolveEntry.ts';
import type { OpenFolders } from '../../servers/trust/folderUse.ts';
import { launchKeyOf } from '../../servers/trust/fingerprint.ts';
import { outsideFolders } from '../../servers/trust/outsideFolders.ts';
import { isOfFolder } from '../../servers/trust/serverStatus.ts';
import type { ServerDefinition } from '../../servers/serverTypes.ts';
import type { ServerValues } from '../../servers/inputValues.ts';

export interface ConnectionTargetPorts extends Pick<
  HostPorts,
  'clock' | 'platform' | 'environment' | 'homeDir' | 'workspaceFolders' | 'settings' | 'editor'
> {
  readonly servers: ServerRegistry;
  readonly values: ServerValues | undefined;
  readonly signIns: LazySignIns;
  /** Reads the configuration again. */
  readonly reload: () => void;
  /** Whether the tools of a server are known from before. */
  isRemembered(definition: ServerDefinition): boolean;
}

/** The folders that an untrusted workspace consists of. */
export function openFoldersOf({
  workspaceFolders,
  homeDir,
}: Pick<HostPorts, 'workspaceFolders' | 'homeDir'>): OpenFolders {
  return { paths: workspaceFolders().map((folder) => folder.path), homeDir };
}

/** What processes inherit: nothing that leads into a folder that isn't trusted. */
export function environmentOf(ports: HostPorts): NodeJS.ProcessEnv {
  const { editor, environment, platform } = ports;
  return editor.workspaceTrusted() ? environment : outsideFolders(environment, openFoldersOf(ports), platform);
}

/** Makes connection targets from definitions. Variables are resolved when the connection starts. */
export class Targets {
  readonly #ports: ConnectionTargetPorts;
  #secrets: SecretValues | undefined;
  /** An entry never changes. */
  readonly #keys = new WeakMap<ServerEntry, string>();

  constructor(ports: ConnectionTargetPorts) {
    this.#ports = ports;
  }

  of(definition: ServerDefinition): ConnectionTarget {
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
      needsDiscovery: !this.#ports.isRemembered(definition),
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

  /**
   * Resolves what to run, and checks the deny lists and the folder's trust again: a variable or a link can stand for
   * something that is denied.
   */
  async #resolve(definition: ServerDefinition): Promise<ConnectionSpec> {
    const [{ resolveTransport }, { SecretValues: Secrets }, { addVariable, addWritten }] = await Promise.all([
      import('../../servers/resolveTransport.ts'),
      import('../../base/text/secrets.ts'),
      import('../../servers/personalSecrets.ts'),
    ]);
    const secrets = (this.#secrets ??= new Secrets());
    const { entry } = definition;
    const spec = await resolveTransport(definition, this.context, (...value) => addVariable(secrets, entry, value));
    await this.#checkTrust(definition, spec);
    await this.#checkLists(definition, spec);
    const complete = await this.#withLastParts(definition, spec);
    if (complete.type !== 'sdk') addWritten(secrets, entry, complete);
    // What the `envFile` sets counts, too.
    if (complete.type === 'stdio') await this.#checkLists(definition, complete);
    return complete;
  }

  async #checkLists(definition: ServerDefinition, spec: TransportSpec): Promise<void> {
    const denial = await this.#ports.servers.denialOf(definition.id, spec);
    if (!denial) return;
    const where = denial.file === undefined ? '' : `, in ${denial.file}`;
    throw new SwitchboardError('denied', say`${definition.name} is not allowed to run: ${denial.reason}${where}.`);
  }

  /** What is read or made only now that the server may start. */
  async #withLastParts(definition: ServerDefinition, spec: TransportSpec): Promise<ConnectionSpec> {
    if (spec.type === 'sdk') return { type: 'sdk', server: await this.#makeServer(definition) };
    if (spec.type !== 'stdio') return spec;
    const { envFile, ...rest } = spec;
    if (envFile === undefined) return rest;
    const { withEnvFile } = await import('../../servers/applyEnvFile.ts');
    const folders = this.#ports.workspaceFolders();
    return withEnvFile(definition.entry, { ...rest, envFile }, folders, this.#ports.platform).catch(
      (error: unknown) => {
        // It may have changed unseen: then it waits for approval.
        this.#ports.reload();
        throw error;
      },
    );
  }

  async #checkTrust({ name, entry }: ServerDefinition, spec: TransportSpec): Promise<void> {
    if (this.#ports.editor.workspaceTrusted() || isOfFolder(entry)) return;
    const { refuseWhatLeadsInto } = await import('../../servers/trust/pathsIntoFolder.ts');
    await refuseWhatLeadsInto(name, spec, openFoldersOf(this.#ports));
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
