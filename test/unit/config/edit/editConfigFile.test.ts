import assert from 'node:assert/strict';
import {
  array,
  assert as check,
  boolean,
  constant,
  constantFrom,
  dictionary,
  integer,
  oneof,
  property,
  record,
  string,
} from 'fast-check';
import { parse } from 'jsonc-parser';
import { editConfigFile, type EditedConfig } from '../../../../src/config/edit/editConfigFile.ts';
import { placeForServers } from '../../../../src/config/edit/serverPlace.ts';

const added = { command: 'y', args: ['b'] };
const textOf = (edited: EditedConfig): string => ('text' in edited ? edited.text : assert.fail(edited.refusal.message));
const addTo = (text: string): EditedConfig =>
  editConfigFile(text, (root) => [{ path: [...placeForServers(root, 'mcpServers').path, 'n'], value: added }]);
const add = (text: string): string => textOf(addTo(text));

describe('config/editConfigFile', () => {
  it('starts an empty file, and one with comments alone', () => {
    const server =
      '{\n  "mcpServers": {\n    "n": {\n      "command": "y",\n      "args": [\n        "b"\n      ]\n    }\n  }\n}\n';
    assert.equal(add(''), server);
    assert.equal(add('// mine\n'), `// mine\n${server}`);
  });

  it('keeps tabs, and an entry on one line as it is', () => {
    assert.equal(
      add('{\n\t"mcpServers": {\n\t\t"a": { "command": "x" }\n\t}\n}\n'),
      '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" },\n\t\t"n": {\n\t\t\t"command": "y",\n\t\t\t"args": [\n\t\t\t\t"b"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    );
  });

  it('keeps a comment with the entry that it stands behind, and a trailing comma', () => {
    const text = (comma: string, more: string): string =>
      `{\n  "mcpServers": {\n    "a": {}${comma} // mine\n${more}    // last\n  }\n}`;
    const more = (comma: string): string =>
      `    "n": {\n      "command": "y",\n      "args": [\n        "b"\n      ]\n    }${comma}\n`;
    assert.equal(add(text('', '')), text(',', more('')));
    assert.equal(add(text(',', '')), text(',', more(',')));
  });

  it('keeps what is on one line on one line', () => {
    assert.equal(
      add('{ "mcpServers": { "a": { "command": "x" } } }'),
      '{ "mcpServers": { "a": { "command": "x" }, "n": { "command": "y", "args": [ "b" ] } } }',
    );
  });

  it('fills an empty object, with a comment in it or not', () => {
    assert.match(add('{\n  // none yet\n}\n'), /^\{\n {2}\/\/ none yet\n {2}"mcpServers": \{\n[^]*\n {2}\}\n\}\n$/);
    assert.match(add('{\n    "mcpServers": {}\n}'), /^\{\n {4}"mcpServers": \{\n {8}"n": \{\n[^]*\n {4}\}\n\}$/);
  });

  it('adds where the file has its servers: under its own key, or at the root of a flat map', () => {
    assert.deepEqual(Object.keys(parse(add('{"servers":{"a":{"command":"x"}}}')).servers), ['a', 'n']);
    assert.deepEqual(Object.keys(parse(add('{"a":{"command":"x"}}'))), ['a', 'n']);
  });

  it('appends to a list', () => {
    const edited = editConfigFile('{\n "inputs": [\n  1\n ]\n}', () => [{ path: ['inputs'], value: 2 }]);
    assert.equal(textOf(edited), '{\n "inputs": [\n  1,\n  2\n ]\n}');
  });

  for (const [text, line, column] of [
    ['{"mcpServers":{"a":{"command":"x"', 1, 34],
    ['{"mcpServers":{"a":{"command":"x"}}\n "b":1}', 2, 2],
    ['{\r\n  "mcpServers": {\r\n    "a" {}\r\n  }\r\n}', 3, 9],
    ['[]', 1, 1],
    ['{\n  "mcpServers": []\n}', 2, 17],
    ['{\n  "mcpServers": {\n    "n": { "command": "x" }\n  }\n}', 3, 10],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} and says where`, () => {
      const edited = addTo(text);
      assert.ok('refusal' in edited);
      assert.deepEqual([edited.refusal.line, edited.refusal.column], [line, column]);
    });
  }

  it('writes what the same file with one more server looks like, whatever its indentation and line ends', () => {
    const name = string({ minLength: 1, maxLength: 8 }).filter(
      (text) => text !== 'n' && !/^(?:\$|_|\/\/|#|comments?$)|__proto__/.test(text) && !/^\d+$/.test(text),
    );
    const servers = dictionary(
      name,
      record({ command: string(), args: array(string(), { minLength: 1, maxLength: 2 }) }),
      { minKeys: 1, maxKeys: 3, noNullPrototype: true },
    );
    const style = record({
      unit: constantFrom('\t', ' ', '  ', '    '),
      eol: constantFrom('\n', '\r\n'),
      mark: boolean(),
      end: boolean(),
    });
    check(
      property(servers, style, constantFrom('mcpServers', 'servers'), (map, { unit, eol, mark, end }, section) => {
        const write = (value: unknown): string =>
          (mark ? '\uFEFF' : '') +
          JSON.stringify({ [section]: value }, undefined, unit).replaceAll('\n', eol) +
          (end ? eol : '');
        assert.equal(add(write(map)), write({ ...map, n: added }));
      }),
    );
  });

  it('loses nothing of any text: it adds, or refuses', () => {
    const piece = oneof(
      constantFrom(
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"mcpServers"',
        '"a"',
        '{"command":"x"}',
        '// c\n',
        '/* d */',
        '\n',
        '\t',
        ' ',
        '1',
        'null',
      ),
      constant('"mcpServers": {"a": {"command": "x"}}'),
      integer({ min: 0, max: 9 }).map(String),
    );
    check(
      property(array(piece, { maxLength: 14 }), (pieces) => {
        const text = `{${pieces.join('')}}`;
        const edited = addTo(text);
        if ('refusal' in edited) return;
        let rest = edited.text;
        for (const character of text.replaceAll(/\s/g, '')) {
          const at = rest.indexOf(character);
          assert.ok(at >= 0, edited.text);
          rest = rest.slice(at + 1);
        }
        assert.ok(JSON.stringify(parse(edited.text)).includes(JSON.stringify(added)), edited.text);
      }),
      { numRuns: 3000 },
    );
  });
});
