import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../../scripts/lib/paths.mjs';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { DESCRIBED_FIELDS } from '../../../../src/config/read/unreadKeys.ts';
import type { TransportSpec } from '../../../../src/config/configTypes.ts';
import { sourceOf } from '../sources.ts';

const parse = (text: string, format: 'mcp' | 'settings' = 'mcp'): ReturnType<typeof parseSource> =>
  parseSource(sourceOf({ format, file: '/w/mcp.json' }), text);

/** Names and codes: what most of these tests are about. */
const summary = (text: string, format: 'mcp' | 'settings' = 'mcp'): string => {
  const { parsed, entries, broken, problems } = parse(text, format);
  const parts = [
    entries.map((entry) => entry.name).join(' '),
    broken.map(({ name }) => `!${name}`).join(' '),
    problems.map(({ code, range }) => `${code}@${range.line}:${range.column}`).join(' '),
  ];
  return `${parsed ? '' : 'unparsed '}${parts.filter(Boolean).join(' | ')}`;
};

const transportOf = (entry: object): TransportSpec | undefined =>
  parse(JSON.stringify({ mcpServers: { a: entry } })).entries[0]?.transport;

const codesOf = (entry: object): string =>
  parse(JSON.stringify({ mcpServers: { a: entry } }))
    .problems.map((problem) => problem.code)
    .join(' ');

describe('config/parse: layouts', () => {
  const a = '{"command":"x"}';
  for (const [text, expected] of [
    [`{"mcpServers":{"a":${a}}}`, 'a'],
    [`{"servers":{"a":${a}},"inputs":[]}`, 'a'],
    [`{"mcp":{"servers":{"a":${a}}}}`, 'a'],
    [`{"mcp.servers":{"a":${a}}}`, 'a'],
    [`{"context_servers":{"a":${a}}}`, 'a'],
    [`{"mcp":{"a":${a}}}`, 'a'],
    [`{"a":${a},"b":{"url":"https://h"}}`, 'a b'],
    [`{"$schema":"s","inputs":[],"a":${a}}`, 'a'],
    [`{"servers":${a}}`, 'servers'],
    [`{"mcp":${a},"mcpServers":${a}}`, 'mcp mcpServers'],
    [`{"servers":{"a":${a}},"mcpServers":{"b":${a}}}`, 'a b'],
    ['{}', ''],
    ['', ''],
    [' \n', ''],
    ['// nothing yet\n', ''],
    ['{"mcpServers":{}}', ''],
    ['{"mcpServers":null}', ''],
  ] as const)
    it(JSON.stringify(text), () => assert.equal(summary(text), expected));

  it('a flat map is no layout of a settings file, nor is `servers`', () => {
    assert.equal(summary(`{"a":${a}}`, 'settings'), '');
    assert.equal(summary(`{"servers":{"a":${a}}}`, 'settings'), 'unread-section@1:2');
    assert.equal(summary(`{"mcp.servers":{"a":${a}},"mcpServers":{"b":${a}}}`, 'settings'), 'a b');
  });

  it('says which key an entry stands under', () => {
    const sections = (text: string): unknown[] => parse(text).entries.map((entry) => entry.section);
    assert.deepEqual(sections(`{"servers":{"a":${a}},"mcpServers":{"b":${a}}}`), ['servers', 'mcpServers']);
    assert.deepEqual(sections(`{"mcp":{"servers":{"a":${a}}}}`), ['mcp.servers']);
    assert.deepEqual(sections(`{"a":${a}}`), [undefined]);
  });
});

describe('config/parse: syntax', () => {
  it('reads comments, trailing commas, a byte order mark and CRLF', () => {
    const text = '\uFEFF{\r\n  // why\r\n  "mcpServers": { /* x */\r\n    "a": { "command": "x", },\r\n  },\r\n}\r\n';
    assert.equal(summary(text), 'a');
    const range = parse(text).entries[0]?.range;
    assert.deepEqual([range?.line, range?.column, range?.endColumn], [4, 5, 8]);
    assert.equal(text.slice(1).slice(range?.offset, (range?.offset ?? 0) + (range?.length ?? 0)), '"a"');
  });

  it('counts no byte order mark in the first line', () => {
    assert.equal(parse('\uFEFF{"mcpServers":{"a":{"command":"x"}}}').entries[0]?.range.column, 16);
  });

  it('loads all in spite of a missing comma, and can add it', () => {
    const text = '{"mcpServers":{\n"a":{"command":"x"} // c\n"b":{"command":"y" "args":["1" "2"]}}}';
    assert.equal(summary(text), 'a b | missing-comma@3:1 missing-comma@3:20 missing-comma@3:32');
    const edits = parse(text).problems.map((problem) => problem.edit);
    const fixed = edits
      .toSorted((one, other) => (other?.offset ?? 0) - (one?.offset ?? 0))
      .reduce((result, edit) => result.slice(0, edit?.offset) + edit?.text + result.slice(edit?.offset), text);
    assert.equal(fixed, '{"mcpServers":{\n"a":{"command":"x"}, // c\n"b":{"command":"y", "args":["1", "2"]}}}');
  });

  it('an unescaped backslash costs its own entry alone', () => {
    const text = String.raw`{"mcpServers":{"a":{"command":"C:\Users\x"},"b":{"command":"y"}}}`;
    assert.match(summary(text), /^b \| !a \| invalid-escape@1:\d+/);
  });

  for (const [text, code] of [
    ['{"mcpServers":{"a":{"command":"x"', 'unclosed'],
    ['{"mcpServers":{"a":{"command":}}}', 'value-expected'],
    ["{'mcpServers':{}}", 'unexpected-text'],
    ['{"mcpServers":{"a":{"command":"x}}}', 'unclosed'],
    ['{"mcpServers":{}}}', 'text-after-end'],
    ['[]', 'not-an-object'],
    ['"x"', 'not-an-object'],
    ['hello', 'unexpected-text'],
    ['['.repeat(100_000), 'too-deep'],
  ] as const)
    it(`${text.slice(0, 40)} can't be read`, () => {
      const { parsed, problems } = parse(text);
      assert.equal(parsed, false);
      assert.ok(problems.some((problem) => problem.code === code && problem.severity === 'error' && problem.fix));
    });

  it('keeps of a broken text the entries that stand whole before the error', () => {
    const text = '{"mcpServers":{"a":{"command":"x"},"b":{"command":"y","args":[,"c":{"command":"z"}}}';
    assert.match(summary(text), /^unparsed a \| value-expected@1:63/);
  });
});

describe('config/parse: what runs', () => {
  for (const [entry, expected] of [
    [{ command: 'x' }, { type: 'stdio', command: 'x', args: [], env: {} }],
    [
      { type: 'stdio', command: 'x', args: ['1'], env: { A: 'b' }, cwd: '/c', envFile: '.env' },
      { type: 'stdio', command: 'x', args: ['1'], env: { A: 'b' }, cwd: '/c', envFile: '.env' },
    ],
    [
      { command: ['x', '1'], args: ['2'] },
      { type: 'stdio', command: 'x', args: ['1', '2'], env: {} },
    ],
    [
      { type: 'local', command: ['x'], environment: { A: 1, B: true, C: null } },
      { type: 'stdio', command: 'x', args: [], env: { A: '1', B: 'true' } },
    ],
    [
      { command: 'x', env: [] },
      { type: 'stdio', command: 'x', args: [], env: {} },
    ],
    [{ url: 'https://h/m' }, { type: 'url', url: 'https://h/m', headers: {} }],
    [{ serverUrl: 'https://h' }, { type: 'url', url: 'https://h', headers: {} }],
    [{ endpoint: 'https://h' }, { type: 'url', url: 'https://h', headers: {} }],
    [{ httpUrl: 'https://h' }, { type: 'http', url: 'https://h', headers: {} }],
    [
      { type: 'remote', url: 'https://h' },
      { type: 'url', url: 'https://h', headers: {} },
    ],
    [
      { url: 'https://h', headersHelper: 'get' },
      { type: 'url', url: 'https://h', headers: {}, headersHelper: 'get' },
    ],
    [
      { type: 'sse', url: 'https://h', headers: { A: 'b' } },
      { type: 'sse', url: 'https://h', headers: { A: 'b' } },
    ],
    [
      { type: 'ws', url: 'wss://h' },
      { type: 'ws', url: 'wss://h', headers: {} },
    ],
    [{ url: 'ws://h:1/x' }, { type: 'ws', url: 'ws://h:1/x', headers: {} }],
    [{ url: '${BASE}/mcp' }, { type: 'url', url: '${BASE}/mcp', headers: {} }],
    [{ url: 'http://${HOST}:${PORT:-80}/mcp' }, { type: 'url', url: 'http://${HOST}:${PORT:-80}/mcp', headers: {} }],
  ] as const)
    it(JSON.stringify(entry), () => assert.deepEqual(transportOf(entry), expected));

  for (const type of ['http', 'streamable-http', 'streamableHttp', 'streamable_http', 'HTTP'])
    for (const key of ['type', 'transport', 'transportType'])
      it(`${key}: ${type}`, () => assert.equal(transportOf({ [key]: type, url: 'https://h' })?.type, 'http'));

  it('takes the names of maps as they are', () => {
    const text = '{"mcpServers":{"a":{"command":"x","env":{"__proto__":"1","constructor":"2"}}}}';
    const transport = parse(text).entries[0]?.transport;
    assert.equal(transport?.type === 'stdio' && JSON.stringify(transport.env), '{"__proto__":"1","constructor":"2"}');
  });

  for (const [entry, codes] of [
    [{ command: 'x', url: 'https://h' }, 'command-and-url'],
    [{}, 'nothing-to-run'],
    [{ type: 'stdio' }, 'nothing-to-run'],
    [{ command: '' }, 'empty-command'],
    [{ command: [] }, 'empty-command'],
    [{ command: 1 }, 'invalid-command'],
    [{ command: 'x', args: 'y' }, 'invalid-args'],
    [{ command: 'x', args: [1, {}] }, 'invalid-args invalid-args'],
    [{ command: 'x', env: { A: {} } }, 'invalid-env'],
    [{ command: 'x', env: 'A=b' }, 'invalid-env'],
    [{ command: 'x', cwd: 1 }, 'invalid-cwd'],
    [{ url: 'h/mcp' }, 'invalid-url'],
    [{ url: 'ftp://h' }, 'invalid-url'],
    [{ url: 'http://h:99999/' }, 'invalid-url'],
    [{ url: 'http://h:port/' }, 'invalid-url'],
    [{ url: 'https://h', headers: ['A'] }, 'invalid-headers'],
    [{ type: 'streamable', url: 'https://h' }, 'unknown-type'],
    [{ type: 1, command: 'x' }, 'unknown-type'],
    [{ type: 'http', command: 'x' }, 'type-mismatch'],
    [{ type: 'stdio', url: 'https://h' }, 'type-mismatch'],
    [{ type: 'ws', url: 'https://h' }, 'invalid-url'],
    [{ type: 'http', url: 'wss://h' }, 'invalid-url'],
    [{ type: 'sdk', name: 'x' }, 'unsupported-type'],
  ] as const)
    it(`${JSON.stringify(entry)}: ${codes}`, () => {
      assert.equal(codesOf(entry), codes);
      const { entries, broken, problems } = parse(JSON.stringify({ servers: { a: entry, ok: { command: 'x' } } }));
      assert.deepEqual(
        entries.map(({ name }) => name),
        ['ok'],
      );
      assert.deepEqual(
        broken.map(({ name }) => name),
        ['a'],
      );
      assert.ok(problems.every((problem) => problem.fix && problem.serverName === 'a' && problem.severity === 'error'));
    });

  it('an entry that is no object is a problem of its own', () => {
    assert.equal(summary('{"mcpServers":{"a":"npx","b":{"command":"x"}}}'), 'b | !a | entry-not-an-object@1:20');
    assert.equal(summary('{"mcpServers":["a"]}'), 'servers-not-an-object@1:15');
  });

  it('names the port that is none', () => {
    const problem = parse('{"mcpServers":{"a":{"url":"http://h:99999/"}}}').problems[0];
    assert.equal(problem?.message, '`99999` is not a port: use a number from 1 to 65535.');
  });

  it('can quote a number among the arguments', () => {
    assert.deepEqual(parse('{"a":{"command":"x","args":[8080]}}').problems[0]?.edit, {
      offset: 28,
      length: 4,
      text: '"8080"',
    });
  });
});

describe('config/parse: other fields', () => {
  it('disabled, enabled and timeout', () => {
    const entry = (fields: object): unknown => {
      const found = parse(JSON.stringify({ a: { command: 'x', ...fields } })).entries[0];
      return [found?.disabled, found?.callTimeoutMs];
    };
    assert.deepEqual(entry({}), [false, undefined]);
    assert.deepEqual(entry({ disabled: true }), [true, undefined]);
    assert.deepEqual(entry({ enabled: false }), [true, undefined]);
    assert.deepEqual(entry({ disabled: 'true', timeout: 5000 }), [true, 5000]);
    assert.deepEqual(entry({ disabled: 'no', timeout: -1 }), [false, undefined]);
    assert.equal(codesOf({ command: 'x', disabled: 'no', timeout: -1 }), 'invalid-flag invalid-timeout');
  });

  it('an unknown field is a hint; a remark is nothing', () => {
    const { entries, problems } = parse('{"a":{"command":"x","whatever":[],"_comment":"c","description":"d"}}');
    assert.equal(entries.length, 1);
    assert.deepEqual(
      problems.map(({ code, severity }) => [code, severity]),
      [['unknown-field', 'hint']],
    );
  });

  it('a server under a name that counts as a remark isn’t read, and says so; a remark that is no server says nothing', () => {
    for (const name of ['$x', '_x', '//x', '#x', 'comment', 'comments'])
      for (const text of [
        JSON.stringify({ mcpServers: { [name]: { command: 'x' }, a: { command: 'a' } } }),
        JSON.stringify({ [name]: { url: 'https://x' }, a: { command: 'a' } }),
      ]) {
        const { entries, problems } = parse(text);
        assert.deepEqual(
          entries.map((each) => each.name),
          ['a'],
        );
        assert.deepEqual(
          problems.map(({ code, severity }) => [code, severity]),
          [['remark', 'hint']],
          text,
        );
      }
    assert.deepEqual(parse('{"mcpServers":{"_comment":"ours","$schema":{"a":1},"a":{"command":"a"}}}').problems, []);
  });

  it('a name that fills the screen is an error, and costs its own entry alone', () => {
    const named = (length: number): object => ({ ['n'.repeat(length)]: { command: 'x' } });
    const { entries, broken, problems } = parse(
      JSON.stringify({ mcpServers: { ...named(256), ...named(257), a: { command: 'a' } } }),
    );
    assert.deepEqual(
      entries.map(({ name }) => name.length),
      [256, 1],
    );
    assert.deepEqual(
      broken.map(({ problem }) => problem.code),
      ['long-name'],
    );
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['odd-name', 'long-name'],
    );
  });

  it('a field that is written like one of ours is named, and a quick fix renames it', () => {
    const text = (key: string, rest: string): string => `{"mcpServers":{"a":{${JSON.stringify(key)}:"x"${rest}}}}`;
    for (const [written, meant] of [
      ['commnd', 'command'],
      ['comand', 'command'],
      ['Command', 'command'],
      ['agrs', 'args'],
      ['evn', 'env'],
      ['start_mode', 'startMode'],
      ['disableTools', 'disabledTools'],
      ['headrs', 'headers'],
      ['tiemout', 'timeout'],
    ] as const) {
      const given = text(written, meant === 'command' ? '' : ',"command":"x"');
      const problem = parse(given).problems.find(({ code }) => code === 'misspelt-field');
      assert.ok(problem?.edit, written);
      const { offset, length, text: edit } = problem.edit;
      const fixed = given.slice(0, offset) + edit + given.slice(offset + length);
      assert.ok(fixed.includes(JSON.stringify(meant)), `${written}: ${fixed}`);
    }
  });

  it('no other word is taken for a field: nothing is said of fields of other clients, nor a fix offered for unlike ones', () => {
    for (const key of ['tags', 'cost', 'group', 'owner', 'notes', 'priority', 'category', 'x', 'uuid', 'metadata'])
      assert.deepEqual(
        parse(`{"a":{"command":"x",${JSON.stringify(key)}:"y"}}`).problems.map(({ code }) => code),
        ['unknown-field'],
        key,
      );
  });

  it('every field of the schema is one that a misspelling is compared with', () => {
    const schema = JSON.parse(readFileSync(join(root, 'schemas/mcp.schema.json'), 'utf8')) as {
      readonly definitions: { readonly server: { readonly properties: object } };
    };
    const missing = Object.keys(schema.definitions.server.properties).filter(
      (field) => !DESCRIBED_FIELDS.includes(field),
    );
    assert.deepEqual(missing, []);
  });
});
