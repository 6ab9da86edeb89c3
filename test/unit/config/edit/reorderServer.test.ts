import assert from 'node:assert/strict';
import {
  array,
  assert as check,
  boolean,
  constantFrom,
  integer,
  property,
  record,
  tuple,
  uniqueArray,
} from 'fast-check';
import { reorderServer } from '../../../../src/config/edit/reorderServer.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { sourceOf } from '../sources.ts';

const source = sourceOf();

function reorder(text: string, name: string, before?: string): string {
  const edited = reorderServer(text, source, name, before);
  return 'text' in edited ? edited.text : assert.fail(edited.refusal.message);
}

describe('config/reorderServer', () => {
  const file = (...lines: string[]): string =>
    `{\n  "mcpServers": { // ours\n${lines.map((line) => `    ${line}\n`).join('')}    // the end\n  }\n}\n`;

  it('moves a server with the comments in front of it and at the end of its line', () => {
    const text = file('// first', '"a": { "command": "a" }, // A', '// second', '"b": { "command": "b" } // B');
    assert.equal(
      reorder(text, 'b', 'a'),
      file('// second', '"b": { "command": "b" }, // B', '// first', '"a": { "command": "a" } // A'),
    );
    assert.equal(reorder(text, 'a'), reorder(text, 'b', 'a'));
    assert.equal(reorder(text, 'b'), text);
  });

  it('keeps a trailing comma, one line, and a byte order mark', () => {
    assert.equal(
      reorder(file('"a": {"command":"a"},', '"b": {"command":"b"},'), 'a'),
      file('"b": {"command":"b"},', '"a": {"command":"a"},'),
    );
    assert.equal(
      reorder('\uFEFF{"servers":{"a":{"command":"a"}, "b":{"command":"b"}}}', 'b', 'a'),
      '\uFEFF{"servers":{"b":{"command":"b"}, "a":{"command":"a"}}}',
    );
  });

  it('refuses a syntax error, TOML, and a server that isn’t there once', () => {
    const refusals = [
      reorderServer('{"servers":{"a":{},', source, 'a', undefined),
      reorderServer('[mcp_servers.a]', { ...source, file: '/x/.codex/config.toml', client: 'codex' }, 'a', undefined),
      reorderServer('{"servers":{"a":{"command":"a"}}}', source, 'a', 'z'),
      reorderServer('{"servers":{"a":{"command":"1"},"a":{"command":"2"}}}', source, 'a', undefined),
    ];
    for (const refusal of refusals) assert.ok('refusal' in refusal, JSON.stringify(refusal));
  });

  it('changes the order and nothing else, however the file is written', () => {
    const style = record({
      eol: constantFrom('\n', '\r\n', ' '),
      comments: boolean(),
      trailing: boolean(),
      names: uniqueArray(constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 2 }),
      picks: tuple(integer({ min: 0, max: 4 }), integer({ min: 0, max: 5 })),
      remarks: array(boolean(), { minLength: 5, maxLength: 5 }),
    });
    check(
      property(style, ({ eol, comments, trailing, names, picks, remarks }) => {
        const hasLines = eol !== ' ';
        const entries = names.map((name, index) => {
          const comma = index < names.length - 1 || trailing ? ',' : '';
          const remark = remarks[index] && hasLines ? ` // of ${name}` : '';
          const lead = comments && hasLines ? `// before ${name}${eol}` : '';
          return `${lead}  "${name}": { "command": "${name}" }${comma}${remark}`;
        });
        const text = `{ "mcpServers": {${eol}${entries.join(eol)}${eol}} }`;
        const name = names[picks[0] % names.length] ?? 'a';
        const before = names.filter((each) => each !== name)[picks[1]];
        const edited = reorder(text, name, before);
        const rest = names.filter((each) => each !== name);
        const at = before === undefined ? rest.length : rest.indexOf(before);
        const { entries: read, problems } = parseSource(source, edited);
        assert.deepEqual(
          read.map((entry) => entry.name),
          [...rest.slice(0, at), name, ...rest.slice(at)],
        );
        assert.deepEqual(problems, []);
        assert.deepEqual(
          edited.split(/\s+/).sort().join(' ').replaceAll(',', ''),
          text.split(/\s+/).sort().join(' ').replaceAll(',', ''),
        );
        if (comments && hasLines)
          for (const each of names) assert.ok(edited.includes(`// before ${each}${eol}  "${each}"`), edited);
      }),
    );
  });
});
