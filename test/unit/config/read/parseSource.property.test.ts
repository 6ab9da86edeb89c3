import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { expandSpec } from '../../../../src/config/variables/expandVariables.ts';
import { parseSource, type ParsedSource } from '../../../../src/config/read/parseSource.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import type { ServerEntry, TransportSpec } from '../../../../src/config/configTypes.ts';
import { sourceOf } from '../sources.ts';

const FILES = ['/w/.mcp.json', '/w/.vscode/mcp.json', '/w/settings.json', '/w/config.toml', '/w/opencode.json'];
const fileName = fc.constantFrom(...FILES);
const read = (file: string, text: string): ParsedSource =>
  parseSource(sourceOf({ file, format: file.includes('settings') ? 'settings' : 'mcp' }), text, readToml);

/** What has to hold of every result, whatever the text. */
function checkResult({ parsed, entries, broken, problems }: ParsedSource, text: string): void {
  const names = [...entries, ...broken].map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  if (!parsed) assert.ok(problems.some(({ severity }) => severity === 'error'));
  for (const { range, message, edit } of problems) {
    assert.ok(message.length > 0);
    assert.ok(range.line >= 1 && range.column >= 1 && range.offset >= 0 && range.offset + range.length <= text.length);
    if (edit) assert.ok(edit.offset >= 0 && edit.offset + edit.length <= text.length);
  }
}

/** Pieces of config files: what a random text of them says is closer to the real thing than random letters. */
const piece = fc.constantFrom(
  ...['{', '}', '[', ']', ',', ':', '"', "'", '\\', '\n', '\r\n', ' ', '//', '/*', '*/', '#', '=', '.', '${', '$env:'],
  ...[
    '"mcpServers"',
    '"servers"',
    '"mcp"',
    '"a"',
    '"command"',
    '"url"',
    '"args"',
    '"env"',
    'true',
    'null',
    '-1e9',
    '\uFEFF',
  ],
  ...['"npx -y x"', '"https://h:1/x"', '[mcp_servers.a]', '[[x]]', 'command = "x"', '"""', "'''", '\u0000', '\uD800'],
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join('')),
  fc.json(),
);

const goodEntry = fc.oneof(
  fc.record(
    {
      command: fc.constantFrom('npx', '/bin/x', '${HOME}/x'),
      args: fc.array(fc.string(), { maxLength: 3 }),
      env: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
      disabled: fc.boolean(),
      timeout: fc.integer({ min: 1000 }),
    },
    { requiredKeys: ['command'] },
  ),
  fc.record(
    {
      url: fc.webUrl(),
      type: fc.constantFrom('http', 'sse'),
      headers: fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    },
    { requiredKeys: ['url'] },
  ),
);
const serverName = fc
  .string({ minLength: 1 })
  .filter((name) => name.trim() !== '' && !/^[$_#/]|^comments?$/.test(name));
const badEntry = fc.oneof(
  fc.constantFrom('1', '"npx"', 'null', '[]', '{}', '{"command":1}', '{"command":"x","url":"y"}', '{"url":"h:x"}'),
  fc.constantFrom(
    '{"type":"x","url":"https://h"}',
    '{"command":"x","args":[1]}',
    '{"command":"C:\\x"}',
    '{"command":"a" "args":["b"]}',
  ),
  fc.constantFrom('{"command":"npx x"}', '{"command":"x","env":[1]}', '{"type":"stdio"}', '{"command":"\t"}'),
);

describe('config/parse: properties', () => {
  it('any text gives a result, with places inside of it', () => {
    fc.assert(
      fc.property(fileName, anyText, (file, text) => {
        checkResult(read(file, text), text);
      }),
      { numRuns: 3000 },
    );
  }).timeout(120_000);

  it('any bytes do', () => {
    fc.assert(
      fc.property(fileName, fc.uint8Array({ maxLength: 400 }), (file, bytes) => {
        const text = new TextDecoder().decode(bytes);
        checkResult(read(file, text), text);
      }),
      { numRuns: 1000 },
    );
  }).timeout(120_000);

  it('a good text that is cut anywhere, or has one piece too many, does', () => {
    const file = fc
      .dictionary(serverName, goodEntry, { maxKeys: 4 })
      .map((servers) => JSON.stringify({ servers }, undefined, 1));
    fc.assert(
      fc.property(file, fc.nat(), piece, (text, at, extra) => {
        const place = at % (text.length + 1);
        for (const changed of [text.slice(0, place), text.slice(0, place) + extra + text.slice(place)])
          checkResult(read('/w/.vscode/mcp.json', changed), changed);
      }),
      { numRuns: 1000 },
    );
  }).timeout(120_000);

  it('one bad entry changes no other entry', () => {
    const servers = fc.uniqueArray(fc.tuple(serverName, goodEntry), { selector: ([name]) => name, maxLength: 5 });
    fc.assert(
      fc.property(servers, badEntry, fc.nat(), (good, bad, at) => {
        const members = good.map(([name, entry]) => `${JSON.stringify(name)}: ${JSON.stringify(entry)}`);
        const place = at % (members.length + 1);
        const withBad = members.toSpliced(place, 0, `"the bad one": ${bad}`);
        const results = [members, withBad].map((list) =>
          read('/w/.mcp.json', `{"mcpServers":{\n${list.join(',\n')}\n}}`),
        );
        const [before, after] = results.map(({ entries }) =>
          entries.filter(({ name }) => name !== 'the bad one').map(withoutPlace),
        );
        assert.deepEqual(after, before);
        assert.equal(before?.length, good.length);
      }),
      { numRuns: 1000 },
    );
  }).timeout(120_000);

  it('a megabyte of anything takes no time', () => {
    const texts = [
      ...['[', '{', '"', '/', '/*', '${', 'x ', '\n', '{"a":', 'a.', '[[', '= ', '\\'].map((text) =>
        text.repeat(1_000_000 / text.length),
      ),
      `{"mcpServers":{"a":{"command":"x","args":["${'${'.repeat(400_000)}"]}}}`,
      `{"mcpServers":{"a":{"url":"http://${'${'.repeat(400_000)}"}}}`,
      `{"mcpServers":{${'"a":{"command":"x" "args":["a" "b"]} '.repeat(25_000)}}}`,
    ];
    for (const file of ['/w/.mcp.json', '/w/config.toml'])
      for (const text of texts) {
        const before = process.cpuUsage();
        read(file, text);
        const used = process.cpuUsage(before);
        // Far above the 200 ms it may take: this machine does other things, too. What it must not be is quadratic.
        assert.ok((used.user + used.system) / 1000 < 2000, `${text.slice(0, 20)} in ${file}`);
      }
  }).timeout(120_000);
});

describe('config/variables: properties', () => {
  const text = fc
    .array(fc.constantFrom('${', '}', 'A', 'B', ':-', '$env:', 'env:', '%', '~/', 'x', '$'), { maxLength: 12 })
    .map((pieces) => pieces.join(''));
  it('no literal ${X} gets through', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('linux', 'win32'), (value, platform) => {
        const spec: TransportSpec = { type: 'stdio', command: value, args: [value], env: { E: value }, cwd: value };
        const result = expandSpec(spec, { env: { A: 'a' }, platform, userHome: '/h', workspaceFolders: [] });
        if (result.ok && result.spec.type === 'stdio') assert.doesNotMatch(result.spec.args[0] ?? '', /\$\{[^{}]*\}/);
      }),
      {
        numRuns: 3000,
        examples: [
          ['${${${:-}}', 'linux'],
          ['${${A:-}}', 'linux'],
          ['${${:-A}}', 'linux'],
        ],
      },
    );
  }).timeout(120_000);
});

function withoutPlace({ range: _range, variables: _variables, ...entry }: ServerEntry): unknown {
  return entry;
}
