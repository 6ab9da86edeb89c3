import assert from 'node:assert/strict';
import { systemClock } from '../../../src/base/clock.ts';
import { Emitter } from '../../../src/base/event.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { ServerQuestion, ServerRequestPorts } from '../../../src/connection/serverQuestionTypes.ts';
import { eventually, fixture, PoolHarness, target } from './harness.ts';
import { ManualClock } from './manualClock.ts';

/** What a server wants of its host, in both eras: with a real server process. */
describe('what servers ask for', function () {
  this.timeout(20_000);
  let harness: PoolHarness | undefined;
  afterEach(() => harness?.end());

  const connect = async (server: string, requests: ServerRequestPorts = {}, clock = systemClock): Promise<void> => {
    harness = new PoolHarness({}, { requests, clock });
    await harness.connect(fixture(server));
  };
  const call = async (tool: string, timeoutMs: number = 5000): Promise<string> => {
    const session = await harness?.pool.ready('server', 3000);
    const { content, isError } = (await session?.callTool(tool, {}, { timeoutMs })) ?? {};
    return `${isError ? 'error: ' : ''}${String(content?.[0]?.['text'])}`;
  };

  for (const server of ['legacy', 'modern']) {
    describe(`(${server})`, () => {
      it('the user: is asked, for longer than the call may take', async () => {
        const clock = new ManualClock();
        const elicit = async ({ params }: ServerQuestion): Promise<JsonObject> => {
          clock.advance(5000);
          return { action: 'accept', content: { name: 'message' in params ? 'Ada' : '?' } };
        };
        await connect(server, { elicit }, clock);
        assert.equal(await call('ask', 500), 'accept: Ada');
      });

      it('a model: the handler gets what it was asked, and its answer reaches the server', async () => {
        const asked: ServerQuestion[] = [];
        await connect(server, {
          sample: async (question) => {
            asked.push(question);
            return { role: 'assistant', model: 'poet', content: { type: 'text', text: 'O Gouda' } };
          },
        });
        assert.equal(await call('sample'), 'poet: {"type":"text","text":"O Gouda"}');
        const [question] = asked;
        assert.equal(asked.length, 1);
        assert.deepEqual(question?.server, { id: 'server', name: 'server' });
        const { messages, maxTokens } = question?.params ?? {};
        assert.deepEqual(messages, [{ role: 'user', content: { type: 'text', text: 'A poem on cheese' } }]);
        assert.equal(maxTokens, 50);
        assert.equal(question?.signal.aborted, false);
      });

      it('a model: a handler that refuses is an error to the server, and the connection holds', async () => {
        const sample = async (): Promise<JsonObject> => {
          throw new Error('The user said no.');
        };
        await connect(server, { sample });
        assert.match(
          await call('sample').catch(String),
          /the server's request sampling\/createMessage was refused: The user said no/,
        );
        assert.equal(harness?.server().state.kind, 'connected');
      });
    });
  }

  for (const tool of ['ask', 'sample']) {
    it(`is refused where it is not declared: ${tool}`, async () => {
      await connect('legacy');
      assert.match(await call(tool), /^error: .*(Client does not support|This client doesn't support)/);
      assert.equal(harness?.server().state.kind, 'connected');
      await harness?.end();
      await connect('modern');
      assert.match(await call(tool).catch(String), /do not declare the required capability/);
      assert.equal(harness?.server().state.kind, 'connected');
    });
  }

  it('its roots: are told, and when they change', async () => {
    const onRootsChanged = new Emitter<void>();
    let roots = [{ uri: 'file:///a', name: 'a' }];
    await connect('legacy', { roots: () => roots, onRootsChanged: onRootsChanged.event });
    assert.equal(await call('roots'), 'file:///a');
    roots = [{ uri: 'file:///b', name: 'b' }];
    onRootsChanged.fire();
    assert.equal(await call('roots'), 'file:///b');
    onRootsChanged.dispose();
  });

  describe('its log', () => {
    const lines = (): readonly string[] => harness?.log.filter((line) => line.includes('cheese')) ?? [];
    const logAt = async (server: string, logLevel: 'debug' | 'error' | undefined): Promise<void> => {
      harness = new PoolHarness();
      const more = logLevel === undefined ? {} : { logLevel };
      harness.pool.reconcile([target('server', fixture(server), more)]);
      await harness.until('connected');
      // It is told its level in the moment that it is connected; both go the same way, in order.
      assert.equal(await call('log'), 'logged');
    };

    for (const [server, level] of [
      ['legacy', undefined],
      ['legacy', 'debug'],
      ['modern', 'debug'],
    ] as const) {
      it(`is taken from a ${server} server (level: ${level ?? 'none'})`, async () => {
        await logAt(server, level);
        await eventually(() => lines().length > 0, 'the line');
        assert.deepEqual(lines(), ['server: warning: [server] {"what":"low on cheese"}']);
      });
    }

    // Later servers log only where they are told a level.
    for (const [server, level] of [
      ['legacy', 'error'],
      ['modern', 'error'],
      ['modern', undefined],
    ] as const) {
      it(`is only as much as wanted, of a ${server} server (level: ${level ?? 'none'})`, async () => {
        await logAt(server, level);
        assert.deepEqual(lines(), []);
      });
    }
  });
});
