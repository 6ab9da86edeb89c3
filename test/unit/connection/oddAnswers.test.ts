import assert from 'node:assert/strict';
import { SwitchboardError } from '../../../src/base/errors.ts';
import type { ConnectionSpec, ServerConnection, ToolCallResult } from '../../../src/connection/connectionTypes.ts';
import { ERRORS, HARMLESS, listenOddly, UNREADABLE } from '../../fixtures/servers/oddAnswers.ts';
import { fixture, PoolHarness, remote } from './harness.ts';

interface Way {
  readonly name: string;
  readonly open: (deviation: string) => Promise<{ readonly spec: ConnectionSpec; readonly close: () => Promise<void> }>;
}

const overHttp = (form: 'json' | 'events'): Way['open'] => {
  return async (deviation) => {
    const { url, close } = await listenOddly(deviation, form);
    return { spec: remote('http', url), close };
  };
};
const WAYS: readonly Way[] = [
  {
    name: 'stdio',
    open: async (deviation) => ({ spec: fixture('oddAnswers', deviation), close: async () => undefined }),
  },
  { name: 'HTTP', open: overHttp('json') },
  { name: 'event streams', open: overHttp('events') },
];

/** No answer may be waited for: the time-outs are longer than a test takes. */
const SETTINGS = { handshakeTimeoutMs: 60_000, discoveryTimeoutMs: 60_000 };

for (const { name: way, open } of WAYS) {
  describe(`odd answers over ${way}`, () => {
    const withServer = async (
      deviation: string,
      body: (server: ServerConnection, harness: PoolHarness) => Promise<void>,
    ): Promise<void> => {
      const { spec, close } = await open(deviation);
      const harness = new PoolHarness(SETTINGS);
      try {
        await body(await harness.connect(spec), harness);
      } finally {
        await harness.end();
        await close();
      }
    };
    const call = async (server: ServerConnection): Promise<ToolCallResult> => {
      assert.ok(server.session, JSON.stringify(server.state));
      return server.session.callTool('t', {}, { timeoutMs: 60_000 });
    };

    for (const deviation of Object.keys(HARMLESS)) {
      it(`are taken for what they mean: ${deviation}`, async () => {
        await withServer(deviation, async (server) => {
          const { content, isError } = await call(server);
          assert.deepEqual(
            server.tools.map(({ name }) => name),
            ['t'],
          );
          assert.equal(content[0]?.['text'], 'hello');
          assert.ok(!isError);
        });
      });
    }

    for (const deviation of Object.keys(ERRORS)) {
      it(`are errors that say what the server says: ${deviation}`, async () => {
        await withServer(deviation, async (server) => {
          const said = await call(server).then(
            ({ isError, content }) => (isError ? content : 'no error'),
            (error: unknown) => (error instanceof SwitchboardError ? `${error.code}: ${error.message}` : error),
          );
          assert.match(JSON.stringify(said), /no such repository/);
        });
      });
    }

    for (const deviation of Object.keys(UNREADABLE)) {
      it(`that can't be read fail that request at once: ${deviation}`, async () => {
        await withServer(deviation, async (server) => {
          await assert.rejects(call(server), (error: unknown) => {
            assert.ok(error instanceof SwitchboardError);
            assert.equal(error.code, 'call-failed');
            assert.match(error.message, /can't be read: |neither result nor error/);
            return true;
          });
          // Nothing else is lost.
          assert.equal(server.state.kind, 'connected');
        });
      });
    }

    it('are said in the log once per kind', async () => {
      await withServer('error: {}', async (server, { log }) => {
        await call(server);
        await call(server);
        assert.equal(log.filter((line) => line.includes('an empty error beside a result')).length, 1, log.join('\n'));
      });
    });
  });
}
