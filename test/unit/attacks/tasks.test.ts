import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { askForTask } from '../../../src/bridge/lmTools/askForTask.ts';
import { keptOutcome, type KeptTask } from '../../../src/calls/tasks/keptTask.ts';
import { RunningTask, type TaskServerPorts } from '../../../src/calls/tasks/runningTask.ts';
import { TASK_LIMITS, TaskStore } from '../../../src/calls/tasks/taskStore.ts';
import type { FollowOptions, Session } from '../../../src/connection/connectionTypes.ts';
import { identify } from '../../../src/connection/process/processIdentity.ts';
import { pauseMs } from '../../../src/connection/session/requests/taskStatus.ts';
import { eventually } from '../../support/eventually.ts';
import { OWNER, TaskRig, textOf } from '../../support/taskRig.ts';
import { textResult } from '../../support/taskServer.ts';
import { ManualClock } from '../connection/manualClock.ts';

const HOUR_MS = 3600_000;
const REQUESTED = { mode: 'form', message: 'Who?', requestedSchema: { type: 'object', properties: {} } };

async function withTasks(body: (rig: TaskRig) => Promise<void>): Promise<void> {
  const rig = new TaskRig();
  await rig.start();
  try {
    await body(rig);
  } finally {
    await rig.stop();
  }
}

function kept(more: Partial<KeptTask> = {}): KeptTask {
  return {
    ...{ handle: 'task_1', owner: OWNER, surface: 'lm-tool', serverId: 's', serverName: 'server', fingerprint: 'f1' },
    ...{ tool: 'mcp__server__work', args: {}, task: { taskId: 't', form: 'extension' }, at: 1_000_000 },
    ...more,
  };
}

/** A server whose tasks go as `follow` says. */
function portsOf(
  clock: ManualClock,
  follow: (options: FollowOptions) => Promise<never>,
  more: Partial<TaskServerPorts> = {},
): TaskServerPorts & { readonly cancelled: () => number } {
  let count = 0;
  const session = {
    followTask: (_task: unknown, options: FollowOptions) => follow(options),
    cancelTask: async () => void (count += 1),
  } as unknown as Session;
  return {
    liveSession: async () => session,
    fingerprintOf: () => 'f1',
    callTimeoutMs: () => 1_000,
    clock,
    cancelled: () => count,
    ...more,
  };
}

const untilAborted = ({ signal }: FollowOptions): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(new Error('aborted'));
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });

/** Section of docs/security.md: every row has a test of its title, and every test a row. */
const ATTACKS: Readonly<Record<string, () => Promise<void>>> = {
  'A handle of a task that is made up, or another caller’s': () =>
    withTasks(async (rig) => {
      const tasks = await rig.tasks();
      rig.server.behaviour = () => ({ status: 'working' });
      const mine = await rig.begin('core', { id: 'mine' });
      const outside = { surface: 'outside', caller: 'agent', asTask: true } as const;
      const theirs = await rig.begin('core', { id: 'theirs' }, outside);
      const { signal } = new AbortController();
      for (const [handle, owner] of [
        ['task_AAAAAAAAAAAAAAAAAAAAAA', OWNER],
        [theirs, OWNER],
        [mine, 'outside\nagent'],
        [theirs, 'outside\nother'],
      ] as const)
        for (const ask of [
          () => tasks.view(handle, owner),
          () => tasks.wait(handle, owner, 0, signal),
          () => tasks.take(handle, owner, true),
          () => tasks.cancel(handle, owner),
        ])
          await assert.rejects(ask, { code: 'invalid-arguments', message: 'There is no such task.' });
      assert.deepEqual(
        (await tasks.list(OWNER)).map(({ handle }) => handle),
        [mine],
      );
      assert.ok([...rig.server.tasks.values()].every(({ cancelled }) => !cancelled));
    }),

  'Another extension lists, gets or cancels the tasks of the agent': () =>
    withTasks(async (rig) => {
      rig.server.behaviour = () => ({ status: 'working' });
      const agents = await rig.begin('core', { id: 'agents' });
      const own = await rig.begin('core', { id: 'own' }, { surfaceContext: undefined });
      const { signal } = new AbortController();
      const { host } = rig.test;
      const ask = async (surfaceContext: unknown, action: string, task?: string): Promise<string> =>
        textOf({ parts: await askForTask(host, { action, task, again: true } as never, { signal, surfaceContext }) });
      for (const action of ['get', 'cancel', 'wait'])
        await assert.rejects(ask(undefined, action, agents), { message: 'There is no such task.' });
      const listed = await Promise.all([undefined, {}].map((context) => ask(context, 'list')));
      assert.deepEqual(
        listed.map((text) => (JSON.parse(text) as { tasks: { task: string }[] }).tasks.map(({ task }) => task)),
        [[own], [agents]],
      );
      assert.match(await ask(undefined, 'cancel', own), /"status":"cancelled"/);
    }),

  'A task that never ends': async () => {
    for (const [ttlMs, endsMs] of [
      [undefined, 24 * HOUR_MS],
      [10 * 365 * 24 * HOUR_MS, 7 * 24 * HOUR_MS],
    ] as const) {
      const clock = new ManualClock();
      const ports = portsOf(clock, untilAborted);
      const task = { taskId: 't', form: 'extension', ...(ttlMs === undefined ? {} : { ttlMs }) } as const;
      const running = new RunningTask(kept({ task }), true, ports);
      clock.advance(endsMs - 1);
      assert.equal(running.signal.aborted, false);
      clock.advance(1);
      assert.equal(running.signal.aborted, true, 'it is not waited for any more');
      await assert.rejects(running.followed, { code: 'call-timeout' });
      await eventually('its server is told', () => ports.cancelled() === 1);
    }
  },

  'A server that wants to be asked for its tasks without a pause': async () => {
    assert.deepEqual(
      [pauseMs(0, 0), pauseMs(0.001, 0), pauseMs(5_000, 0), pauseMs(1e12, 0)],
      [100, 100, 5_000, 30_000],
    );
    assert.deepEqual([pauseMs(0, 60_000), pauseMs(0, 24 * HOUR_MS)], [600, 30_000], 'the older it is, the less often');
  },

  'A server answers for another of its tasks': () =>
    withTasks(async (rig) => {
      rig.server.behaviour = ({ asked }) =>
        asked < 6
          ? { status: 'working' }
          : { taskId: 'other', status: 'completed', result: textResult('of another call') };
      const handle = await rig.begin('extension', { id: 'a' });
      assert.equal((await rig.waitFor(handle)).status, 'failed');
      await assert.rejects(rig.take(handle), /the server answered for another task/);
    }),

  'A server forgets its tasks, so that calls are made again': () =>
    withTasks(async (rig) => {
      rig.server.behaviour = () => ({ status: 'working' });
      const handle = await rig.begin('extension', { id: 'a' });
      rig.server.tasks.clear();
      assert.equal((await rig.waitFor(handle)).status, 'failed');
      const advice = (error: SwitchboardError): boolean =>
        /may have run\. Call it again only if/.test(error.fullMessage);
      await assert.rejects(rig.take(handle), advice);
      assert.deepEqual(rig.server.calls, ['a']);
    }),

  'A connection is lost while a task runs': () =>
    withTasks(async (rig) => {
      rig.server.behaviour = ({ asked }) =>
        asked < 6 ? { status: 'working' } : { status: 'completed', result: textResult('done') };
      const handle = await rig.begin('extension', { id: 'a' });
      await rig.test.host.pool.stopAll({ afterEofMs: 100, afterTermMs: 100 });
      await rig.test.stop();
      await rig.open();
      assert.equal((await rig.waitFor(handle)).status, 'completed');
      assert.deepEqual(rig.server.calls, ['a'], 'the call was made once');
    }),

  'A server makes a task that nobody can ask for': () =>
    withTasks(async (rig) => {
      const { tasks } = rig.server;
      const set = tasks.set.bind(tasks);
      for (const taskId of ['', 5, null, { a: 1 }, 'x'.repeat(2_000)]) {
        tasks.set = (key, task) => set(key, Object.assign(task, { taskId }));
        for (const form of ['core', 'extension'])
          await assert.rejects(rig.call(form, { id: 'a' }), /made without an id that can be asked for/);
      }
      assert.equal(rig.server.calls.length, 10, 'no call was made twice');
    }),

  'A caller waits for a task for longer than any clock does': () =>
    withTasks(async (rig) => {
      const { signal } = new AbortController();
      for (const seconds of [1e9, 1e300]) {
        rig.server.behaviour = ({ asked }) =>
          asked < 12 ? { status: 'working' } : { status: 'completed', result: textResult('done') };
        const task = await rig.begin('extension', { id: 'a' });
        const ask = { action: 'wait', task, seconds };
        const parts = await askForTask(rig.test.host, ask, { signal, surfaceContext: {} });
        assert.equal(textOf({ parts }), 'done');
      }
    }),

  'The definition of a server changes while its task runs': async () => {
    const clock = new ManualClock();
    let fingerprint = 'f1';
    let asked = 0;
    const lost = async (): Promise<never> => {
      asked += 1;
      throw new SwitchboardError('connection-lost', 'The connection ended.');
    };
    const ports = portsOf(clock, lost, { fingerprintOf: () => fingerprint });
    const running = new RunningTask(kept(), true, ports);
    await eventually('it waits for the server', () => asked === 1 && clock.pending === 2);
    fingerprint = 'f2';
    clock.advance(1_000);
    await assert.rejects(running.followed, { code: 'denied' });
    assert.equal(asked, 1, 'another server is not asked for the task');
  },

  'A task that asks the user without end': () =>
    withTasks(async (rig) => {
      let asked = 0;
      rig.elicit = async () => {
        asked += 1;
        return { action: 'accept', content: {} };
      };
      const names = Array.from({ length: 500 }, (_, index) => `key-${index}`);
      const inputRequests = Object.fromEntries(
        names.map((key) => [key, { method: 'elicitation/create', params: REQUESTED }]),
      );
      rig.server.behaviour = () => ({ status: 'input_required', inputRequests });
      await assert.rejects(rig.call('extension', { id: 'a' }), /it asks too much/);
      assert.equal(asked, 0);
    }),

  'A task needs what isn’t a question to the user or a model': () =>
    withTasks(async (rig) => {
      rig.server.behaviour = () => ({
        status: 'input_required',
        inputRequests: { a: { method: 'tools/call', params: { name: 'work' } } },
      });
      await assert.rejects(rig.call('extension', { id: 'a' }), /tools\/call was refused/);
      assert.equal(
        rig.server.asked.some(({ method }) => method === 'tasks/update'),
        false,
      );
    }),

  'A result of a task over the limit': () =>
    withTasks(async (rig) => {
      rig.settings = { maxResultTokens: 500 };
      const long = 'word '.repeat(200_000);
      rig.server.behaviour = ({ asked }) =>
        asked < 6 ? { status: 'working' } : { status: 'completed', result: textResult(long) };
      const handle = await rig.begin('extension', { id: 'a' });
      await rig.waitFor(handle);
      const text = textOf(await rig.take(handle));
      assert.match(text, /switchboard-result:/);
      assert.ok(text.length < 10_000, String(text.length));
      const data = new Uint8Array(5 * 1024 * 1024);
      const image = keptOutcome({ parts: [{ kind: 'data', mimeType: 'image/png', data }] });
      assert.ok(JSON.stringify(image).length < 1_000);
    }),

  'Tasks without number, to fill what is kept': async () => {
    const store = new TaskStore(new MemoryStore());
    for (let index = 0; index < TASK_LIMITS.running; index += 1) {
      assert.equal(store.hasRoom, true);
      await store.put(kept({ handle: `task_${index}` }));
    }
    assert.equal(store.hasRoom, false);
    const outcome = { parts: [{ text: 'x' }] };
    for (let index = 0; index < TASK_LIMITS.ended + 100; index += 1)
      await store.put(
        kept({ handle: `task_${index}`, end: { at: index, outcome }, ...(index > 500 ? { deliveredAt: index } : {}) }),
      );
    await store.sweep(TASK_LIMITS.ended);
    assert.equal(store.all.length, TASK_LIMITS.ended);
    assert.ok(store.get('task_0'), 'one that nobody has got stays longer than one that was given');
    await store.sweep(TASK_LIMITS.keptMs * 2);
    assert.deepEqual(store.all, []);
  },

  'The result of a task is asked for twice at once': () =>
    withTasks(async (rig) => {
      const handle = await rig.begin('core', { id: 'a', ms: 600 });
      await rig.waitFor(handle);
      const given = await Promise.all(Array.from({ length: 10 }, () => rig.take(handle)));
      assert.equal(given.filter((outcome) => outcome !== undefined).length, 1);
    }),

  'Two windows of one workspace follow a task': () =>
    withTasks(async (rig) => {
      rig.server.behaviour = () => ({ status: 'working' });
      const handle = await rig.begin('core', { id: 'a' });
      await rig.test.stop();
      const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
      try {
        const window = (await identify(child.pid ?? 0, process.platform)) ?? assert.fail('no identity');
        const key = `task/${handle}`;
        await rig.stores.tasks.set(key, { ...(rig.stores.tasks.get(key) as KeptTask), window });
        rig.server.asked.length = 0;
        await rig.open();
        await (await rig.tasks()).resume();
        assert.equal(rig.test.host.calls.inProgress.all.length, 0);
        assert.equal((await (await rig.tasks()).view(handle, OWNER)).status, 'working');
      } finally {
        child.kill('SIGKILL');
      }
    }),

  'A result comes as a task, past the hooks that look at results': () =>
    withTasks(async (rig) => {
      rig.server.behaviour = ({ asked }) =>
        asked < 6 ? { status: 'working' } : { status: 'completed', result: textResult('secret') };
      const { hooks } = rig.test.host.calls;
      const hook = hooks.register({
        owner: 'a.b',
        matcher: '*',
        event: 'PostToolUse',
        run: async () => ({ output: 'redacted' }),
      } as never);
      const handle = await rig.begin('extension', { id: 'a' });
      await rig.waitFor(handle);
      assert.equal(textOf(await rig.take(handle)), 'redacted');
      hook.dispose();
    }),
};

describe('attacks: Tasks', function () {
  this.timeout(60_000);
  for (const [title, attack] of Object.entries(ATTACKS)) it(title, attack);

  it('the document has a row for each', () => {
    const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
    const [, rest = ''] = text.split('\n### Tasks\n');
    const [table = ''] = rest.split('\n#');
    for (const title of Object.keys(ATTACKS)) assert.ok(table.includes(`\n| ${title} | `), title);
  });
});
