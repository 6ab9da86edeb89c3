import { strict as assert } from 'node:assert';
import { MemoryStore } from '../../../../src/base/keyValueStore.ts';
import type { Reply } from '../../../../src/calls/callTypes.ts';
import { Grants } from '../../../../src/calls/policy/permissionGrants.ts';
import { Rig } from '../rig.ts';

const tick = (): Promise<void> => new Promise(setImmediate);

describe('calls: in progress', () => {
  it('each phase of a call is seen, and nothing after its end', async () => {
    const rig = new Rig();
    const phases: string[] = [];
    const { inProgress } = rig.calls;
    const listening = inProgress.onDidChange(() => phases.push(inProgress.all.map(({ phase }) => phase).join()));
    rig.answer = 'once';
    await rig.call('add_note', { title: 'x' });
    assert.deepEqual(phases, ['checking', 'asking', 'checking', 'queued', 'running', '']);
    listening.dispose();
  });

  it('whatever a call comes to, it is gone from what is in progress', async () => {
    const rig = new Rig();
    await rig.fails('unknown-tool', 'nothing');
    await rig.fails('invalid-arguments', 'add_note', { titel: 'x' });
    await rig.fails('denied', 'delete_note');
    rig.answer = 'once';
    rig.serve = async () => Promise.reject(new Error('the server fell'));
    await assert.rejects(rig.call('add_note'));
    assert.deepEqual(rig.calls.inProgress.all, []);
  });

  it('a running call that the user cancels is aborted at its server; the model is told who cancelled it', async () => {
    const rig = new Rig();
    rig.answer = 'once';
    rig.serve = (_name, _args, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')));
      });
    const failure = rig.fails('call-cancelled', 'add_note');
    await tick();
    const [trace] = rig.calls.inProgress.all;
    assert.equal(trace?.phase, 'running');
    rig.calls.inProgress.cancel(trace);
    assert.match(await failure, /^The user cancelled mcp__notes__add_note\. It may have run in part\./);
    assert.equal(rig.calls.history.entries.at(-1)?.result, 'call-cancelled');
    assert.deepEqual(rig.calls.failedCalls.all, [], 'what the user wanted is no failure');
  });

  for (const [method, params] of [
    ['resources/read', { uri: 'notes:listed' }],
    ['prompts/get', { name: 'review' }],
    ['completion/complete', { argument: { name: 'a', value: 'b' } }],
  ] as const)
    it(`a running request that the user cancels is aborted at its server: ${method}`, async () => {
      const rig = new Rig();
      rig.answer = 'once';
      rig.serveItem = ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('aborted')));
        });
      const { signal } = new AbortController();
      const asked = rig.calls.broker.request({ serverId: 'id', method, params, surface: 'gateway', signal });
      const failure = assert.rejects(asked, /^SwitchboardError: The user cancelled /);
      await tick();
      const [trace] = rig.calls.inProgress.all;
      assert.equal(trace?.phase, 'running');
      rig.calls.inProgress.cancel(trace);
      await failure;
      assert.equal(rig.calls.history.entries.at(-1)?.result, 'call-cancelled');
    });

  it('a call that waits for an answer is cancelled: the question closes, and it did not run', async () => {
    const rig = new Rig();
    let closed = false;
    rig.answer = ({ signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          closed = true;
          resolve(undefined);
        });
      });
    const failure = rig.fails('call-cancelled', 'delete_note');
    await tick();
    const [trace] = rig.calls.inProgress.all;
    assert.equal(trace?.phase, 'asking');
    rig.calls.inProgress.cancel(trace);
    assert.match(await failure, /It did not run\./);
    assert.ok(closed);
    assert.deepEqual(rig.ran, []);
  });

  for (const cancelled of [0, 1])
    it(`of two identical calls that run as one, number ${cancelled + 1} is cancelled alone`, async () => {
      const rig = new Rig();
      const answer = Promise.withResolvers<Reply>();
      rig.answer = () => answer.promise;
      const served = Promise.withResolvers<object>();
      let aborted = false;
      rig.serve = (_name, _args, { signal }) => {
        signal?.addEventListener('abort', () => {
          aborted = true;
          served.reject(new Error('aborted'));
        });
        return served.promise;
      };
      const calls = [0, 1].map(() => rig.call('delete_note').catch((error: unknown) => String(error)));
      await tick();
      answer.resolve('once');
      await tick();
      await tick();
      const trace = rig.calls.inProgress.all[cancelled];
      assert.ok(trace);
      rig.calls.inProgress.cancel(trace);
      assert.match((await calls[cancelled]) ?? '', /The user cancelled .*may have run/);
      assert.ok(!aborted);
      if (cancelled === 0) {
        served.resolve({ content: [{ type: 'text', text: 'done' }] });
        assert.match((await calls[1]) ?? '', /^done/);
      } else {
        const [rest] = rig.calls.inProgress.all;
        assert.ok(rest);
        rig.calls.inProgress.cancel(rest);
        assert.match((await calls[0]) ?? '', /The user cancelled/);
        assert.ok(aborted);
      }
      assert.equal(rig.ran.length, 1);
    });

  it('one that waits for its turn leaves the queue, and the others go on', async () => {
    const rig = new Rig();
    rig.answer = 'session';
    const gate = Promise.withResolvers<void>();
    rig.serve = async () => gate.promise.then(() => ({}));
    const first = rig.call('add_note');
    await tick();
    const second = rig.fails('call-cancelled', 'add_note', { title: 'second' });
    await tick();
    const trace = rig.calls.inProgress.all.find(({ phase }) => phase === 'queued');
    assert.ok(trace);
    rig.calls.inProgress.cancel(trace);
    await second;
    gate.resolve();
    await first;
    assert.equal(rig.ran.length, 1);
  });

  it('the time that the user takes to answer is no part of how long the call took', async () => {
    const rig = new Rig();
    rig.answer = async (): Promise<Reply> => {
      const begun = performance.now();
      while (performance.now() - begun < 60) await tick();
      return 'once';
    };
    await rig.call('add_note');
    const entry = rig.calls.history.entries.at(-1);
    assert.ok((entry?.askedMs ?? 0) >= 60);
    assert.ok((entry?.durationMs ?? 0) >= (entry?.askedMs ?? 0));
    rig.answer = 'deny';
    await rig.call('list_notes');
    assert.equal(rig.calls.history.entries.at(-1)?.askedMs, undefined);
  });
});

describe('calls: run again', () => {
  const signal = new AbortController().signal;

  it('with the arguments that were sent, without a question, and never past a rule', async () => {
    const rig = new Rig();
    await rig.fails('denied', 'add_note', { title: 'x', token: 's3cret' });
    const { id = 0 } = rig.calls.history.entries.at(-1) ?? {};
    await rig.calls.runAgain(id, signal);
    assert.deepEqual(rig.ran, [['add_note', { title: 'x', token: 's3cret' }]]);
    assert.equal(rig.asked.length, 1);
    assert.equal(rig.calls.history.entries.at(-1)?.surface, 'run-again');
    rig.settings = { ...rig.settings, rules: [{ tool: '*', action: 'deny', source: 'user' }] };
    await assert.rejects(rig.calls.runAgain(id, signal), /Denied: /);
    assert.equal(rig.ran.length, 1);
  });

  it('a tool that changed since is asked about', async () => {
    const rig = new Rig();
    await rig.fails('denied', 'delete_note');
    const { id = 0 } = rig.calls.history.entries.at(-1) ?? {};
    rig.setTools({ destructiveHint: true }, { description: 'another tool' });
    await assert.rejects(rig.calls.runAgain(id, signal));
    assert.match(rig.asked.at(-1)?.reason ?? '', /changed since the call was saved/);
    assert.deepEqual(rig.ran, []);
  });

  it('one of a server that changed while the call ran, too', async () => {
    const rig = new Rig();
    rig.answer = 'once';
    rig.serve = async () => {
      rig.fingerprint = 'f2';
      return {};
    };
    await rig.call('delete_note');
    const { id = 0 } = rig.calls.history.entries.at(-1) ?? {};
    rig.answer = 'deny';
    await assert.rejects(rig.calls.runAgain(id, signal));
    assert.match(rig.asked.at(-1)?.reason ?? '', /changed since the call was saved/);
    assert.equal(rig.ran.length, 1);
  });

  it('a call is kept in the history without arguments that can’t be written, and isn’t run again', async () => {
    const rig = new Rig({ settings: { historyContent: true } });
    const args = { title: 'x', toJSON: () => assert.fail('too deep') };
    await rig.call('list_notes', args as unknown as { title: string }).catch(() => undefined);
    const entry = rig.calls.history.entries.at(-1);
    assert.equal(entry?.tool, 'mcp__notes__list_notes');
    assert.equal(entry.args, undefined);
    assert.equal(await rig.calls.runAgain(entry.id, signal), undefined);
  });

  it('is kept for the newest 50 calls and for no large ones', async () => {
    const rig = new Rig();
    await rig.call('list_notes');
    const id = rig.calls.history.entries.at(-1)?.id ?? 0;
    assert.ok(rig.calls.history.repeatable(id));
    for (let each = 0; each < 50; each++) await rig.call('list_notes');
    assert.equal(rig.calls.history.repeatable(id), undefined);
    assert.equal(await rig.calls.runAgain(id, signal), undefined);
    await rig.fails('denied', 'add_note', { title: 'x'.repeat(200_000) });
    assert.equal(rig.calls.history.repeatable(rig.calls.history.entries.at(-1)?.id ?? 0), undefined);
  });
});

describe('grants: undo', () => {
  const key = { serverId: 'id', fingerprint: 'f', tool: 'add_note', pin: 'p' };

  it('a grant that was revoked comes back as it was, and is kept again', async () => {
    const store = new MemoryStore();
    const grants = new Grants(store);
    await grants.grantAlways({ key, serverName: 'notes', at: 7, args: { title: 'a' } });
    const [grant] = grants.all;
    assert.ok(grant);
    await grants.revoke(grant.id);
    assert.ok(!grants.has(key, { title: 'a' }));
    await grants.restore(grant);
    await grants.restore(grant);
    assert.deepEqual(grants.all, [grant]);
    assert.ok(grants.has(key, { title: 'a' }) && !grants.has(key, { title: 'b' }));
    assert.deepEqual(new Grants(store).all, [grant]);
    grants.dispose();
  });

  it('leave for the open world is revoked per server and caller', async () => {
    const grants = new Grants(new MemoryStore());
    const servers = [
      { serverId: 'a', fingerprint: 'f' },
      { serverId: 'a', fingerprint: 'f', caller: 'extension:x.y' },
      { serverId: 'b\nwith a line', fingerprint: 'f', caller: 'outside' },
    ];
    for (const server of servers) await grants.grantOpenWorld(server, true);
    assert.equal(grants.openWorld.length, 3);
    for (const [index, listed] of grants.openWorld.entries()) {
      await grants.revokeOpenWorld(listed);
      assert.deepEqual(
        servers.map((server) => grants.hasOpenWorld(server)),
        servers.map((_, at) => at > index),
      );
    }
    grants.dispose();
  });
});
