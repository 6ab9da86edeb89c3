import assert from 'node:assert/strict';
import { CountedContext } from '../../../../src/catalog/exposure/countedContext.ts';
import { contextStats } from '../../../../src/catalog/exposure/contextStats.ts';
import { estimateTokens } from '../../../../src/catalog/exposure/toolDefinition.ts';
import { entryOf } from '../entries.ts';
import { mcpTool } from '../tools.ts';

describe('the context by a model that counts', () => {
  const input = {
    tools: [entryOf(mcpTool('x')), entryOf(mcpTool('y'))],
    loaded: new Set<string>(),
    instructions: 'abc',
  };

  it('is counted once, the instructions, too', async () => {
    const counted: string[] = [];
    const context = new CountedContext();
    const counter = {
      id: 'm',
      count: async (text: string) => {
        counted.push(text);
        return text.length;
      },
    };
    const { stats, isCounted } = await context.stats(input, counter);
    assert.ok(isCounted);
    assert.equal(stats.instructions.tokens, 3);
    const before = counted.length;
    assert.deepEqual((await context.stats(input, counter)).stats, stats);
    assert.equal(counted.length, before);
    assert.equal((await context.stats({ ...input, instructions: 'abcd' }, counter)).stats.instructions.tokens, 4);
    assert.equal(counted.length, before + 1);
  });

  it('is estimated where the model fails', async () => {
    const estimated = await contextStats(input, estimateTokens);
    const context = new CountedContext();
    for (const fails of ['abc', undefined]) {
      const count = async (text: string): Promise<number> => {
        if (fails === undefined || text === fails) throw new Error('offline');
        return text.length;
      };
      const result = await context.stats(input, { id: 'm', count });
      assert.deepEqual(result, { stats: estimated, isCounted: false });
    }
  });
});
