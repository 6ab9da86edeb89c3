import assert from 'node:assert/strict';
import { describeState, transition, type ConnectionEvent } from '../../../src/connection/connectionState.ts';
import type { ConnectionFailure, ConnectionState, ServerInfo } from '../../../src/connection/connectionTypes.ts';

const failure: ConnectionFailure = { code: 'exited', message: 'The server exited with code 1.', stderrTail: ['boom'] };
const info: ServerInfo = { name: 's', version: '1', protocolVersion: '2025-11-25', era: 'legacy', capabilities: {} };

const states: Record<ConnectionState['kind'], ConnectionState> = {
  disconnected: { kind: 'disconnected' },
  connecting: { kind: 'connecting', since: 1 },
  installing: { kind: 'installing', since: 1, tool: 'npx', what: 'some-server' },
  connected: { kind: 'connected', since: 2, info },
  pending: { kind: 'pending', attempt: 1, maxAttempts: 5, nextAttemptAt: 9, failure },
  'needs-auth': { kind: 'needs-auth', failure },
  failed: { kind: 'failed', failure },
};

const events: Record<ConnectionEvent['kind'], ConnectionEvent> = {
  start: { kind: 'start', at: 5 },
  hint: { kind: 'hint', hint: 'downloading' },
  installing: { kind: 'installing', at: 5, tool: 'npx', what: 'some-server', progress: 'sqlite3: node-gyp' },
  begun: { kind: 'begun', at: 5 },
  opened: { kind: 'opened', at: 6, info },
  listed: { kind: 'listed', listError: 'no list' },
  retry: { kind: 'retry', attempt: 2, maxAttempts: 5, nextAttemptAt: 7, failure },
  'auth-required': { kind: 'auth-required', failure },
  'account-needed': { kind: 'account-needed' },
  failed: { kind: 'failed', failure },
  stopped: { kind: 'stopped' },
};

/** From each state, by event, the state that follows; what isn't here leaves the state as it is. */
const table: Record<ConnectionState['kind'], Partial<Record<ConnectionEvent['kind'], ConnectionState['kind']>>> = {
  disconnected: { start: 'connecting' },
  connecting: {
    hint: 'connecting',
    installing: 'installing',
    opened: 'connected',
    retry: 'pending',
    'auth-required': 'needs-auth',
    failed: 'failed',
    stopped: 'disconnected',
  },
  installing: {
    installing: 'installing',
    begun: 'connecting',
    opened: 'connected',
    retry: 'pending',
    'auth-required': 'needs-auth',
    failed: 'failed',
    stopped: 'disconnected',
  },
  connected: {
    listed: 'connected',
    'account-needed': 'connected',
    retry: 'pending',
    'auth-required': 'needs-auth',
    failed: 'failed',
    stopped: 'disconnected',
  },
  pending: { start: 'connecting', failed: 'failed', stopped: 'disconnected' },
  'needs-auth': { start: 'connecting', stopped: 'disconnected' },
  failed: { start: 'connecting', stopped: 'disconnected' },
};

describe('connection states', () => {
  for (const from of Object.values(states)) {
    for (const event of Object.values(events)) {
      const expected = table[from.kind][event.kind];
      it(`${from.kind} + ${event.kind} = ${expected ?? 'stays'}`, () => {
        const next = transition(from, event);
        if (expected === undefined) assert.equal(next, from);
        else {
          assert.equal(next.kind, expected);
          assert.notEqual(next, from);
        }
      });
    }
  }

  it('keeps what an event tells', () => {
    assert.deepEqual(transition(states.connecting, { kind: 'opened', at: 6, info, listError: 'no list' }), {
      kind: 'connected',
      since: 6,
      info,
      listError: 'no list',
    });
    assert.deepEqual(transition(states.connected, events.retry), {
      kind: 'pending',
      attempt: 2,
      maxAttempts: 5,
      nextAttemptAt: 7,
      failure,
    });
  });

  it('takes a list error away once the list is there', () => {
    const stale = transition(states.connected, events.listed);
    assert.deepEqual(transition(stale, { kind: 'listed', listError: undefined }), states.connected);
  });

  it('describes the next attempt', () => {
    assert.equal(
      describeState({ ...states.pending, nextAttemptAt: 3500 } as ConnectionState, 1000),
      'Reconnecting (attempt 1 of 5 in 2.5 s): The server exited with code 1.',
    );
  });
});
