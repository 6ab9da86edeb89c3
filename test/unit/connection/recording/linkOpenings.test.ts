import assert from 'node:assert/strict';
import path from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import { underlyingOf } from '../../../../src/catalog/catalogTool.ts';
import { LinkOpenings } from '../../../../src/connection/recording/linkOpenings.ts';
import type { RecordedEvent } from '../../../../src/connection/recording/recordedEvent.ts';
import { saveRecording } from '../../../../src/connection/recording/recordingWriter.ts';
import { withServers, type TestHost } from '../../../support/testHost.ts';
import { fixture, temporaryFolder } from '../harness.ts';

const REPLAY = path.join(root, 'src', 'connection', 'recording', 'replay', 'replay.ts');

describe('a recording that begins in the midst of a session', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());
  const notes = { command: process.execPath, args: [path.join(root, 'demo/notes-server/main.js')] };
  const legacy = fixture('legacy');

  const call = async ({ host }: TestHost, name: string, args: object): Promise<unknown> => {
    const tool = host.catalog.tools.find((each) => underlyingOf(each).name === name);
    assert.ok(tool, `${name} is listed`);
    const { signal } = new AbortController();
    return (await host.broker.call({ name: tool.name, args: { ...args }, surface: 'test', signal })).parts;
  };

  for (const [era, entry, tool, args] of [
    ['legacy', { command: legacy.command, args: legacy.args }, 'echo', { text: 'x' }],
    ['modern', { ...notes, env: { NOTES_DIR: path.join(folder.path, 'notes') } }, 'list_notes', {}],
  ] as const)
    it(`${era}: has what opened it, also where nothing is kept in memory, and can be replayed`, async () => {
      const file = path.join(folder.path, `${era}.mcprec.jsonl`);
      let answer: unknown;
      const settings = { ring: { minutes: 0, megabytes: 0 } };
      await withServers(
        { one: entry },
        async (rig) => {
          const { host } = rig;
          const recorder = await host.recorder();
          assert.deepEqual(recorder.recent(), []);
          const [connection] = host.pool.all;
          const events = [...recorder.openingOf(connection?.id ?? '')];
          assert.ok(events.length >= 2 && events.length <= 8, String(events.length));
          const subscription = recorder.onEvent((event) => events.push(event));
          await connection?.session?.listTools(5_000);
          answer = await call(rig, tool, args);
          subscription.dispose();
          const by = { name: 'test', version: '0' };
          const nameOf = (id: string): string => host.servers.get(id)?.name ?? id;
          await saveRecording(file, events, { by, platform: process.platform, nameOf, mask: host.pool.mask });
        },
        { answer: 'once', settings },
      );
      // Also by Node 20, as it may be on a PATH.
      const older = 'data:text/javascript,delete JSON.rawJSON; delete JSON.isRawJSON';
      for (const options of [[], ['--import', older]])
        await withServers(
          { one: { command: process.execPath, args: [...options, REPLAY, file, '--fast'] } },
          async (rig) => assert.deepEqual(await call(rig, tool, args), answer),
          { answer: 'once' },
        );
    });

  const event = (message: object, direction: 'sent' | 'received' = 'sent'): RecordedEvent => {
    return { seq: 1, at: 0, server: 'a', connection: 1, what: { kind: 'message', direction, message, bytes: 1 } };
  };
  const taker =
    (openings: LinkOpenings, link: number) =>
    (message: object, direction: 'sent' | 'received' = 'sent', bytes = 100): boolean => {
      const isPart = openings.isPart('a', link, direction, message);
      if (isPart) openings.keep(event(message, direction), bytes);
      return isPart;
    };

  it('keeps what opens it and its answers, and nothing else that the server sends before or after', () => {
    const openings = new LinkOpenings();
    openings.begin('a', 1);
    const take = taker(openings, 1);
    take({ id: 1, method: 'initialize' });
    for (let id = 2; id < 100; id++) assert.equal(take({ id, result: {} }, 'received'), false, 'answers to nothing');
    assert.equal(take({ method: 'notifications/message' }, 'received'), false);
    assert.equal(take({ id: 1, result: {} }, 'received'), true);
    assert.equal(take({ id: 1, result: {} }, 'received'), false, 'answered twice');
    take({ method: 'notifications/initialized' });
    assert.equal(take({ id: 2, method: 'tools/list' }), false);
    assert.equal(take({ id: 3, method: 'initialize' }), false, 'it is open');
    assert.equal(take({ id: 2, result: {} }, 'received'), false);
    assert.equal(openings.of('a').length, 3);
  });

  it('keeps an answer that comes after something else was sent', () => {
    const openings = new LinkOpenings();
    openings.begin('a', 1);
    const take = taker(openings, 1);
    take({ id: 1, method: 'initialize' });
    take({ id: 2, method: 'ping' });
    assert.equal(take({ id: 1, result: {} }, 'received'), true);
  });

  it('is bounded, and keeps no half of what is too large', () => {
    const openings = new LinkOpenings();
    openings.begin('a', 1);
    const take = taker(openings, 1);
    take({ id: 1, method: 'initialize' });
    take({ id: 1, result: { instructions: 'x' } }, 'received', 1_000_000);
    take({ method: 'notifications/initialized' });
    assert.deepEqual(openings.of('a'), []);
    openings.begin('a', 2);
    assert.equal(take({ id: 1, method: 'initialize' }), false, 'of an earlier link');
    const second = taker(openings, 2);
    for (let id = 0; id < 100; id++) second({ id, method: 'initialize' });
    assert.equal(openings.of('a').length, 8);
  });
});
