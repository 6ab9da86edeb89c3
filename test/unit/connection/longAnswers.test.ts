import assert from 'node:assert/strict';
import { fixture, PoolHarness } from './harness.ts';

describe('answers that are long', function () {
  this.timeout(60_000);
  const listed: number[] = [];
  let harness: PoolHarness;
  beforeEach(() => {
    listed.length = 0;
    const prepareTools = async (tools: readonly unknown[]): Promise<unknown> => listed.push(tools.length);
    harness = new PoolHarness({ discoveryTimeoutMs: 60_000 }, { prepareTools });
  });
  afterEach(() => harness.end());

  it('as a list of 20,000 tools are taken whole and in order, and prepared before they count', async () => {
    const { tools } = await harness.connect(fixture('long', '20000'));
    assert.equal(tools.length, 20_000);
    assert.deepEqual([tools[0]?.name, tools.at(-1)?.name], ['tool_0', 'tool_19999']);
    assert.deepEqual(listed, [20_000]);
  });

  it('keep their numbers as they are written', async () => {
    const server = await harness.connect(fixture('long'));
    const session = await server.ready(0);
    const { structuredContent } = await session.callTool('rows', {}, { timeoutMs: 60_000 });
    const text = JSON.stringify(structuredContent);
    assert.match(text, /^\{"rows":\[\{"row":0,"price":1\.50,"text":"row \\"0\\""\}/);
    assert.equal(text.match(/"price":1\.50/g)?.length, 40_000);
  });

  it('come before the end of the server that wrote them', async () => {
    const server = await harness.connect(fixture('long'));
    const session = await server.ready(0);
    const { content } = await session.callTool('last', {}, { timeoutMs: 60_000 });
    assert.deepEqual(content, [{ type: 'text', text: 'last' }]);
    await harness.until('pending');
  });
});
