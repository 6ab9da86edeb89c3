import assert from 'node:assert/strict';
import type { OversizedText } from '../../../../src/connection/reading/collectedText.ts';
import { LineFramer } from '../../../../src/connection/stdio/lineFraming.ts';
import { idInFragment } from '../../../../src/connection/protocol/rpcMessages.ts';

function frame(
  chunks: readonly Buffer[],
  maxLineBytes?: number,
): { lines: string[]; oversized: OversizedText[]; left: number } {
  const lines: string[] = [];
  const oversized: OversizedText[] = [];
  const framer = new LineFramer(
    { onLine: (line) => lines.push(line), onOversized: (line) => oversized.push(line) },
    maxLineBytes,
  );
  for (const chunk of chunks) framer.push(chunk);
  return { lines, oversized, left: framer.end() };
}

describe('framing', () => {
  it('gives the same lines however the bytes are cut', () => {
    const bytes = Buffer.from('{"a":"5 €"}\r\n\n{"b":"😀"}\nhalf');
    const whole = frame([bytes]).lines;
    assert.deepEqual(whole, ['{"a":"5 €"}\r', '', '{"b":"😀"}']);
    for (let size = 1; size < bytes.length; size++) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      assert.deepEqual(frame(chunks), { lines: whole, oversized: [], left: 4 }, `chunks of ${size}`);
    }
  });

  it('takes messages behind their length, as language servers write them, however the bytes are cut', () => {
    const framed = (text: string, more = ''): string =>
      `Content-Length: ${Buffer.byteLength(text)}\r\n${more}\r\n${text}`;
    const messages = ['{"a":"5 €"}', '{"b":\n1}', '{"c":2}'];
    const [a = '', b = '', c = ''] = messages;
    const bytes = Buffer.from(
      `log\n${framed(a)}${framed(b, 'Content-Type: application/vscode-jsonrpc\r\n')}${framed(c)}`,
    );
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      assert.deepEqual(frame(chunks), { lines: ['log', ...messages], oversized: [], left: 0 }, `chunks of ${size}`);
    }
  });

  it('headers that no message follows are lines like others', () => {
    const text = 'Content-Length: 100\nnot a header\n{"a":1}\nContent-Length: 9999\n\nlog of a request\n{"b":2}\n';
    const lines = ['Content-Length: 100', 'not a header', '{"a":1}', 'log of a request', '{"b":2}'];
    assert.deepEqual(frame([Buffer.from(text)]), { lines, oversized: [], left: 0 });
  });

  const answer = (id: number): string => `{"jsonrpc":"2.0","id":${id},"result":{}}`;
  for (const [what, text, lines] of [
    [
      'behind a message on a line of its own',
      `${answer(1)}\nContent-Length: 4096\r\n\r\n${answer(2)}\n${answer(3)}\n`,
      [answer(1), 'Content-Length: 4096\r', '\r', answer(2), answer(3)],
    ],
    [
      'of something else, in which the next message begins',
      `Content-Length: 4096\r\n\r\n{"a":\n{}}\n${answer(1)}\nContent-Length: 20\n\n${answer(2)}\n`,
      ['{"a":\n{}}', answer(1), 'Content-Length: 20', '', answer(2)],
    ],
    ['without anything, and no other follows', `Content-Length: 4096\r\n\r\n${answer(1)}\r\n`, [`${answer(1)}\r`]],
    [
      'with a length that no message has',
      `Content-Length: 999999999\n\n${answer(1)}\n`,
      ['Content-Length: 999999999', '', answer(1)],
    ],
    [
      'of a batch that is written on many lines',
      `Content-Length: ${answer(1).length * 2 + 5}\n\n[\n${answer(1)},\n${answer(2)}]Content-Length: 2\n\n{}`,
      [`[\n${answer(1)},\n${answer(2)}]`, '{}'],
    ],
  ] as const)
    it(`swallows no message behind headers ${what}, however the bytes are cut`, () => {
      const bytes = Buffer.from(text);
      for (let size = 1; size <= bytes.length; size++) {
        const chunks = [];
        for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
        assert.deepEqual(frame(chunks), { lines, oversized: [], left: 0 }, `chunks of ${size}`);
      }
    });

  it('decodes invalid UTF-8 to U+FFFD', () => {
    assert.deepEqual(frame([Buffer.from([0x61, 0xff, 0x0a])]).lines, ['a\uFFFD']);
  });

  it('drops a line over the limit and continues with the next', () => {
    const long = Buffer.from(`{"id":7,${'x'.repeat(5000)},"end":1}\n{"ok":1}\n`);
    const { lines, oversized } = frame([long.subarray(0, 3000), long.subarray(3000)], 2000);
    assert.deepEqual(lines, ['{"ok":1}']);
    assert.equal(oversized.length, 1);
    assert.equal(oversized[0]?.bytes, long.indexOf('\n'));
    assert.match(oversized[0]?.head ?? '', /^\{"id":7,/);
    assert.match(oversized[0]?.tail ?? '', /"end":1\}$/);
  });

  for (const [where, line] of [
    ['begins', `{"jsonrpc":"2.0","id":7,"result":{"a":"${'x'.repeat(3_000_000)}"}}\n`],
    ['ends', `{"jsonrpc":"2.0","result":{"a":"${'x'.repeat(3_000_000)}"},"id":7}\n`],
  ] as const)
    it(`keeps the id with which a line over the limit ${where}, however its writes are cut`, () => {
      const bytes = Buffer.from(line);
      for (const firstBytes of [1, 10, 20, 30, 65_536])
        for (const lastBytes of [1, 3, 10, 65_536]) {
          const chunks = [bytes.subarray(0, firstBytes)];
          for (let at = firstBytes; at < bytes.length - lastBytes; at += 65_536)
            chunks.push(bytes.subarray(at, Math.min(at + 65_536, bytes.length - lastBytes)));
          const { oversized } = frame([...chunks, bytes.subarray(-lastBytes)], 2_000_000);
          const [{ head, tail } = { head: '', tail: '' }] = oversized;
          assert.equal(idInFragment(tail, head), 7, `${firstBytes} bytes first, ${lastBytes} last`);
        }
    });

  it('copies each byte of a long line once, not once per chunk', function () {
    this.timeout(90_000);
    const chunk = Buffer.alloc(65_536, 'x');
    const begun = process.cpuUsage();
    frame([...Array.from({ length: 800 }, () => chunk), Buffer.from('\n')]);
    // Copying what came before with each chunk would move 20 GB.
    assert.ok(process.cpuUsage(begun).user < 2_000_000);
  });

  it('finds the id of an answer in its ends', () => {
    assert.equal(idInFragment('…","jsonrpc":"2.0","id":12}'), 12);
    assert.equal(idInFragment('…', '{"id": "a-1","result":{'), 'a-1');
    assert.equal(idInFragment('nothing'), undefined);
  });
});
