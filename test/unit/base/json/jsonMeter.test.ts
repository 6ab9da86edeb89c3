import assert from 'node:assert/strict';
import { JsonMeter } from '../../../../src/base/json/jsonMeter.ts';

/** How many values may be in a text. */
const LIMIT = 2_000_000;

describe('the number of parts of a JSON text', () => {
  // Texts with what looks like parts, in all that may end a text too early or too late.
  const strings = ['', ',', '\\"', '\\\\', '\\\\\\",[', `${'long '.repeat(50)}\\"${',[:{'.repeat(40)}`, '\\u0022,'];
  const text = (parts: number): Buffer => {
    const own = strings.map((each) => `"${each}",`).join('');
    return Buffer.from(`[${own}${'1,'.repeat(parts - strings.length - 1)}1${' '.repeat(100_000)}]`);
  };

  for (const size of [7_919, 65_536, 10_000_000])
    it(`is counted the same in pieces of ${size} bytes`, () => {
      const isTooMuch = (bytes: Buffer): boolean => {
        const meter = new JsonMeter();
        let is = false;
        for (let at = 0; at < bytes.length; at += size) is = meter.push(bytes.subarray(at, at + size));
        return is;
      };
      assert.equal(isTooMuch(text(LIMIT)), false);
      assert.equal(isTooMuch(text(LIMIT + 1)), true);
    });

  it('is counted the same wherever a piece ends', () => {
    const whole = text(LIMIT);
    // The begin has the strings.
    for (let cut = 0; cut < 600; cut += 7) {
      const meter = new JsonMeter();
      const begin = whole.subarray(0, 600);
      meter.push(begin.subarray(0, cut));
      meter.push(begin.subarray(cut, cut));
      meter.push(begin.subarray(cut));
      assert.equal(meter.push(whole.subarray(600)), false, `cut at ${cut}`);
      assert.equal(meter.push(Buffer.from('[')), true);
    }
  });
});
