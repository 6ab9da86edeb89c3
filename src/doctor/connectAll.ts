import { systemClock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { silentLogger } from '../base/log.ts';
import { MemoryStore } from '../base/keyValueStore.ts';
import type { ServerConnection } from '../connection/connectionTypes.ts';
import { Host } from '../host/host.ts';
import type { HeadlessMachine, HeadlessPorts } from './headlessPorts.ts';
import { outcomeOf } from './connectOutcome.ts';
import type { ConnectOutcome } from './doctorReport.ts';

/** Nobody waits longer for one server, but for one that is being installed, which has a limit of its own. */
const LONGEST_MS = 90_000;

/**
 * Connects every server that may run, those that only lack an approval included: it is given for this once. Everything
 * is stopped again.
 * @returns what came of it, by id of the server
 */
export async function connectAll(
  ports: HeadlessPorts,
  machine: HeadlessMachine,
): Promise<ReadonlyMap<string, ConnectOutcome>> {
  const trustChanged = new Emitter<void>();
  const host = new Host({
    clock: systemClock,
    log: silentLogger,
    serverLog: () => silentLogger,
    config: ports,
    store: new MemoryStore(),
    editor: { workspaceTrusted: () => true, editorHosts: () => false, onDidChange: trustChanged.event },
    asker: { ask: async () => 'deny' },
    platform: machine.platform,
    environment: machine.environment,
    homeDir: machine.home,
    fetch: globalThis.fetch,
    clientInfo: { name: 'mcp-switchboard-doctor', version: '0' },
    workspaceFolders: () => ports.options.workspaceFolders,
    settings: () => ({
      localConcurrency: 3,
      remoteConcurrency: 20,
      handshakeTimeoutMs: 15_000,
      discoveryTimeoutMs: 15_000,
      callTimeoutMs: 60_000,
    }),
    policies: () => ports.policies,
    scopeOrder: () => ports.scopeOrder,
  });
  const begun = performance.now();
  const outcomes = new Map<string, ConnectOutcome>();
  const note = (connection: ServerConnection): void => {
    const { kind } = connection.state;
    if (['disconnected', 'connecting', 'installing'].includes(kind) || outcomes.has(connection.id)) return;
    const outcome = outcomeOf(connection, Math.round(performance.now() - begun));
    // Nobody waits for it to be tried again.
    outcomes.set(connection.id, kind === 'pending' ? { ...outcome, state: 'failed' } : outcome);
  };
  const noting = host.pool.onDidChangeState(note);
  try {
    await host.start();
    await host.servers.approve(
      host.servers.definitions.filter(({ status }) => status.kind === 'needs-approval').map(({ id }) => id),
    );
    const deadline = begun + LONGEST_MS;
    const isInstalling = (): boolean =>
      host.pool.all.some(({ id, state }) => state.kind === 'installing' && !outcomes.has(id));
    while (outcomes.size < host.pool.all.length && (performance.now() < deadline || isInstalling()))
      await new Promise((resolve) => setTimeout(resolve, 20));
    for (const { id, state } of host.pool.all)
      if (!outcomes.has(id)) outcomes.set(id, { state: state.kind, tools: 0, ms: LONGEST_MS, error: 'no answer' });
  } finally {
    noting.dispose();
    await host.stop();
    host.dispose();
    trustChanged.dispose();
  }
  return outcomes;
}
