import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import type { SwitchboardError } from '../../../src/base/errors.ts';
import type { CallProgress, ToolCallResult } from '../../../src/connection/connectionTypes.ts';
import { deferred } from '../../../src/base/async.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { followTask } from '../../../src/connection/session/requests/taskCall.ts';
import { eventually } from '../../support/eventually.ts';
import { fixture, PoolHarness } from './harness.ts';

describe('tools that only run as tasks', function () {
  this.timeout(60_000);
  let harness: PoolHarness;
  let folder: string;
  const told: CallProgress[] = [];

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tasks-'));
    const elicit = async (): Promise<object> => ({ action: 'accept', content: { name: 'Ada' } });
    harness = new PoolHarness({}, { requests: { elicit: elicit as never } });
    await harness.connect(fixture('tasks', join(folder, 'methods')));
  });

  after(async () => {
    await harness.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = async (name: string, signal?: AbortSignal, timeoutMs = 10_000): Promise<ToolCallResult> => {
    told.length = 0;
    const session = await harness.pool.ready('server', 3000);
    const onProgress = (progress: CallProgress): void => void told.push(progress);
    return session.callTool(name, {}, { timeoutMs, onProgress, ...(signal ? { signal } : {}) });
  };
  const failed = (name: string, ...rest: [AbortSignal?, number?]): Promise<SwitchboardError> =>
    call(name, ...rest).then(
      () => assert.fail('it succeeded'),
      (error: SwitchboardError) => error,
    );
  const methods = (): readonly string[] => readFileSync(join(folder, 'methods'), 'utf8').trim().split('\n');

  it('give their result when the task has ended, with its digits, and what it said meanwhile as progress', async () => {
    const { content, isError } = await call('completes');
    assert.deepEqual([content, isError], [[{ type: 'text', text: 'completes: 12345678901234567890' }], false]);
    assert.equal(told.at(-1)?.message, 'step 2');
  });

  it('a server that runs it at once gives its result', async () => {
    assert.deepEqual((await call('runsAtOnce')).content, [{ type: 'text', text: 'at once' }]);
  });

  it('a task that fails fails the call with what the server says', async () => {
    const { code, message } = await failed('fails');
    assert.deepEqual(
      [code, message],
      ['call-failed', 'The call of "fails" failed: the server\'s task failed: the disk is full'],
    );
    const { content, isError } = await call('failsWithResult');
    assert.deepEqual([content[0]?.['text'], isError], ['failsWithResult: 12345678901234567890', true]);
  });

  it('a task that the server cancels, or doesn’t know any more, fails the call', async () => {
    assert.match((await failed('isCancelled')).message, /task was cancelled: an administrator stopped it$/);
    const { code, message } = await failed('isForgotten');
    assert.equal(code, 'call-failed');
    assert.match(message, /Task not found/);
  });

  it('what the task needs from the user is asked', async () => {
    assert.deepEqual((await call('asks')).content, [{ type: 'text', text: 'asks: Ada' }]);
  });

  it('a call that is cancelled or out of time cancels the task', async () => {
    const cancels = (): number => methods().filter((method) => method === 'tasks/cancel').length;
    const ending = new AbortController();
    const cancelled = failed('waits', ending.signal);
    await eventually('the task runs', () => told.some(({ message }) => message === 'step 2'));
    ending.abort();
    assert.equal((await cancelled).code, 'call-cancelled');
    await eventually('cancelled once', () => cancels() === 1);
    // Each answer that it is at work is progress, which restarts the time-out up to a total of ten.
    assert.equal((await failed('waits', undefined, 150)).code, 'call-timeout');
    await eventually('cancelled twice', () => cancels() === 2);
    assert.equal(harness.server().state.kind, 'connected');
  });

  it('of the reference server run to their end', async () => {
    const file = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    await harness.connect({ type: 'stdio', command: process.execPath, args: [file], env: {} }, 'everything');
    const session = await harness.pool.ready('everything', 20_000);
    const args = { topic: 'tasks', ambiguous: false };
    const { content } = await session.callTool('simulate-research-query', args, { timeoutMs: 30_000 });
    assert.match(String(content[0]?.['text']), /# Research Report: tasks/);
  });
});

interface Sent {
  readonly method: string;
}

describe('a server that gives the result of a task once', () => {
  const answers = (first: (refused: Promise<void>) => Promise<object>): ((sent: Sent) => Promise<object>) => {
    const later = deferred<void>();
    let asked = 0;
    return async ({ method }) => {
      if (method === 'tasks/get') return { taskId: 't', status: 'completed' };
      asked += 1;
      if (asked === 1) return first(later.promise);
      setImmediate(() => later.resolve());
      throw Object.assign(new Error('Task not found'), { code: -32602 });
    };
  };
  const follow = (first: (refused: Promise<void>) => Promise<object>): Promise<object> => {
    const { signal } = new AbortController();
    const options = { signal, timeoutMs: 5_000, onStatus: () => undefined };
    return followTask({ taskId: 't', form: 'core' }, { request: answers(first) } as never, options, systemClock);
  };

  it('is taken at its word where the request that it holds is answered after the later one was refused', async () => {
    const late = follow((refused) => refused.then(() => ({ content: [] })));
    assert.deepEqual(await late, { content: [] });
  });

  it('and where both are refused, the task has none', async () => {
    const refused = async (): Promise<object> => Promise.reject(new Error('not yet'));
    await assert.rejects(follow(refused), /Task not found/);
  });
});
