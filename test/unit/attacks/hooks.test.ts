import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { MemoryStore } from '../../../src/base/store.ts';
import { PLAN_LIMITS, type PlannedCall } from '../../../src/calls/plan/planMode.ts';
import { fitsDialog, planText } from '../../../src/calls/plan/planText.ts';
import { Rig, type RigOptions } from '../calls/rig.ts';

const { signal } = new AbortController();
const rigs: Rig[] = [];

function rigWith(options: RigOptions = {}): Rig {
  const rig = new Rig(options);
  rigs.push(rig);
  return rig;
}

async function planning(store = new MemoryStore()): Promise<Rig> {
  const rig = rigWith({ store });
  await rig.calls.plan.setOn(true);
  return rig;
}

/** Sections of docs/security.md: every row has a test of its title, and every test a row. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, () => Promise<void> | void>>>> = {
  'What was shown is what is done': {
    'A call joins the plan while the question whether to run it is open': async () => {
      const rig = await planning();
      await rig.call('add_note', { title: 'shown' });
      const shown = rig.calls.plan.queue;
      await rig.call('delete_all');
      assert.deepEqual(await rig.calls.runPlan(shown, signal), { ran: 1 });
      assert.deepEqual(rig.ran, [['add_note', { title: 'shown' }]]);
      assert.deepEqual(
        rig.calls.plan.queue.map(({ tool }) => tool),
        ['mcp__notes__delete_all'],
      );
    },

    'A planned call is changed, removed or started again after it was shown': async () => {
      const rig = await planning();
      await rig.call('add_note', { title: 'shown' });
      const shown = rig.calls.plan.queue;
      const [first] = shown;
      assert.ok(first);
      await rig.calls.plan.update(first.id, { args: { title: 'other' } });
      assert.match(String((await rig.calls.runPlan(shown, signal)).error), /changed or removed after it was shown/);
      const edited = rig.calls.plan.queue;
      await rig.calls.plan.clear();
      assert.match(String((await rig.calls.runPlan(edited, signal)).error), /changed or removed after it was shown/);
      assert.deepEqual(rig.ran, []);
      await rig.call('add_note', { title: 'twice' });
      const { queue } = rig.calls.plan;
      const [one, other] = await Promise.all([rig.calls.runPlan(queue, signal), rig.calls.runPlan(queue, signal)]);
      assert.equal(one.ran + other.ran, 1);
      assert.equal(rig.ran.length, 1);
    },

    'The end of a planned call’s arguments is out of sight': () => {
      const planned = (args: PlannedCall['args']): PlannedCall => ({
        id: '1',
        at: 1,
        tool: 'mcp__notes__add_note',
        serverName: 'no\u202Etes',
        args,
      });
      const long = { title: `${'a'.repeat(100_000)} rm -rf ~`, token: 'ghp_'.padEnd(40, 'x'), last: '\u200B' };
      const text = planText([planned({ title: 'a' }), planned(long)]);
      for (const part of ['rm -rf ~', long.token, '\\u{200b}', '\\u{202e}', '2. mcp__notes__add_note'])
        assert.ok(text.toLowerCase().includes(part), part);
      assert.ok(!fitsDialog(text), 'it is shown in a document');
      assert.ok(!fitsDialog(planText(Array.from({ length: 20 }, () => planned({ title: 'a' })))));
      assert.ok(fitsDialog(planText([planned({ title: 'a' })])));
    },

    'A stored call doesn’t say what its tool was': async () => {
      const store = new MemoryStore();
      const call = { id: '1', at: 1, tool: 'mcp__notes__delete_note', serverName: 'notes', args: {} };
      await store.set('plan.queue', [call]);
      const rig = rigWith({ store });
      const { ran, error } = await rig.calls.runPlan(rig.calls.plan.queue, signal);
      assert.equal(ran, 0);
      assert.match(String(error), /doesn’t say what this tool was/);
      assert.equal(rig.asked[0]?.lasting, false);
      assert.deepEqual(rig.ran, []);
      rig.answer = 'once';
      rig.serve = async () => Promise.reject(new SwitchboardError('call-timeout', 'no answer'));
      await rig.fails('call-timeout', 'delete_note');
      rig.answer = 'deny';
      const [failed] = rig.calls.failedCalls.all;
      assert.ok(failed);
      const { stamp: _, ...unstamped } = failed;
      await assert.rejects(rig.calls.retryFailed(unstamped, signal), /doesn’t say what this tool was/);
      assert.equal(rig.ran.length, 1);
    },

    'An agent fills the plan': async () => {
      const rig = await planning();
      for (let count = 0; count < PLAN_LIMITS.calls; count++) await rig.call('add_note', { title: String(count) });
      assert.match(await rig.fails('denied', 'add_note', { title: 'more' }), /the plan is full.*ask the user/s);
      assert.equal(rig.calls.plan.queue.length, PLAN_LIMITS.calls);
      const large = await planning();
      await large.fails('denied', 'add_note', { title: 'a'.repeat(PLAN_LIMITS.bytes) });
      assert.deepEqual(large.calls.plan.queue, []);
      const store = new MemoryStore();
      const [one] = rig.calls.plan.queue;
      await store.set(
        'plan.queue',
        Array.from({ length: 1_000 }, (_, id) => ({ ...one, id: String(id) })),
      );
      assert.equal(rigWith({ store }).calls.plan.queue.length, PLAN_LIMITS.calls);
    },
  },
};

for (const [section, attacks] of Object.entries(SECTIONS)) {
  describe(`attacks: ${section}`, function () {
    this.timeout(20_000);
    afterEach(() => {
      for (const rig of rigs.splice(0)) rig.calls.dispose();
    });
    for (const [title, attack] of Object.entries(attacks)) it(title, async () => attack());

    it('the document has a row for each', () => {
      const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
      const [, rest = ''] = text.split(`\n### ${section}\n`);
      const [table = ''] = rest.split('\n#');
      for (const title of Object.keys(attacks)) assert.ok(table.includes(`\n| ${title} | `), title);
    });
  });
}
