import { strict as assert } from 'node:assert';
import type { SwitchboardEvent } from '../../../src/calls/switchboardEvents.ts';
import { withCountingHost } from './countingHost.ts';

describe('events of servers and calls', function () {
  this.timeout(60_000);

  it('come on one emitter: connected with its number of tools, calls, and each way of being gone once', () =>
    withCountingHost(async ({ rig }) => {
      const { host } = rig;
      const id = host.views[0]?.definition.id ?? '';
      const events: SwitchboardEvent[] = [];
      host.calls.onDidHappen((event) => events.push(event));
      await host.pool.restart(id);
      await rig.until(() => host.pool.get(id)?.state.kind === 'connected');
      await rig.call('mcp__counting__read');
      const state = host.pool.get(id)?.state;
      assert.equal(state?.kind, 'connected');
      const pid = state.kind === 'connected' ? state.info.pid : undefined;
      process.kill(pid ?? 0, 'SIGKILL');
      await rig.until(() => host.pool.get(id)?.state.kind !== 'connected');
      await rig.until(() => host.pool.get(id)?.state.kind === 'connected');
      await host.pool.disconnect(id);
      const told = events.map((event) => {
        switch (event.type) {
          case 'server.connected':
            return `${event.serverName} connected, ${event.toolCount}`;
          case 'server.error':
            return `error ${event.error}`;
          case 'tool.result':
            return `${event.name} ${event.ok} ${typeof event.durationMs}`;
          default:
            return event.type;
        }
      });
      assert.deepEqual(told, [
        'server.disconnected',
        'server.connecting',
        'counting connected, 5',
        'tool.call',
        'mcp__counting__read true number',
        'server.disconnected',
        'error connection-lost',
        'server.connecting',
        'counting connected, 5',
        'server.disconnected',
      ]);
    }));

  it('tell of each attempt of a server that doesn’t come', () =>
    withCountingHost(
      async ({ rig }) => {
        const { host } = rig;
        const states: string[] = [];
        host.calls.onDidHappen((event) => states.push(event.type === 'server.error' ? event.error : event.type));
        await host.pool.restart(host.views[0]?.definition.id ?? '').catch(() => undefined);
        await rig.until(() => host.views[0]?.state.kind === 'failed');
        assert.deepEqual(
          states.filter((state) => state !== 'server.connecting'),
          Array(4).fill('exited'),
        );
      },
      { more: { args: ['-e', ''], reconnect: { initialDelayMs: 10, maxDelayMs: 10, maxAttempts: 3 } } },
    ));
});
