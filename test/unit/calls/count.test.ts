import { strict as assert } from 'node:assert';
import type { Answer } from '../../../src/calls/callTypes.ts';
import { withCountingHost } from './countingHost.ts';

describe('calls counted by the server itself', function () {
  this.timeout(60_000);

  it('are exactly those that were decided to run', () =>
    withCountingHost(async ({ rig, counted }) => {
      const answers: (Answer | undefined)[] = ['once', 'deny', undefined, 'session', 'always', 'alwaysArgs'];
      const names = ['read', 'write', 'destroy', 'unsaid', 'delete_all', 'no_such_tool'];
      for (const answer of answers) {
        rig.answer = answer;
        for (const name of names) await rig.call(`mcp__counting__${name}`).catch(() => undefined);
      }
      await rig.host.calls.plan.setOn(true);
      for (const name of names) await rig.call(`mcp__counting__${name}`).catch(() => undefined);
      const ran = rig.host.calls.history.entries.filter(({ result }) => result === 'ok');
      assert.deepEqual(
        counted(),
        ran.map(({ tool }) => tool.replace('mcp__counting__', '')),
      );
      assert.equal(rig.host.broker.sent, counted().length);
      assert.equal(rig.host.calls.history.entries.length, (answers.length + 1) * names.length);
      for (const { decision, answer } of ran)
        assert.ok(
          decision?.action === 'allow' || (decision?.action === 'ask' && answer !== undefined && answer !== 'deny'),
        );
      assert.ok(counted().length > 10 && counted().length < 40, `${counted().length}`);
    }));

  it('can be made in no other way: a session refuses them as plain requests', () =>
    withCountingHost(async ({ rig, counted }) => {
      const session = rig.host.pool.get(rig.host.views[0]?.definition.id ?? '')?.session;
      assert.ok(session && 'request' in session);
      const params = { name: 'read', arguments: {} };
      await assert.rejects(session.request('tools/call', params, 1_000), /sent by callTool only/);
      assert.deepEqual(counted(), []);
    }));
});
