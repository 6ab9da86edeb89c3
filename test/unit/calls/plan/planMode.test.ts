import { strict as assert } from 'node:assert';
import { SwitchboardError } from '../../../../src/base/errors.ts';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import { Rig } from '../rig.ts';

const signal = new AbortController().signal;

describe('plan mode', () => {
  it('lets reads pass, queues writes and says so, and asks about what says nothing', async () => {
    const rig = new Rig();
    await rig.calls.plan.setOn(true);
    rig.answer = 'once';
    assert.equal(await rig.call('list_notes'), 'ran list_notes');
    assert.match(await rig.call('add_note', { title: 'a' }), /Plan mode is on.*number 1 in the plan/);
    assert.match(await rig.call('delete_note', { title: 'b' }), /number 2/);
    assert.match(await rig.call('delete_quietly'), /number 3/, 'a name goes before a claim to read only');
    assert.equal(rig.asked.length, 0);
    assert.equal(await rig.call('unsaid'), 'ran unsaid');
    assert.equal(rig.asked.length, 1);
    assert.deepEqual(
      rig.ran.map(([name]) => name),
      ['list_notes', 'unsaid'],
    );
    assert.deepEqual(
      rig.calls.history.entries.map(({ result }) => result),
      ['ok', 'queued', 'queued', 'queued', 'ok'],
    );
  });

  it('a grant or a rule lets no write past it, and a denial stays one', async () => {
    const rig = new Rig({ settings: { rules: [{ tool: 'mcp__notes__*', action: 'allow', source: 'user' }] } });
    await rig.calls.plan.setOn(true);
    assert.match(await rig.call('add_note'), /Plan mode is on/);
    rig.settings = { ...rig.settings, rules: [{ tool: 'add_*', action: 'deny', source: 'workspace' }] };
    await rig.fails('denied', 'add_note');
    assert.deepEqual(rig.ran, []);
  });

  it('survives a reload', async () => {
    const store = new MemoryStore();
    const before = new Rig({ store });
    await before.calls.plan.setOn(true);
    await before.call('add_note', { title: 'a' });
    const after = new Rig({ store });
    assert.equal(after.calls.plan.on, true);
    assert.deepEqual(
      after.calls.plan.queue.map(({ tool, args }) => [tool, args]),
      [['mcp__notes__add_note', { title: 'a' }]],
    );
  });

  it('runs all in order as edited, and stops at the first failure', async () => {
    const rig = new Rig();
    await rig.calls.plan.setOn(true);
    for (const title of ['a', 'b', 'c']) await rig.call('add_note', { title });
    const [first] = rig.calls.plan.queue;
    await rig.calls.plan.update(first?.id ?? '', { args: { title: 'changed' } });
    rig.serve = async (_, args) => (args['title'] === 'b' ? { isError: true } : {});
    const result = await rig.calls.runPlan(rig.calls.plan.queue, signal);
    assert.equal(result.ran, 1);
    assert.deepEqual(result.failed?.args, { title: 'b' });
    assert.deepEqual(
      rig.ran.map(([, args]) => args['title']),
      ['changed', 'b'],
    );
    assert.deepEqual(
      rig.calls.plan.queue.map(({ args, error }) => [args['title'], error !== undefined]),
      [
        ['b', true],
        ['c', false],
      ],
    );
    const [failed] = rig.calls.plan.queue;
    await rig.calls.plan.update(failed?.id ?? '', { args: { title: 'other' } });
    assert.equal(rig.calls.plan.queue[0]?.error, undefined, 'with other arguments it hasn’t failed');
    rig.serve = async () => ({});
    assert.equal((await rig.calls.runPlan(rig.calls.plan.queue, signal)).ran, 2);
    assert.deepEqual(rig.calls.plan.queue, []);
    assert.equal(rig.asked.length, 0, 'who starts a call is not asked about it');
  });

  it('stops when the user cancels: what runs ends, the rest of the list stays and runs later', async () => {
    const rig = new Rig();
    await rig.calls.plan.setOn(true);
    for (const title of ['a', 'b', 'c']) await rig.call('add_note', { title });
    const ending = new AbortController();
    rig.serve = (_, args, { signal: aborted }) =>
      args['title'] === 'b'
        ? new Promise((_, reject) => {
            aborted?.addEventListener('abort', () =>
              reject(new SwitchboardError('call-cancelled', 'It was cancelled.')),
            );
            ending.abort();
          })
        : Promise.resolve({});
    const started: number[] = [];
    const run = await rig.calls.runPlan(rig.calls.plan.queue, ending.signal, (index) => started.push(index));
    assert.deepEqual([run.ran, run.failed?.args, started], [1, { title: 'b' }, [0, 1]]);
    assert.deepEqual(
      rig.calls.plan.queue.map(({ args, error }) => [args['title'], error]),
      [
        ['b', 'It was cancelled.'],
        ['c', undefined],
      ],
      'what was under way says so: it may have run in part',
    );
    assert.deepEqual(
      await rig.calls.runPlan(rig.calls.plan.queue, ending.signal),
      { ran: 0 },
      'nothing begins after it',
    );
    assert.equal(rig.ran.length, 2);
    rig.serve = async () => ({});
    assert.deepEqual(await rig.calls.runPlan(rig.calls.plan.queue, signal), { ran: 2 });
  });

  it('asks after all where the tool changed since the call was planned, whatever the list is run by', async () => {
    const rig = new Rig();
    await rig.calls.plan.setOn(true);
    await rig.call('delete_note', { title: 'a' });
    rig.setTools({ destructiveHint: true }, { description: 'Also deletes everything else.' });
    const result = await rig.calls.runPlan(rig.calls.plan.queue, signal);
    assert.match(String(result.error), /The user denied.*this tool changed since the call was saved/);
    assert.equal(rig.asked[0]?.flagged, true);
    rig.answer = 'once';
    assert.equal((await rig.calls.runPlan(rig.calls.plan.queue, signal)).ran, 1);
    assert.equal(rig.asked.length, 2);
  });

  it('runs nothing that a rule denies, or whose arguments were edited into nonsense', async () => {
    const rig = new Rig();
    await rig.calls.plan.setOn(true);
    await rig.call('add_note', { title: 'a' });
    const [planned] = rig.calls.plan.queue;
    assert.ok(planned);
    await rig.calls.plan.update(planned.id, { args: { titel: 1 } });
    const [edited] = rig.calls.plan.queue;
    assert.ok(edited);
    await assert.rejects(rig.calls.runPlanned(edited, signal), /no property "titel"/);
    rig.settings = { ...rig.settings, rules: [{ tool: '*', action: 'deny', source: 'user' }] };
    await rig.calls.plan.update(planned.id, { args: { title: 'a' } });
    const [denied] = rig.calls.plan.queue;
    await assert.rejects(rig.calls.runPlanned(denied ?? assert.fail(), signal), /Denied: /);
    assert.deepEqual(rig.ran, []);
  });
});
