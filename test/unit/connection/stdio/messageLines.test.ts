import { strict as assert } from 'node:assert';
import { MessageLines } from '../../../../src/connection/stdio/messageLines.ts';
import { ManualClock } from '../manualClock.ts';

describe('lines of a server’s output', () => {
  const clock = new ManualClock();
  let noise: string[];
  let messages: object[];
  let lines: MessageLines;

  beforeEach(() => {
    noise = [];
    messages = [];
    lines = new MessageLines(
      {
        onMessage: (message) => messages.push(message),
        onNoise: (line) => noise.push(line),
        onUnreadable: (_id, _reason, line) => noise.push(line),
      },
      clock,
    );
  });

  it('are one message where they are the lines of one', () => {
    for (const line of ['{', '"jsonrpc": "2.0",', '"id": 1,', '"result": {}', '}']) lines.push(line);
    assert.deepEqual(messages, [{ jsonrpc: '2.0', id: 1, result: {} }]);
    assert.deepEqual(noise, []);
  });

  it('aren’t held back for long where the first only looks like one', () => {
    lines.push('[INFO] say "hi');
    for (let count = 0; count < 40; count += 1) {
      clock.advance(100);
      lines.push(`line ${count}`);
    }
    assert.match(noise.join('\n'), /^\[INFO\] say "hi\nline 0/);
    lines.push('{"jsonrpc":"2.0","id":1,"result":{}}');
    assert.equal(messages.length, 1);
  });
});
