import assert from 'node:assert/strict';
import { readLink } from '../../../../src/config/paste/ownLinks.ts';
import type { Pasted } from '../../../../src/config/paste/readPasted.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { readYaml } from '../../../../src/config/syntax/readYaml.ts';

const read = (query: string): Pasted | { message: string } =>
  readLink(query, { platform: 'linux', taken: new Set(), readToml, readYaml });
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const namesOf = (query: string): readonly string[] | string => {
  const pasted = read(query);
  return 'servers' in pasted ? pasted.servers.map(({ entry }) => entry.name) : pasted.message;
};

describe('a link that adds a server', () => {
  const entry = { command: 'npx', args: ['-y', 'a&b=c'] };
  for (const [title, query] of [
    ['with its configuration in base64url', `config=${base64({ name: 'a', ...entry })}`],
    [
      'in base64, percent-encoded',
      `config=${encodeURIComponent(Buffer.from(JSON.stringify({ name: 'a', ...entry })).toString('base64'))}`,
    ],
    ['as text that the editor has decoded', `config=${JSON.stringify({ name: 'a', ...entry })}`],
    ['as text that is still encoded', `config=${encodeURIComponent(JSON.stringify({ name: 'a', ...entry }))}`],
    ['with its name beside it', `name=a&config=${JSON.stringify(entry)}`],
    ['as VS Code’s own links', JSON.stringify({ name: 'a', ...entry })],
    ['with a whole file', `config=${base64({ mcpServers: { a: entry } })}`],
  ] as const)
    it(title, () => {
      assert.deepEqual(namesOf(query), ['a']);
      const pasted = read(query);
      assert.ok('servers' in pasted);
      assert.deepEqual(pasted.servers[0]?.entry.transport, {
        type: 'stdio',
        command: 'npx',
        args: ['-y', 'a&b=c'],
        env: {},
      });
    });

  it('adds no grants, and keeps secrets as inputs', () => {
    const pasted = read(
      `config=${base64({ name: 'a', ...entry, env: { API_KEY: 'sk-proj-4f9a8b7c6d5e4f3a2b1c' }, autoApprove: ['*'] })}`,
    );
    assert.ok('servers' in pasted);
    assert.ok(!JSON.stringify(pasted.servers[0]?.entry).includes('sk-proj'));
    assert.equal(pasted.servers[0]?.entry.autoApprove, undefined);
    assert.match(pasted.leftOut.join(), /autoApprove/);
  });

  for (const [title, query] of [
    ['nothing', ''],
    ['no configuration', 'name=a'],
    ['no JSON', 'config=hello'],
    ['a command line', 'config=npx -y evil'],
    ['half of one', `config=${base64({ name: 'a', ...entry }).slice(0, 20)}`],
    ['broken percent signs', 'config=%E0%A4%A'],
    ['a number', `config=${base64(7)}`],
    ['no server', `config=${base64({ a: 1 })}`],
    ['another link inside', `config=${base64('vscode:mcp/install?{}')}`],
    ['something huge', `config=${base64({ name: 'a', command: 'x'.repeat(100_000) })}`],
    [
      'servers by the hundred',
      `config=${base64({ mcpServers: Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`s${index}`, entry])) })}`,
    ],
    ['deep nesting', `config=${'['.repeat(10_000)}`],
  ] as const)
    it(`is harmless: ${title}`, () => {
      const started = process.cpuUsage();
      const pasted = read(query);
      assert.ok('message' in pasted, JSON.stringify(pasted).slice(0, 200));
      assert.ok(pasted.message.length < 300);
      assert.ok(process.cpuUsage(started).user < 2_000_000);
    });

  it('what it hides stays in the text, for the question to show', () => {
    assert.deepEqual(namesOf(`config=${base64({ name: 'a\u202Eb\u0007', ...entry })}`), ['a\u202Eb\u0007']);
  });
});
