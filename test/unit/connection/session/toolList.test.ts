import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import type { Session } from '../../../../src/connection/connectionTypes.ts';
import { ToolList } from '../../../../src/connection/session/toolList.ts';

const never = { dispose: (): void => undefined };

/** A session as far as a list asks it. */
const sessionWith = (list: () => Promise<string>): Session =>
  ({
    info: { capabilities: { tools: {} } },
    onEnded: () => never,
    onToolsChanged: () => never,
    listTools: async () => ({ tools: [{ name: await list() }], leftOut: [], freshForMs: Infinity }),
  }) as unknown as Session;

describe('the tools that a session listed', () => {
  it('aren’t the next session’s, where the list is still prepared when the session ends', async () => {
    const prepared = deferred<void>();
    const list = new ToolList({
      logger: { log: () => undefined },
      clock: systemClock,
      prepare: () => prepared.promise,
      timeoutMs: () => 1_000,
      onListed: () => undefined,
      onTools: () => undefined,
    });
    const first = list.fetchFirst(sessionWith(async () => 'of the old definition'));
    await new Promise(setImmediate);
    list.clear();
    prepared.resolve();
    await first;
    assert.deepEqual(list.tools, []);
    const failing = sessionWith(async () => Promise.reject(new Error('no')));
    assert.equal((await list.fetchFirst(failing)).listError, 'Unexpected error: no');
    assert.deepEqual(list.tools, []);
    await list.fetchFirst(sessionWith(async () => 'of the new one'));
    assert.deepEqual(
      list.tools.map(({ name }) => name),
      ['of the new one'],
    );
  });
});
