import { strict as assert } from 'node:assert';
import { inertBytes, inertText } from '../../../../src/base/text/inertText.ts';

describe('the text of a server in an editor', () => {
  it('has no address of a command', () => {
    for (const text of [
      '[x](command:a.b)',
      '<COMMAND:a>',
      '[a]: command:x?%5B1%5D',
      '<a href="command:a">',
      'command\\:a',
    ])
      assert.ok(!/command\\?:/i.test(inertText(text)), text);
    for (const text of ['command: npm start', '"command":"node"', '# The command', 'commands:x'])
      assert.equal(inertText(text), text);
  });

  it('the same where it comes as bytes, in each encoding that an editor reads; what is no text stays', () => {
    const utf16 = Buffer.from('\ufeff[x](command:a)', 'utf16le');
    const turned = Buffer.from(utf16).swap16();
    for (const bytes of [Buffer.from('[x](command:a)'), Buffer.from('\ufeff[x](command:a)'), utf16, turned])
      assert.match(Buffer.from(inertBytes(bytes)).toString(), /\[x\]\(command :a\)/);
    const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, ...Buffer.from('command:a')]);
    assert.equal(inertBytes(image), image);
  });
});
