import { strict as assert } from 'node:assert';
import { parseExact } from '../../../../src/base/json/exactJson.ts';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { protocolResult } from '../../../../src/calls/results/protocolResult.ts';
import { MAX_DATA_BYTES } from '../../../../src/base/data/dataForModels.ts';
import type { ToolCallResult } from '../../../../src/connection/connectionTypes.ts';
import { Rig } from '../rig.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const WAV = Buffer.from('RIFF....WAVE');

async function relayed(result: Partial<ToolCallResult>, settings = {}): Promise<JsonObject> {
  const rig = new Rig({ settings });
  rig.serve = async () => result;
  const signal = new AbortController().signal;
  return protocolResult(
    await rig.calls.broker.call({ name: 'mcp__notes__list_notes', args: {}, surface: 'test', signal }),
  );
}

describe('results for surfaces that speak the protocol', () => {
  it('keep blocks as the server sent them, and its _meta', async () => {
    const data = PNG.toString('base64');
    const content = [
      { type: 'text', text: 'a', annotations: { audience: ['user'] } },
      { type: 'image', data, mimeType: 'image/png', annotations: { priority: 1 } },
      { type: 'audio', data: WAV.toString('base64'), mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'file:///a', name: 'A', size: 3 },
      { type: 'resource', resource: { uri: 'x://b', text: 'body' } },
      { type: 'resource', resource: { uri: 'x://c', blob: 'AA==', mimeType: 'application/zip' } },
    ];
    assert.deepEqual(await relayed({ content, meta: { 'a/b': 1 } }), { content, _meta: { 'a/b': 1 }, isError: false });
  });

  it('have structured content, and the text beside it where that says something else', async () => {
    const structuredContent = { a: 1 };
    const both = await relayed({ content: [{ type: 'text', text: '{ "a": 1 }' }], structuredContent });
    assert.deepEqual(both, { content: [{ type: 'text', text: '{"a":1}' }], structuredContent, isError: false });
    for (const said of ['one a', 'a is 1']) {
      const text = await relayed({ content: [{ type: 'text', text: said }], structuredContent });
      assert.deepEqual(text, { content: [{ type: 'text', text: said }], structuredContent, isError: false });
    }
  });

  it('keep the digits of numbers', async () => {
    const json = '{"id":1915883588174806058,"prices":[1.10,1e400]}';
    const result = await relayed({ structuredContent: parseExact(json) });
    assert.ok(JSON.stringify(result).includes(`"structuredContent":${json}`), JSON.stringify(result));
  });

  it('hide nothing in any string', async () => {
    const hidden = 'a\u202eb\u200b';
    const result = await relayed({
      content: [
        { type: 'resource_link', uri: `x://${hidden}`, name: hidden, description: hidden },
        { type: 'text', text: hidden, annotations: { [hidden]: hidden } },
      ],
    });
    assert.doesNotMatch(JSON.stringify(result), /[\u202e\u200b]/);
    const structured = await relayed({ structuredContent: { list: [{ [hidden]: '\u001b[31mred' }] } });
    assert.deepEqual(structured['structuredContent'], { list: [{ 'a\\u{202e}b\\u{200b}': 'red' }] });
  });

  it('stay cut where they were cut, and replaced where a hook replaced them', async () => {
    const structuredContent = { text: 'x'.repeat(10_000) };
    const cut = await relayed({ structuredContent }, { maxResultTokens: 100 });
    assert.equal(cut['structuredContent'], undefined);
    assert.ok(JSON.stringify(cut).length < 9_000);
    const large = 'A'.repeat(Math.ceil((MAX_DATA_BYTES * 4) / 3) + 8);
    const left = await relayed({
      content: [
        { type: 'image', data: large, mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'x://c', blob: large } },
      ],
    });
    assert.ok(JSON.stringify(left).length < 1_000);
    const rig = new Rig();
    rig.serve = async () => ({ structuredContent });
    const hook = rig.calls.hooks.register({ event: 'PostToolUse', matcher: '', run: () => ({ output: 'instead' }) });
    const signal = new AbortController().signal;
    const outcome = await rig.calls.broker.call({ name: 'mcp__notes__list_notes', args: {}, surface: 'test', signal });
    hook.dispose();
    assert.deepEqual(protocolResult(outcome), { content: [{ type: 'text', text: 'instead' }], isError: false });
  });
});

describe('what a surface gives with a call', () => {
  const signal = new AbortController().signal;

  it('is told of progress, without what hides in its message', async () => {
    const rig = new Rig();
    rig.serve = async (_name, _args, { onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message: 'half\u202e way\u001b[2J' });
      onProgress?.({ progress: 2 });
      return {};
    };
    const heard: object[] = [];
    const call = { name: 'mcp__notes__list_notes', args: {}, surface: 'test', signal } as const;
    await rig.calls.broker.call({ ...call, onProgress: (progress) => heard.push(progress) });
    assert.deepEqual(heard, [{ progress: 1, total: 2, message: 'half\\u{202e} way' }, { progress: 2 }]);
  });

  it('the caller is part of the question, the history and the events', async () => {
    const rig = new Rig();
    const callers: (string | undefined)[] = [];
    rig.calls.onDidHappen((event) => callers.push('caller' in event ? event.caller : undefined));
    const caller = 'somebody.an-extension';
    await assert.rejects(
      rig.calls.broker.call({ name: 'mcp__notes__delete_note', args: {}, surface: 'api', caller, signal }),
    );
    await rig.call('list_notes');
    assert.equal(rig.asked[0]?.caller, caller);
    assert.deepEqual(
      rig.calls.history.entries.map((entry) => entry.caller),
      [caller, undefined],
    );
    assert.deepEqual(callers, [caller, caller, undefined, undefined]);
  });
});
