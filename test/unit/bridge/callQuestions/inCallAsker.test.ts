import { strict as assert } from 'node:assert';
import { InCallAsker, inCallContextOf } from '../../../../src/bridge/callQuestions/inCallAsker.ts';
import type { Question, Surface } from '../../../../src/calls/callTypes.ts';

describe('where a question about a call comes up', () => {
  const own = { askInCall: async () => 'once' as const };
  const asker = new InCallAsker({ ask: async () => 'deny' });
  const question = (surface: Surface, surfaceContext: unknown): Question => ({ surface, surfaceContext }) as Question;

  it('is the client of the gateway', async () => {
    assert.equal(await asker.ask(question('gateway', own)), 'once');
    assert.equal(await asker.ask(question('gateway', undefined)), 'deny', 'it has no forms');
  });

  it('is nobody’s whose call it is, whatever they pass along', async () => {
    const veiled = new Proxy(own, { has: () => false });
    for (const surface of ['api', 'lm-tool', 'participant', 'editor', 'plan-queue'] as const)
      for (const context of [own, veiled]) {
        assert.equal(await asker.ask(question(surface, context)), 'deny', surface);
        assert.equal(inCallContextOf(question(surface, context)), undefined);
      }
  });
});
