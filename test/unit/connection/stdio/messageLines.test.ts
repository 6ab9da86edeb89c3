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

  describe('of which one is long', () => {
    const message = (id: number, text = ''): string => JSON.stringify({ jsonrpc: '2.0', id, result: { text } });
    const long = message(1, 'text '.repeat(100_000));
    const ids = (): unknown[] => messages.map((each) => (each as { id: unknown }).id);

    it('are read in their order, with no more wanted meanwhile', async () => {
      const busy: boolean[] = [];
      const done = Promise.withResolvers<void>();
      const sink = {
        onMessage: (each: object) => messages.push(each),
        onNoise: (line: string) => noise.push(line),
        onUnreadable: () => undefined,
        onBusy: (isBusy: boolean) => {
          busy.push(isBusy);
          if (!isBusy) done.resolve();
        },
      };
      const reading = new MessageLines(sink, clock);
      for (const line of [message(0), long, message(2), 'noise', message(3, long), message(4)]) reading.push(line);
      assert.ok(ids().length <= 2, 'what is behind the long one waits');
      assert.equal(reading.isBusy, true);
      await done.promise;
      assert.deepEqual(ids(), [0, 1, 2, 3, 4]);
      assert.deepEqual([noise, busy, reading.isBusy], [['noise'], [true, false], false]);
    });

    it('are not read any more where the input has ended', async () => {
      lines.push(long);
      lines.push(message(2));
      lines.dispose();
      while (lines.isBusy) await new Promise((resolve) => setImmediate(resolve));
      assert.ok(!ids().includes(2));
    });
  });
});
