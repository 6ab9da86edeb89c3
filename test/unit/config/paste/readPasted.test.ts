import assert from 'node:assert/strict';
import { readPasted, type Pasted } from '../../../../src/config/paste/readPasted.ts';
import type { ServerEntry } from '../../../../src/config/configTypes.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { readYaml } from '../../../../src/config/syntax/readYaml.ts';
import { HOSTILE, PASTED, PASTED_YAML } from './pastedTexts.ts';

function read(text: string, platform: NodeJS.Platform = 'linux'): Pasted | { message: string; fix: string } {
  return readPasted(text, { platform, taken: new Set(), readToml, readYaml });
}

/** A server in one line: `name = words {ENV=value} @folder`, or `name = type url [header: value]`. */
function line({ name, transport }: ServerEntry): string {
  const pairs = (map: Readonly<Record<string, string>>, sign: string): string[] =>
    Object.entries(map).map(([key, value]) => `${key}${sign}${value}`);
  if (transport.type === 'sdk') return name;
  if (transport.type !== 'stdio')
    return [
      `${name} = ${transport.type} ${transport.url}`,
      ...pairs(transport.headers, ': ').map((each) => `[${each}]`),
    ].join(' ');
  const words = [transport.command, ...transport.args].map((word) =>
    /\s|^$/.test(word) ? JSON.stringify(word) : word,
  );
  const env = pairs(transport.env, '=');
  return [
    `${name} = ${words.join(' ')}`,
    ...(env.length > 0 ? [`{${env.join(', ')}}`] : []),
    ...(transport.cwd === undefined ? [] : [`@${transport.cwd}`]),
  ].join(' ');
}

describe('a pasted text', () => {
  for (const { title, text, servers, platform, answers } of PASTED)
    it(title, () => {
      const pasted = read(text, platform);
      assert.ok('servers' in pasted, JSON.stringify(pasted));
      assert.deepEqual(
        pasted.servers.map(({ entry }) => line(entry)),
        servers,
      );
      const given = Object.fromEntries(pasted.servers.flatMap((server) => [...server.answers]));
      assert.deepEqual(given, answers ?? {});
      // No secret stands in what would be written.
      const written = JSON.stringify(pasted.servers.map(({ entry }) => entry.transport));
      for (const secret of Object.values(given)) assert.ok(!written.includes(secret), secret);
      // Every input that is named is there.
      for (const { entry } of pasted.servers)
        for (const [, id] of JSON.stringify(entry.transport).matchAll(/\$\{input:([^}]+)\}/g))
          assert.ok(
            entry.inputs?.some((input) => input.id === id),
            id,
          );
    });

  for (const [begin, piece] of [
    ...['{', '`', '/*', '<td', ' ', '"', '\\', '|', '&', '- a ', 'a: '].flatMap((each) =>
      ['', '| ', 'The server is ', '{ a: ', 'POST https://x.example/mcp '].map((first) => [first, each] as const),
    ),
  ] as const)
    it(`ends soon for ${JSON.stringify(begin + piece)} again and again`, () => {
      const pasted = read(begin + piece.repeat(90_000 / piece.length));
      assert.ok('message' in pasted || pasted.servers.length < 3);
    });

  for (const { title, text, message, platform } of HOSTILE)
    it(`isn't read: ${title}`, () => {
      const pasted = read(text, platform);
      assert.ok('message' in pasted, JSON.stringify(pasted));
      assert.match(pasted.message, message);
      assert.ok(pasted.fix.length > 0);
    });

  it('as a box for one line leaves it, with a blank for each end of a line, is read the same', () => {
    let count = 0;
    for (const each of PASTED) {
      const { text, platform, servers } = each;
      if (
        PASTED_YAML.includes(each) ||
        !text.includes('\n') ||
        /\/\/ |#|```|^\$ |^export |^set |^\$env|^cd |^KEY_|^PS |^claude mcp add[^\n\\]*\nclaude/m.test(text)
      )
        continue;
      const pasted = read(text.replaceAll(/\r?\n/g, ' '), platform);
      assert.ok('servers' in pasted, `${text}\n${JSON.stringify(pasted)}`);
      assert.deepEqual(
        pasted.servers.map(({ entry }) => line(entry)),
        servers,
      );
      count += 1;
    }
    assert.ok(count >= 10, String(count));
  });

  it('in YAML isn’t read from a box for one line, so that its own line ends are taken', () => {
    for (const { text } of PASTED_YAML) assert.ok('message' in read(text.replaceAll('\n', ' ')), text);
  });

  it('that grants tools or rules to its server says that it isn’t taken', () => {
    const pasted = read(
      '{"mcpServers":{"x":{"command":"npx","args":["x"],"autoApprove":["*"],"trust":true,"disabled":true,"permissions":{"rules":[{"tool":"*","action":"allow"}]}}}}',
    );
    assert.ok('servers' in pasted);
    assert.match(pasted.leftOut.join(' '), /`autoApprove` of `x` isn’t taken/);
    assert.match(pasted.leftOut.join(' '), /`trust` of `x` isn’t taken/);
    const [server] = pasted.servers;
    assert.equal(server?.entry.autoApprove, undefined);
    assert.equal(server?.entry.permissionRules, undefined);
    assert.equal(server?.entry.disabled, false);
  });

  it('says of several servers which one can’t be read, and takes the others', () => {
    const pasted = read('{"mcpServers":{"good":{"command":"x"},"bad":{"type":"http"},"worse":7}}');
    assert.ok('servers' in pasted);
    assert.deepEqual(
      pasted.servers.map(({ entry }) => entry.name),
      ['good'],
    );
    assert.match(pasted.leftOut[0] ?? '', /`bad`: This server has neither `command` nor `url`/);
    assert.match(pasted.leftOut[1] ?? '', /`worse`: /);
  });

  it('a name that counts as a remark in files is none: another is suggested', () => {
    for (const [text, name] of [
      ['{"name":"_x","command":"npx","args":["-y","notes-mcp"]}', 'notes'],
      ['{"mcpServers":{"comments":{"url":"https://mcp.acme.com"}}}', 'acme'],
      ['{"$x":{"url":"https://mcp.acme.com"}}', 'acme'],
    ] as const) {
      const pasted = read(text);
      assert.ok('servers' in pasted, text);
      assert.deepEqual(
        pasted.servers.map(({ entry, isNamed }) => [entry.name, isNamed]),
        [[name, false]],
      );
    }
  });

  it('gives a server whose name isn’t given one that is free', () => {
    const taken = new Set(['memory', 'memory-2']);
    const pasted = readPasted('npx -y @modelcontextprotocol/server-memory', {
      platform: 'linux',
      taken,
      readToml,
      readYaml,
    });
    assert.ok('servers' in pasted);
    assert.equal(pasted.servers[0]?.entry.name, 'memory-3');
    assert.equal(pasted.servers[0].isNamed, false);
  });

  it('is read in a moment, however long or deep it is', () => {
    for (const text of [
      '{'.repeat(150_000),
      '['.repeat(150_000),
      '"'.repeat(150_001),
      '\\ '.repeat(70_000),
      'a=b '.repeat(40_000),
      '`'.repeat(100_001),
      'x'.repeat(199_000),
      '<a'.repeat(90_000),
      `{"mcpServers":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_001)}`,
    ])
      assert.ok(read(text), text.slice(0, 20));
  });
});
