import assert from 'node:assert/strict';
import { array, assert as check, boolean, constantFrom, property, uniqueArray } from 'fast-check';
import { removeServer } from '../../../../src/config/edit/removeServer.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { sourceOf } from '../sources.ts';

const source = sourceOf();
const codex = { ...source, file: '/home/me/.codex/config.toml', format: 'settings', client: 'codex' } as const;

function remove(text: string, name = 'b', of: Parameters<typeof removeServer>[1] = source): string {
  const edited = removeServer(text, of, name, readToml);
  return 'text' in edited ? edited.text : assert.fail(edited.refusal.message);
}

describe('config/removeServer', () => {
  const file = (...entries: string[]): string =>
    `{\n  // ours\n  "mcpServers": {\n${entries.map((entry) => `${entry}\n`).join('')}  }\n}\n`;
  const a = '    "a": { "command": "a" }';
  const b = '    "b": {\n      "command": "b" // why\n    }';
  const c = '    /* c */ "c": { "command": "c" }';

  it('takes a server out of the middle, the beginning and the end', () => {
    assert.equal(remove(file(`${a},`, `${b},`, c)), file(`${a},`, c));
    assert.equal(remove(file(`${b},`, a)), file(a));
    assert.equal(remove(file(`${a},`, b)), file(a));
    assert.equal(remove(file(b)), file());
  });

  it('keeps comments, a trailing comma, tabs and line ends', () => {
    assert.equal(remove(file(`${a}, // mine`, '    // next', b)), file(`${a} // mine`, '    // next'));
    assert.equal(remove(file(`${a},`, `${b}, // gone`, '    // last')), file(`${a},`, '    // last'));
    const tabs = '\uFEFF{\r\n\t"servers": {\r\n\t\t"b": { "command": "b" },\r\n\t\t"a": { "command": "a" }\r\n\t}\r\n}';
    assert.equal(remove(tabs), tabs.replace('\t\t"b": { "command": "b" },\r\n', ''));
  });

  it('keeps what is on one line on one line', () => {
    assert.equal(
      remove('{ "mcpServers": { "a": {"command":"a"}, "b": {"command":"b"} } }'),
      '{ "mcpServers": { "a": {"command":"a"} } }',
    );
    assert.equal(
      remove('{ "mcpServers": { "b": {"command":"b"}, "a": {"command":"a"} } }'),
      '{ "mcpServers": { "a": {"command":"a"} } }',
    );
    assert.equal(remove('{ "mcpServers": { "b": {"command":"b"} } }'), '{ "mcpServers": {} }');
    assert.equal(
      remove('{"mcpServers":{"a":{"command":"a"},\n"b":{"command":"b"}}}'),
      '{"mcpServers":{"a":{"command":"a"}}}',
    );
  });

  it('takes out every definition of the name: else an earlier one would run', () => {
    const text =
      '{\n  "mcpServers": {\n    "b": { "command": "1" },\n    "b": { "command": "2" }\n  },\n  "servers": {\n    "b": { "command": "3" }\n  }\n}\n';
    assert.equal(remove(text), '{\n  "mcpServers": {\n  },\n  "servers": {\n  }\n}\n');
  });

  it('removes one that can’t be used', () => {
    assert.equal(remove('{ "mcpServers": { "b": 7 } }'), '{ "mcpServers": {} }');
  });

  it('finds servers in settings, deeper down, and in a flat map', () => {
    const settings = { ...source, format: 'settings' } as const;
    assert.equal(
      remove('{ "x": 1, "mcp": { "servers": { "b": {"command":"b"} } } }', 'b', settings),
      '{ "x": 1, "mcp": { "servers": {} } }',
    );
    const project = { ...settings, within: ['projects', '/p'] };
    assert.equal(
      remove(
        '{ "projects": { "/q": { "mcpServers": { "b": {"command":"b"} } }, "/p": { "mcpServers": { "b": {"command":"b"} } } } }',
        'b',
        project,
      ),
      '{ "projects": { "/q": { "mcpServers": { "b": {"command":"b"} } }, "/p": { "mcpServers": {} } } }',
    );
    assert.equal(
      remove('{ "a": { "command": "a" }, "b": { "url": "https://b.example" } }'),
      '{ "a": { "command": "a" } }',
    );
  });

  it('takes tables out of TOML, and keeps the comments of what follows', () => {
    const text = (middle: string): string =>
      `# mine\nmodel = "x"\n\n[mcp_servers.a]\ncommand = "a"\n\n${middle}# about c\n[mcp_servers.c]\ncommand = "c" # c\n`;
    const tables = '[mcp_servers.b]\ncommand = "b"\nargs = ["[x]"]\n\n[mcp_servers.b.env]\nK = "v"\n';
    assert.equal(remove(text(`${tables}\n`), 'b', codex), text('\n'));
    assert.equal(remove('[mcp_servers."b c"]\ncommand = "b"\n', 'b c', codex), '');
  });

  it('says of a form that it can’t take out where it stands', () => {
    const edited = removeServer('x = 1\nmcp_servers.b.command = "b"\n', codex, 'b', readToml);
    assert.ok('refusal' in edited);
    assert.match(edited.refusal.message, /remove it by hand/);
  });

  it('refuses a file with a syntax error, and says where it is', () => {
    for (const text of [
      '{ "mcpServers": { "b": {"command":"b"} "a": {} } }',
      '{ "mcpServers": { "b": {"command":"b"} }',
      '{ "mcpServers": { "b": {"command":"\\q"} } }',
    ]) {
      const edited = removeServer(text, source, 'b');
      assert.ok('refusal' in edited, text);
      assert.equal(edited.refusal.line, 1);
    }
    assert.ok('refusal' in removeServer('{ "mcpServers": {} }', source, 'b'));
  });

  it('leaves every other server as it is, whatever the layout', () => {
    const gap = constantFrom('', ' ', '\n', '\n    ', ' /* x */ ', ' // y\n', '\r\n\t');
    const names = uniqueArray(constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1, maxLength: 5 });
    check(
      property(
        names,
        array(gap, { minLength: 24, maxLength: 24 }),
        boolean(),
        constantFrom(0, 1, 2, 3, 4),
        (keys, gaps, trailing, at) => {
          let next = 0;
          const space = (): string => gaps[next++ % gaps.length] ?? '';
          const body = keys
            .map((key) => `${space()}"${key}"${space()}:${space()}{ "command": "${key}" }${space()}`)
            .join(',');
          const text = `{${space()}"mcpServers": {${body}${trailing ? `,${space()}` : ''}}${space()}}`;
          const gone = keys[at % keys.length] ?? '';
          const left = parseSource(source, remove(text, gone)).entries.map(({ name, transport }) => [name, transport]);
          const before = parseSource(source, text).entries.map(({ name, transport }) => [name, transport]);
          assert.deepEqual(
            left,
            before.filter(([name]) => name !== gone),
          );
        },
      ),
    );
  });
});
