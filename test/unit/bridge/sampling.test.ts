import { strict as assert } from 'node:assert';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { HourlyBudget } from '../../../src/bridge/sampling/hourlyBudget.ts';
import { SamplingConsents, type SamplingConsent } from '../../../src/bridge/sampling/samplingConsents.ts';
import { rankedModels, type ModelFacts } from '../../../src/bridge/sampling/modelChoice.ts';
import { editableRequest, editedRequest, parsedObject } from '../../../src/bridge/sampling/reviewText.ts';
import { preferencesOf, samplingRequestOf, stopIn } from '../../../src/bridge/sampling/samplingRequest.ts';

const model = (id: string, name = id): ModelFacts => ({
  id,
  name,
  vendor: 'v',
  family: id,
  maxInputTokens: 1,
});
const MODELS = [
  model('auto', 'Auto'),
  model('gpt-5-mini', 'GPT-5 mini'),
  model('claude-sonnet-4.5', 'Claude Sonnet 4.5'),
  model('claude-opus-4', 'Claude Opus 4'),
  model('gemini-2.5-pro', 'Gemini 2.5 Pro'),
];

describe('sampling', () => {
  describe('the model that fits best', () => {
    for (const [what, preferences, expected] of [
      ['nothing wished: the editor’s first', undefined, 'auto'],
      ['a hint', { hints: [{ name: 'sonnet' }] }, 'claude-sonnet-4.5'],
      ['a hint of a model that isn’t here', { hints: [{ name: 'claude-3-5-sonnet-latest' }] }, 'claude-sonnet-4.5'],
      ['a hint of a small one that isn’t here', { hints: [{ name: 'gpt-4o-mini' }] }, 'gpt-5-mini'],
      ['a hint that is a part of a word alone', { hints: [{ name: 'x-mini-x' }] }, 'gpt-5-mini'],
      ['a hint in other letters', { hints: [{ name: 'Claude Sonnet 4_5' }] }, 'claude-sonnet-4.5'],
      [
        'the first hint that fits',
        { hints: [{ name: 'llama' }, { name: 'gemini' }, { name: 'gpt' }] },
        'gemini-2.5-pro',
      ],
      [
        'of several that a hint fits, by intelligence',
        { hints: [{ name: 'claude' }], intelligencePriority: 1 },
        'claude-opus-4',
      ],
      [
        'a hint before every priority',
        { hints: [{ name: 'opus' }], costPriority: 1, speedPriority: 1 },
        'claude-opus-4',
      ],
      ['cheap', { costPriority: 0.9, intelligencePriority: 0.1 }, 'gpt-5-mini'],
      ['fast', { speedPriority: 1 }, 'gpt-5-mini'],
      ['clever', { intelligencePriority: 0.8, costPriority: 0.2 }, 'claude-opus-4'],
      ['no hint that fits, and no priority', { hints: [{ name: 'llama' }] }, 'auto'],
      ['what can’t be understood', { hints: ['x', { name: 1 }, { name: '' }], costPriority: 'much' }, 'auto'],
    ] as const)
      it(what, () => {
        assert.equal(rankedModels(MODELS, preferencesOf(preferences))[0]?.id, expected);
      });

    it('none is lost, and none comes up where there is none', () => {
      const ranked = rankedModels(MODELS, preferencesOf({ hints: [{ name: 'gpt' }], speedPriority: 1 }));
      assert.deepEqual(ranked.map(({ id }) => id).sort(), MODELS.map(({ id }) => id).sort());
      assert.deepEqual(rankedModels([], preferencesOf({})), []);
    });
  });

  it('the budget is for each server, in any hour, and says when the next is free', () => {
    const budget = new HourlyBudget();
    const minute = 60_000;
    assert.equal(budget.take('a', 2, 0), 0);
    assert.equal(budget.take('a', 2, 10 * minute), 0);
    assert.equal(budget.take('a', 2, 20 * minute), 40 * minute);
    assert.equal(budget.take('b', 2, 20 * minute), 0);
    assert.equal(budget.take('a', 2, 60 * minute), 0);
    assert.equal(budget.take('a', 2, 61 * minute), 9 * minute);
    assert.equal(budget.take('a', 1, 61 * minute), 59 * minute);
    assert.equal(budget.take('c', 0, 0), 60 * minute);
  });

  describe('consent', () => {
    const consent = (answer: SamplingConsent['answer'], over: Partial<SamplingConsent> = {}): SamplingConsent => ({
      serverId: 's',
      fingerprint: 'f',
      modelId: 'm',
      serverName: 'S',
      modelName: 'M',
      answer,
      ...over,
    });

    it('is for one server as it was and one model; a session’s is forgotten with it', async () => {
      const store = new MemoryStore();
      const consents = new SamplingConsents(store);
      await consents.set(consent('session'));
      await consents.set(consent('always', { modelId: 'other' }));
      assert.equal(consents.find('s', 'f', 'm')?.answer, 'session');
      for (const [server, fingerprint, modelId] of [
        ['t', 'f', 'm'],
        ['s', 'g', 'm'],
        ['s', 'f', 'n'],
      ] as const)
        assert.equal(consents.find(server, fingerprint, modelId), undefined);
      const later = new SamplingConsents(store);
      assert.equal(later.find('s', 'f', 'm'), undefined);
      assert.equal(later.find('s', 'f', 'other')?.answer, 'always');
      consents.dispose();
      later.dispose();
    });

    it('a later answer replaces the one before; what is revoked is gone for good', async () => {
      const store = new MemoryStore();
      const consents = new SamplingConsents(store);
      let changes = 0;
      const listening = consents.onDidChange(() => (changes += 1));
      await consents.set(consent('never'));
      assert.equal(consents.refuses('s', 'f'), true);
      await consents.set(consent('always', { modelId: 'n' }));
      assert.equal(consents.refuses('s', 'f'), false);
      await consents.set(consent('always'));
      assert.equal(consents.all.length, 2);
      await consents.revoke(consent('always'));
      assert.equal(consents.find('s', 'f', 'm'), undefined);
      assert.equal(new SamplingConsents(store).all.length, 1);
      assert.equal(changes, 4);
      listening.dispose();
      consents.dispose();
    });

    it('what the store holds in another shape allows nothing', async () => {
      const store = new MemoryStore();
      await store.set('sampling.consents', [{ ...consent('always'), answer: 'yes' }, 1, null, { answer: 'always' }]);
      const consents = new SamplingConsents(store);
      assert.deepEqual(consents.all, []);
      consents.dispose();
    });
  });

  describe('the request', () => {
    const PARAMS = {
      messages: [
        { role: 'user', content: { type: 'text', text: 'look' } },
        { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'QUJD' }, { type: 'odd' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'lookup', input: { a: 1 } }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', toolUseId: '1', content: [{ type: 'text', text: 'found' }] }],
        },
      ],
      systemPrompt: 'be brief',
      maxTokens: 10,
      stopSequences: ['STOP', '', 'END'],
    };

    it('is understood, one block or several, and what isn’t understood is left out', () => {
      const { messages, stopSequences, tools, toolChoice } = samplingRequestOf(PARAMS);
      assert.deepEqual(
        messages.map(({ role, blocks }) => [role, ...blocks.map(({ type }) => type)]),
        [
          ['user', 'text'],
          ['user', 'image'],
          ['assistant', 'tool_use'],
          ['user', 'tool_result'],
        ],
      );
      assert.deepEqual(stopSequences, ['STOP', 'END']);
      assert.deepEqual([tools, toolChoice], [[], 'auto']);
      assert.deepEqual(samplingRequestOf({}).messages, []);
    });

    it('ends at the first stop sequence in it', () => {
      assert.equal(stopIn('a END b STOP', ['STOP', 'END']), 2);
      assert.equal(stopIn('a', ['STOP']), undefined);
      assert.equal(stopIn('a', []), undefined);
    });

    it('can be changed as JSON: texts and prompts, and pictures by number, which come back whole', () => {
      const request = samplingRequestOf(PARAMS);
      const text = JSON.stringify(editableRequest(request), undefined, 2);
      assert.ok(!text.includes('QUJD'));
      assert.deepEqual(editedRequest(parsedObject(text) ?? {}, request), request);
      const changed = editedRequest(parsedObject(text.replace('"look"', '"look away"')) ?? {}, request);
      assert.deepEqual(changed?.messages[0]?.blocks, [{ type: 'text', text: 'look away' }]);
      const taken = editedRequest(parsedObject(text.replace('"#1"', '"#7"')) ?? {}, request);
      assert.deepEqual(taken?.messages[1]?.blocks, []);
      assert.equal(editedRequest({ messages: [] }, request), undefined);
      assert.equal(parsedObject('{'), undefined);
      assert.equal(parsedObject('[]'), undefined);
    });
  });
});
