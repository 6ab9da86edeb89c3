import assert from 'node:assert/strict';
import { MASK, SecretValues } from '../../../../src/base/text/secrets.ts';

describe('secrets that begin alike', () => {
  it('a thousand of them are as soon found as one, in a text that begins so at each place', () => {
    const secrets = new SecretValues();
    for (let at = 0; at < 1_000; at += 1) secrets.add('token', 'a'.repeat(60) + String(at));
    const text = 'a'.repeat(2_000);
    // What makes the index is not counted.
    assert.equal(secrets.mask('none is in it'), 'none is in it');
    let compared = 0;
    const counted = ['startsWith', 'slice'].map((name) => {
      const real = Reflect.get(String.prototype, name) as (...given: unknown[]) => unknown;
      const counting = function (this: string, ...given: unknown[]): unknown {
        compared += 1;
        return Reflect.apply(real, this, given);
      };
      Reflect.set(String.prototype, name, counting);
      return () => Reflect.set(String.prototype, name, real);
    });
    try {
      assert.equal(secrets.mask(text), text);
    } finally {
      for (const restore of counted) restore();
    }
    assert.ok(compared < 50 * text.length, `${compared} for ${text.length}`);
    assert.equal(secrets.mask(`x ${'a'.repeat(60)}7 y`), `x ${MASK} y`);
  });

  it('many of one head are taken out with what follows it, and few as far as they go', () => {
    const head = 'b1-'.repeat(30);
    const text = `x ${head}-3-tail, y ${head.slice(0, 64)} z`;
    for (const [count, expected] of [
      [5, `x ${MASK}, y ${MASK} z`],
      [50, `x ${MASK} y ${MASK} z`],
    ] as const) {
      const secrets = new SecretValues();
      for (let at = 0; at < count; at += 1) secrets.add('token', `${head}-${at}-tail`);
      assert.equal(secrets.mask(text), expected, String(count));
    }
  });
});
