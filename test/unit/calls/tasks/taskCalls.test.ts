import { strict as assert } from 'node:assert';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { RunningTask } from '../../../../src/calls/tasks/runningTask.ts';
import type { Session } from '../../../../src/connection/connectionTypes.ts';
import { ManualClock } from '../../connection/manualClock.ts';
import { eventually } from '../../../support/eventually.ts';
import { OWNER, TaskRig, textOf } from '../../../support/taskRig.ts';
import { textResult, works } from '../../../support/taskServer.ts';

describe('calls that go on as tasks', function () {
  this.timeout(60_000);
  const rig = new TaskRig();
  const { server, stores } = rig;
  const call = rig.call.bind(rig);
  const tasks = rig.tasks.bind(rig);
  const waitFor = rig.waitFor.bind(rig);

  before(() => rig.start());
  after(() => rig.stop());
  beforeEach(() => {
    rig.settings = {};
    server.behaviour = works;
    server.asked.length = 0;
  });

  for (const form of ['core', 'extension'] as const) {
    describe(form, () => {
      it('give their result where it comes soon, and leave nothing', async () => {
        const before = stores.tasks.keys();
        assert.equal(textOf(await call(form, { id: 'soon', ms: 20 })), 'done soon');
        assert.deepEqual(stores.tasks.keys(), before);
        assert.equal((await (await tasks()).list(OWNER)).length, before.length);
      });

      it('are handed over where they take long; the result is given once, and again only if that is asked for', async () => {
        const outcome = await call(form, { id: 'long', ms: 600 });
        const handle = outcome.task ?? assert.fail(textOf(outcome));
        assert.match(textOf(outcome), /still running: it goes on as the task task_[\w-]{22}\. Don't call it again/);
        assert.equal((await (await tasks()).view(handle, OWNER)).status, 'working');
        assert.equal((await waitFor(handle)).status, 'completed');
        const [first, second] = await Promise.all([1, 2].map(async () => (await tasks()).take(handle, OWNER, false)));
        assert.deepEqual([textOf(first), second], ['done long', undefined]);
        assert.equal(textOf(await (await tasks()).take(handle, OWNER, true)), 'done long');
        assert.deepEqual(server.calls, ['long']);
        const entry = rig.test.host.calls.history.entries.at(-1);
        assert.deepEqual([entry?.tool, entry?.result], [`mcp__${form}__work`, 'ok']);
        assert.ok((entry?.durationMs ?? 0) >= 300, 'it is in the history when it has ended');
      });

      it('are among those in progress until they end, with what their server says', async () => {
        const { task: handle = '' } = await call(form, { id: 'seen', ms: 800 });
        const { inProgress } = rig.test.host.calls;
        await eventually('said', () => inProgress.all.some(({ isTask, said }) => isTask && said === 'working on seen'));
        assert.equal((await waitFor(handle)).status, 'completed');
        await eventually('gone', () => inProgress.all.length === 0);
      });

      it('end when their caller cancels them, or the user does', async () => {
        server.behaviour = () => ({ status: 'working' });
        const { task: one = '' } = await call(form, { id: 'one' });
        assert.equal((await (await tasks()).cancel(one, OWNER)).status, 'cancelled');
        await assert.rejects(async () => (await tasks()).take(one, OWNER, false), { code: 'call-cancelled' });
        const { task: two = '' } = await call(form, { id: 'two' });
        const trace = rig.test.host.calls.inProgress.all.find(({ isTask }) => isTask) ?? assert.fail('not in progress');
        rig.test.host.calls.inProgress.cancel(trace);
        assert.equal((await waitFor(two)).status, 'cancelled');
        const ending = new AbortController();
        rig.settings = { handOverMs: 0 };
        const three = call(form, { id: 'three' }, { signal: ending.signal });
        await eventually('it runs', () => server.calls.includes('three'));
        await eventually('it is asked for', () =>
          [...server.tasks.values()].some(
            ({ args, asked, form: of }) => of === form && args['id'] === 'three' && asked > 0,
          ),
        );
        ending.abort();
        await assert.rejects(three, { code: 'call-cancelled' });
        const isCancelled = (id: string): boolean =>
          [...server.tasks.values()].some(
            ({ args, cancelled, form: of }) => of === form && args['id'] === id && cancelled,
          );
        await eventually('the server is told', () => ['one', 'two', 'three'].every(isCancelled));
      });

      it('fail with what their server says', async () => {
        server.behaviour = ({ asked }) =>
          asked < 5
            ? { status: 'working' }
            : { status: 'failed', statusMessage: 'the disk is full', error: { code: -32603, message: 'no' } };
        const { task: handle = '' } = await call(form, { id: 'fails' });
        assert.equal((await waitFor(handle)).status, 'failed');
        const error = await (await tasks()).take(handle, OWNER, false).then(
          () => assert.fail(),
          (thrown: SwitchboardError) => thrown,
        );
        assert.deepEqual([error.code, /the disk is full/.test(error.message)], ['call-failed', true]);
      });

      it('wait for a server that is lost, and are followed in the next window', async () => {
        const { task: handle = '' } = await call(form, { id: 'later', ms: 500 });
        await rig.test.stop();
        await rig.open();
        assert.equal((await waitFor(handle)).status, 'completed');
        assert.equal(textOf(await (await tasks()).take(handle, OWNER, false)), 'done later');
        assert.deepEqual(server.calls, ['later']);
      });

      it('wait to the end where the setting says so, or the caller has no way to ask', async () => {
        rig.settings = { handOverMs: 0 };
        assert.equal(textOf(await call(form, { id: 'a', ms: 500 })), 'done a');
        rig.settings = {};
        assert.equal(textOf(await call(form, { id: 'b', ms: 500 }, { surface: 'participant' })), 'done b');
        assert.equal(textOf(await call(form, { id: 'c', ms: 500 }, { surface: 'outside', caller: 'x' })), 'done c');
      });
    });
  }

  it('an extension’s task is answered what it needs, each once, and routed by its id', async () => {
    const asked: unknown[] = [];
    rig.elicit = async ({ params }) => {
      asked.push(params['message']);
      return { action: 'accept', content: { name: 'Ada' } };
    };
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    server.behaviour = ({ answers }) =>
      answers.length > 0 && answers[0]
        ? { status: 'completed', result: textResult(JSON.stringify(answers)) }
        : {
            status: 'input_required',
            inputRequests: {
              who: { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema } },
            },
          };
    const { task: handle = '', parts } = await call('extension', { id: 'asks' });
    const outcome =
      handle === '' ? { parts } : (await waitFor(handle), await (await tasks()).take(handle, OWNER, false));
    assert.equal(textOf(outcome), '[{"who":{"action":"accept","content":{"name":"Ada"}}}]');
    assert.deepEqual(asked, ['Who?']);
    const update = server.asked.find(({ method }) => method === 'tasks/update');
    assert.equal(update?.headers['mcp-name'], update?.params['taskId']);
  });
});

describe('a task that is cancelled while its server is away', () => {
  it('is cancelled there over a new connection, not over the dead one, and it is said that the server was away', async () => {
    const clock = new ManualClock();
    const cancelled: string[] = [];
    const session = (name: string): Session =>
      ({
        followTask: async () => Promise.reject(new SwitchboardError('connection-lost', 'The connection ended.')),
        cancelTask: async () => void cancelled.push(name),
      }) as unknown as Session;
    const sessions = ['dead', 'new'];
    const running = new RunningTask(
      {
        ...{ handle: 'task_1', owner: OWNER, surface: 'lm-tool', serverId: 's', serverName: 'server', tool: 'work' },
        ...{ fingerprint: 'f', args: {}, task: { taskId: 't', form: 'core' }, at: clock.now() },
      },
      true,
      {
        liveSession: async () => session(sessions.shift() ?? assert.fail()),
        fingerprintOf: () => 'f',
        callTimeoutMs: () => 1_000,
        clock,
      },
    );
    await eventually('it waits for the server', () => clock.pending === 2);
    running.stop('cancelled');
    await assert.rejects(running.followed, /^.*work was cancelled\. server is not connected, so it may go on there\.$/);
    await eventually('it is told', () => cancelled.length > 0);
    assert.deepEqual(cancelled, ['new']);
  });
});
