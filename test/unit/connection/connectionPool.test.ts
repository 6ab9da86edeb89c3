import assert from 'node:assert/strict';
import { eventually, failureOf, fixture, isAlive, PoolHarness, target, temporaryFolder } from './harness.ts';

describe('the pool', function () {
  this.timeout(20_000);
  let harness: PoolHarness;
  const folder = temporaryFolder();
  const pidOf = (id: string): number | undefined => harness.server(id).session?.info.pid;

  beforeEach(() => (harness = new PoolHarness()));
  afterEach(() => harness.end());
  after(() => folder.remove());

  it('restarts only the server whose definition changed, stops only what is gone', async () => {
    const spec = fixture('faulty');
    const first = [target('a', spec), target('b', spec), target('c', spec)];
    harness.pool.reconcile(first);
    await Promise.all(['a', 'b', 'c'].map((id) => harness.until('connected', id)));
    const before = { a: pidOf('a'), b: pidOf('b') };
    harness.pool.reconcile([target('a', spec), target('b', spec, { key: 'edited' })]);
    assert.equal(harness.pool.get('c'), undefined);
    await eventually(() => harness.server('b').state.kind === 'connected' && pidOf('b') !== before.b, 'b to restart');
    assert.equal(pidOf('a'), before.a);
    assert.deepEqual(
      harness.pool.all.map(({ id }) => id),
      ['a', 'b'],
    );
  });

  it('keeps stopped what the user stopped, until it is connected again', async () => {
    const spec = fixture('faulty');
    harness.pool.reconcile([target('a', spec)]);
    await harness.until('connected', 'a');
    await harness.pool.disconnect('a');
    const before = harness.states.length;
    harness.pool.reconcile([target('a', spec, { key: 'edited' }), target('b', spec)]);
    await harness.until('connected', 'b');
    assert.deepEqual(harness.states.slice(before), ['b: connecting', 'b: connected']);
    assert.equal(harness.server('a').state.kind, 'disconnected');
    assert.equal((await harness.pool.connect('a')).kind, 'connected');
  });

  it('starts a few at a time', async () => {
    await harness.end();
    harness = new PoolHarness({ localConcurrency: 1 });
    harness.pool.reconcile(['a', 'b'].map((id) => target(id, fixture('faulty'))));
    await harness.until('connected', 'b');
    const steps = harness.log
      .map((line) => /^(.: )info: (Connect(?:ing|ed))/.exec(line)?.slice(1).join('') ?? [])
      .flat();
    assert.deepEqual(steps, ['a: Connecting', 'a: Connected', 'b: Connecting', 'b: Connected']);
  });

  it('shares one attempt to connect among all callers', async () => {
    harness.pool.reconcile([target('a', fixture('faulty'), { autoStart: false })]);
    assert.equal(harness.server('a').state.kind, 'disconnected');
    const states = await Promise.all([harness.pool.connect('a'), harness.pool.connect('a'), harness.pool.connect('a')]);
    assert.deepEqual(new Set(states).size, 1);
    assert.equal(harness.states.length, 2);
  });

  it('restarts', async () => {
    harness.pool.reconcile([target('a', fixture('faulty'))]);
    await harness.until('connected', 'a');
    const before = pidOf('a');
    await Promise.all([harness.pool.restart('a'), harness.pool.restart('a')]);
    assert.notEqual(pidOf('a'), before);
    assert.deepEqual(harness.states.slice(-3), ['a: disconnected', 'a: connecting', 'a: connected']);
  });

  it('restarts once more for an edit that comes while it restarts, and not after a stop', async () => {
    const edited = (key: string, fault: string) => [target('a', fixture('faulty', fault), { key })];
    harness.pool.reconcile(edited('1', 'none'));
    await harness.until('connected', 'a');
    harness.pool.reconcile(edited('2', 'many-tools'));
    await harness.until('connecting', 'a');
    harness.pool.reconcile(edited('3', 'no-tools'));
    harness.pool.reconcile(edited('4', 'malformed-tool'));
    await eventually(() => harness.server('a').tools[0]?.name === 'good', 'the last definition');
    const restarted = harness.pool.restart('a');
    await harness.pool.disconnect('a');
    assert.equal((await restarted).kind, 'disconnected');
    assert.equal(harness.server('a').state.kind, 'disconnected');
  });

  it('makes a caller wait for a server that is connecting, and says its state when that takes too long', async () => {
    harness.pool.reconcile([target('a', fixture('faulty')), target('b', fixture('faulty', 'hang-in-handshake'))]);
    assert.ok(await harness.pool.ready('a', 5000));
    const error = await failureOf(harness.pool.ready('b', 200));
    assert.equal(error.code, 'not-connected');
    assert.match(error.message, /Connecting for \d/);
    const controller = new AbortController();
    controller.abort();
    assert.equal((await failureOf(harness.pool.ready('b', 5000, controller.signal))).code, 'call-cancelled');
    assert.equal((await failureOf(harness.pool.ready('x', 0))).code, 'unknown-server');
  });

  it('adds a server again only when the last of it is gone', async () => {
    const file = folder.file('log');
    const spec = fixture('faulty', 'none', file);
    harness.pool.reconcile([target('a', spec)]);
    await harness.until('connected', 'a');
    harness.pool.reconcile([]);
    harness.pool.reconcile([target('a', spec)]);
    await harness.until('connected', 'a');
  });

  it('says when the servers that were removed have stopped, those that take a while included', async () => {
    harness.pool.reconcile([target('a', fixture('faulty')), target('b', fixture('faulty', 'ignore-term'))]);
    for (const id of ['a', 'b']) await harness.until('connected', id);
    const pids = ['a', 'b'].map((id) => pidOf(id) ?? 0);
    assert.ok(pids.every(isAlive));
    harness.pool.reconcile([]);
    await harness.pool.removedStopped();
    assert.ok(!pids.some(isAlive));
  });

  it('fails a server whose variables have no value, without trying again', async () => {
    const { SwitchboardError } = await import('../../../src/base/errors.ts');
    const resolve = async (): Promise<never> => {
      throw new SwitchboardError('unresolved-variable', 'The variable TOKEN has no value.');
    };
    harness.pool.reconcile([target('a', fixture('faulty'), { resolve })]);
    const state = await harness.until('failed', 'a');
    assert.equal(state.kind === 'failed' && state.failure.code, 'unresolved-variable');
  });
});
