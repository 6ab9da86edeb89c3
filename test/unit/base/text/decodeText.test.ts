import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { decodeText } from '../../../../src/base/text/decodeText.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { readSourceFile } from '../../../../src/config/sources/readSourceFile.ts';
import { sourceOf } from '../../config/sources.ts';

const text = '{ "mcpServers": { "é€𝄞": { "command": "x" } } }\r\n';
const le = Buffer.from(text, 'utf16le');
const be = Buffer.from(le).swap16();
const forms: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['UTF-8', Buffer.from(text)],
  ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 LE', le],
  ['UTF-16 LE with a byte order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), le])],
  ['UTF-16 BE', be],
  ['UTF-16 BE with a byte order mark', Buffer.concat([Buffer.from([0xfe, 0xff]), be])],
];

describe('base/decodeText', () => {
  for (const [name, bytes] of forms) {
    it(name, () => assert.equal(decodeText(bytes).replace(/^\uFEFF/, ''), text));

    it(`${name}: a file of servers`, async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'decode-'));
      try {
        const file = path.join(folder, 'mcp.json');
        await writeFile(file, bytes);
        const source = sourceOf({ file });
        const { entries, problems } = parseSource(source, (await readSourceFile(source, 'linux')) ?? '');
        assert.deepEqual(
          [entries.map((entry) => entry.name), problems.filter(({ severity }) => severity !== 'hint')],
          [['é€𝄞'], []],
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }

  it('takes an empty file, one byte, Latin-1 and a zero within a text for UTF-8', () => {
    assert.equal(decodeText(Buffer.alloc(0)), '');
    assert.equal(decodeText(Buffer.from('{')), '{');
    assert.equal(decodeText(Buffer.from('caf\u00e9 {}', 'latin1')), 'caf\uFFFD {}');
    assert.equal(decodeText(Buffer.from('{"a":"\u0000bcdefgh"}')), '{"a":"\u0000bcdefgh"}');
  });
});
