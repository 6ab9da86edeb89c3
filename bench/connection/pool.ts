import { tmpdir } from 'node:os';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { ConnectionPool } from '../../src/connection/connectionPool.ts';
import type { PoolPorts, PoolSettings } from '../../src/connection/connectionPoolPorts.ts';
import type { ConnectionSpec, ConnectionTarget } from '../../src/connection/connectionTypes.ts';

/** A pool as the extension makes it, without its log. */
export function benchPool(settings: Partial<PoolSettings> = {}, ports: Partial<PoolPorts> = {}): ConnectionPool {
  return new ConnectionPool({
    clock: systemClock,
    log: () => silentLogger,
    platform: process.platform,
    hostEnvironment: process.env,
    fetch,
    homeDir: tmpdir(),
    loginPath: async () => undefined,
    clientInfo: { name: 'bench', version: '0.0.0' },
    settings: () => ({
      localConcurrency: 3,
      remoteConcurrency: 20,
      handshakeTimeoutMs: 15_000,
      discoveryTimeoutMs: 15_000,
      ...settings,
    }),
    ...ports,
  });
}

export function benchTarget(id: string, spec: ConnectionSpec): ConnectionTarget {
  return { id, name: id, scope: 'user', key: id, autoStart: true, resolve: async () => spec };
}
