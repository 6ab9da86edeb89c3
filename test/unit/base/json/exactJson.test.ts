import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import {
  isChangedByDouble,
  mayHaveExactNumbers,
  parseExact,
  unlessSafeInteger,
} from '../../../../src/base/json/exactJson.ts';
import { withPlainNumbers } from '../../../../src/base/json/exactNumber.ts';
import { isRecord, stableStringify } from '../../../../src/base/json/json.ts';

describe('JSON with exact numbers', () => {
  it('is written as it was read', () => {
    const number = fc.oneof(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
      fc.tuple(fc.integer(), fc.integer({ min: 0 })).map(([whole, rest]) => `${whole}.${rest}`),
      fc.tuple(fc.integer(), fc.integer({ min: -500, max: 500 })).map(([whole, power]) => `${whole}e${power}`),
    );
    const text = fc
      .oneof(fc.string(), fc.constantFrom('": 1e5', '\\', '\\"', '[1.10,', 'é\u2028'))
      .map((value) => JSON.stringify(value));
    const { value } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        number,
        text,
        fc.constantFrom('true', 'null'),
        fc.array(tie('value')).map((items) => `[${items.join(',')}]`),
        fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((members) => {
          const names = new Set(members.map(([name]) => name));
          const some = [...names].map((name) => members.find(([each]) => each === name) ?? ['""', '0']);
          // Names that are numbers are put in order.
          return `{${some.map(([name, member]) => `"_${String(name).slice(1)}:${member}`).join(',')}}`;
        }),
      ),
    }));
    fc.assert(
      fc.property(value, (json) => {
        const wrapped = `[${json}]`;
        assert.equal(JSON.stringify(parseExact(wrapped)), wrapped);
      }),
    );
  });

  it('keeps members called __proto__, and no member becomes a prototype', () => {
    const parsed = parseExact('{"__proto__":1.10}');
    assert.equal(JSON.stringify(parsed), '{"__proto__":1.10}');
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
  });

  it('takes no text for a number, whatever it says', () => {
    assert.deepEqual(parseExact('["1e400", "AAAAAAAAAAAA:1.10"]'), ['1e400', 'AAAAAAAAAAAA:1.10']);
  });

  it('has numbers that are no objects to other code', () => {
    const parsed = parseExact('{"id":12345678901234567890}') as { id: unknown };
    assert.ok(!isRecord(parsed.id));
    assert.equal(stableStringify(parsed), '{"id":12345678901234567890}');
    assert.deepEqual(withPlainNumbers(parsed), { id: 12345678901234567000 });
  });

  it('keeps of those only what it is told to', () => {
    const text = '[5.0,1e3,1.10,12345678901234567890,1e400,0.1,-0.0]';
    const written = (keeps: (digits: string) => boolean): string => JSON.stringify(parseExact(text, { keeps }));
    assert.equal(written(unlessSafeInteger), '[5,1000,1.10,12345678901234567890,1e400,0.1,0]');
    assert.equal(written(isChangedByDouble), '[5,1000,1.1,12345678901234567890,1e400,0.1,0]');
  });

  it('knows what a double changes, however it is written', () => {
    for (const same of ['1.0', '10e-1', '0.10', '1e21', '100000000000000000000000', '-0', '0.000', '5e-324'])
      assert.ok(!isChangedByDouble(same), same);
    for (const other of ['9007199254740993', '0.1000000000000000055', '1e400', '1e-400', '-12345678901234567890'])
      assert.ok(isChangedByDouble(other), other);
  });

  it('looks at each digit of a long run of zeros once', () => {
    // Looking for the end of the run from each zero takes longer than a test may.
    const zeros = '0'.repeat(500_000);
    for (const [digits, isChanged] of [
      [`1${zeros}1`, true],
      [`0.${zeros}1`, true],
      [`1.${zeros}`, false],
      [`0.1${zeros}1${zeros}`, true],
    ] as const)
      assert.equal(isChangedByDouble(digits), isChanged, digits.slice(0, 4));
  });

  it('costs an ordinary text a look only', () => {
    for (const text of ['{"a":[1,2.5,-3,1234567890.25]}', '{"data":"iVBORw0KGgo1e5AAAA=="}', '{"t":"v1.10"}'])
      assert.ok(!mayHaveExactNumbers(text), text);
    for (const text of ['{"a":1.10}', '[1e5]', '[9007199254740993]', '[ -0.1234567890123456789 ]', '[0.0000001]'])
      assert.ok(mayHaveExactNumbers(text), text);
  });
});
