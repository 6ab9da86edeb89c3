import { strict as assert } from 'node:assert';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import type { ConfigSource } from '../../../../src/config/configTypes.ts';

const source: ConfigSource = { id: 'project:/a/.mcp.json', scope: 'project', format: 'mcp', label: '.mcp.json' };

function read(fields: object): ReturnType<typeof parseSource> {
  return parseSource(source, JSON.stringify({ mcpServers: { one: { command: 'node', ...fields } } }));
}

describe('config: when and how an entry is connected', () => {
  it('reads the start mode, also in its other spelling', () => {
    assert.equal(read({ startMode: 'onDemand' }).entries[0]?.startMode, 'onDemand');
    assert.equal(read({ autoConnect: false }).entries[0]?.startMode, 'manual');
    assert.equal(read({ autoConnect: true }).entries[0]?.startMode, undefined);
    assert.equal(read({}).entries[0]?.startMode, undefined);
    assert.equal(read({ logLevel: 'error' }).entries[0]?.logLevel, 'error');
  });

  it('reads numbers of the entry’s own', () => {
    const { entries, problems } = read({
      handshakeTimeoutMs: 90_000,
      discoveryTimeoutMs: 5_000,
      keepAliveMs: 60_000,
      slowStartMs: 0,
      reconnect: { maxAttempts: 0, initialDelayMs: 250 },
    });
    assert.deepEqual(problems, []);
    assert.equal(entries[0]?.handshakeTimeoutMs, 90_000);
    assert.equal(entries[0]?.discoveryTimeoutMs, 5_000);
    assert.deepEqual(entries[0]?.timings, { slowStartMs: 0, keepAliveMs: 60_000 });
    assert.deepEqual(entries[0]?.reconnect, { maxAttempts: 0, initialDelayMs: 250 });
  });

  it('a value that is none is a warning, and the entry loads', () => {
    for (const [fields, code] of [
      [{ startMode: 'later' }, 'unknown-word'],
      [{ logLevel: 'loud' }, 'unknown-word'],
      [{ discoveryTimeoutMs: '5s' }, 'invalid-number'],
      [{ reconnect: { maxAttempts: -1 } }, 'invalid-number'],
      [{ keepAliveMs: 'often' }, 'invalid-number'],
    ] as const) {
      const { entries, problems } = read(fields);
      assert.equal(entries.length, 1);
      assert.deepEqual(
        problems.map((problem) => [problem.code, problem.severity]),
        [[code, 'warning']],
      );
    }
  });
});
