import { strict as assert } from 'node:assert';
import { StartedEndpoints, type StartableEndpoint } from '../../../../../src/bridge/gateway/editor/startedEndpoints.ts';
import { deferred } from '../../../../../src/base/async.ts';
import { ManualClock } from '../../../connection/manualClock.ts';

/** Those that the editor has started and isn't connected to. */
const idle = new Set<string>();

const endpoint = (name: string, version = '1', port = 1): StartableEndpoint => ({
  definitionId: `us/${name}`,
  url: `http://127.0.0.1:${port}/mcp/${name}`,
  version,
  isInUse: () => !idle.has(name),
});

/** Lets everything that is due at once happen. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('endpoints that the editor is to start', () => {
  const clock = new ManualClock();
  const asked: string[][] = [];
  let editor: (ids: readonly string[]) => Promise<void>;
  let endpoints: StartedEndpoints;

  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 50) {
      clock.advance(50);
      await turn();
    }
  };

  beforeEach(() => {
    idle.clear();
    asked.length = 0;
    editor = () => Promise.resolve();
    endpoints = new StartedEndpoints(clock, (ids) => {
      asked.push([...ids]);
      return editor(ids);
    });
  });

  afterEach(() => endpoints.dispose());

  it('are asked for until each was started', async () => {
    endpoints.startRest([endpoint('one'), endpoint('two')]);
    await pass(100);
    assert.deepEqual(asked, [['us/one', 'us/two']]);
    endpoints.add(endpoint('one'));
    await pass(450);
    assert.deepEqual(asked.at(-1), ['us/two']);
    endpoints.add(endpoint('two'));
    await pass(200_000);
    assert.equal(asked.length, 2);
  });

  it('are asked for soon after they were published, however long earlier ones have been waited for', async () => {
    endpoints.startRest([endpoint('never')]);
    await pass(40_000);
    const before = asked.length;
    const under = deferred<void>();
    editor = () => under.promise;
    await pass(30_000);
    assert.equal(asked.length, before + 1);
    // A start is under way when something new is published, and ends after that.
    endpoints.startRest([endpoint('never'), endpoint('new')]);
    under.resolve();
    await turn();
    editor = () => Promise.resolve();
    await pass(600);
    assert.deepEqual(asked.at(-1), ['us/never', 'us/new']);
  });

  it('are asked for again where another version was published: the editor stops the one it has started', async () => {
    endpoints.startRest([endpoint('overview')]);
    await pass(100);
    endpoints.startRest([endpoint('overview', '2')]);
    endpoints.add(endpoint('overview'));
    await pass(1_000);
    assert.deepEqual(asked.at(-1), ['us/overview']);
    const before = asked.length;
    endpoints.add(endpoint('overview', '2'));
    await pass(200_000);
    assert.equal(asked.length, before);
    endpoints.startRest([endpoint('overview', '2', 2)]);
    await pass(100);
    assert.equal(asked.length, before + 1, 'at another address, too');
  });

  it('are asked for again where the editor has started one and is no longer connected', async () => {
    idle.add('stopped');
    endpoints.startRest([endpoint('stopped'), endpoint('runs')]);
    await pass(100);
    for (const name of ['stopped', 'runs']) endpoints.add(endpoint(name));
    await pass(450);
    assert.deepEqual(asked.at(-1), ['us/stopped']);
    const before = asked.length;
    idle.clear();
    await pass(200_000);
    assert.equal(asked.length, before);
  });

  it('are asked for although the start of one of them never ends', async () => {
    editor = () => new Promise(() => undefined);
    endpoints.startRest([endpoint('hangs'), endpoint('late')]);
    await pass(100);
    endpoints.add(endpoint('hangs'));
    await pass(3_000);
    assert.deepEqual(asked.at(-1), ['us/late']);
  });
});
