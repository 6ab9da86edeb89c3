import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { sourceTextOf } from '../../../../src/base/json/sourceText.ts';
import { readMessages, READING, type RawMessage } from '../../../../src/connection/reading/readMessages.ts';

describe('messages in a text', () => {
  it('are told from other output', () => {
    const count = (text: string): number => {
      const read = readMessages(text);
      return read.kind === 'messages' ? read.messages.length : 0;
    };
    assert.equal(count('{"jsonrpc":"2.0","id":1,"result":{}}'), 1);
    assert.equal(count('[{"jsonrpc":"2.0","method":"a"},{"jsonrpc":"2.0","method":"b"}]'), 2);
    assert.equal(count('{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0","id":2,"result":{}}'), 2);
    assert.equal(count('\u001b[32mready\u001b[0m {"jsonrpc":"2.0","id":1,"result":{}}'), 1);
    assert.equal(count('{"id":1,"result":{}}'), 1);
    for (const noise of [
      'listening',
      '{"level":"info"}',
      '{"level":30,"method":"GET","msg":"request"}',
      '{"level":"error","id":3,"error":"no such row"}',
      '{"timestamp":"2026","id":3,"result":"ok"}',
      '7',
      'null',
      '[]',
      '["a"]',
      '{"a":',
      'GET /api?id=5 {200}',
    ]) {
      assert.equal(readMessages(noise).kind, 'noise', noise);
    }
  });

  it('that can’t be read have the id of the request that they answer', () => {
    const unreadable = (text: string): unknown => {
      const read = readMessages(text);
      return read.kind === 'unreadable' ? [read.id, read.isOpen] : read.kind;
    };
    assert.deepEqual(unreadable('{"jsonrpc":"2.0","id":7,"result":{"a":'), [7, true]);
    assert.deepEqual(unreadable('{"jsonrpc":"2.0","id":"x","result":{"a":01}}'), ['x', false]);
    assert.deepEqual(unreadable('{"jsonrpc":"2.0","result":{"a"}}'), [undefined, false]);
  });

  it('mean what they say whatever is repaired', () => {
    const [first] = messages(
      '{"jsonrpc":"2.0","id":1,"result":{"a":"x\ty\u0000","b":[NaN,-Infinity,1,],"c":"C:\\d"},}',
    );
    assert.deepEqual(first?.['result'], { a: 'x\ty\u0000', b: ['NaN', '-Infinity', 1], c: 'C:\\d' });
    assert.deepEqual(first?.[READING]?.tolerated, ['control characters', 'not a number', 'invalid JSON']);
  });

  it('are never read otherwise than JSON says where they are JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const message = { jsonrpc: '2.0', id: 1, result: { value } };
        // With something behind it that isn't JSON, the same is read leniently.
        for (const text of [JSON.stringify(message), `${JSON.stringify(message)} ok`]) {
          assert.deepEqual(JSON.stringify(messages(text)), JSON.stringify([message]));
        }
      }),
    );
  });

  it('keep the JSON of large structured content where it is written as we would write it', () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({
      id,
      at: '12:00, [x]: {y} 1e5',
      part: 1.25,
      of: ['ü\n"q"'],
    }));
    const json = JSON.stringify({ rows, last: null });
    const kept = (
      structured: string,
      before = '{"jsonrpc":"2.0","id":1,"result":{"content":[],',
    ): string | undefined => {
      const structuredContent = structuredOf(`${before}"structuredContent":${structured}}}`);
      assert.equal(JSON.stringify(structuredContent), JSON.stringify(JSON.parse(structured)));
      return sourceTextOf(structuredContent);
    };
    const ending = (more: string): string => json.replace('"last":null', more);
    assert.equal(kept(json), json);
    // What would be written otherwise: blanks, escapes, numbers.
    assert.equal(kept(ending('"last": null')), undefined);
    assert.equal(kept(json, '{"jsonrpc":"2.0", "id":1,"result":{"content":[],'), undefined);
    for (const odd of ['"a\\u200bb"', '"a\\/b"', '1.50', '1e2', '1E-2', '12345678901234567890', '0.0000001'])
      assert.equal(kept(ending(`"last":${odd}`)), undefined, odd);
    // Two members of one name, of which the value has the last: the model would read what nobody else sees.
    const long = JSON.stringify('long'.repeat(20_000));
    for (const doubled of [
      '"last":1,"last":2',
      '"last":{"a":[{"b":1,"b":2}]}',
      '"q\\\\":1,"last":1,"last":2',
      '":a":1,":a":2',
    ])
      assert.equal(kept(ending(doubled)), undefined, doubled);
    assert.equal(kept(`{"note":"ignored","note":"ok","rows":${long}}`), undefined);
    // Names with quotes, colons and backslashes, and values that look like names.
    for (const odd of ['"a\\"":1', '"a\\\\":1', '"a\\"\\":":1', '"a:":{"b":"c\\":"}', '"__proto__":{"x":1}'])
      assert.equal(kept(ending(odd)), ending(odd), odd);
    // What is short, and what lost members.
    assert.equal(kept('{"a":1}'), undefined);
    const many = Object.fromEntries(Array.from({ length: 20_001 }, (_, index) => [`member ${index}`, index]));
    const cut = structuredOf(`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":${JSON.stringify(many)}}}`);
    assert.equal(Object.keys(cut).length, 20_000);
    assert.equal(sourceTextOf(cut), undefined);
  });

  it('take no longer than a pass over the text', () => {
    const text = `{"jsonrpc":"2.0","id":1,"result":${'[1,'.repeat(200_000)}`;
    assert.equal(readMessages(text).kind, 'unreadable');
    assert.equal(readMessages('{"id":1,'.repeat(100_000)).kind, 'unreadable');
    // With none of the members: seconds where each bracket begins anew.
    assert.equal(readMessages('[1,'.repeat(1_000_000)).kind, 'noise');
  });
});

function messages(text: string): readonly RawMessage[] {
  const read = readMessages(text);
  return read.kind === 'messages' ? read.messages : [];
}

function structuredOf(text: string): object {
  const [message] = messages(text) as readonly { readonly result: { readonly structuredContent: object } }[];
  assert.ok(message);
  return message.result.structuredContent;
}
