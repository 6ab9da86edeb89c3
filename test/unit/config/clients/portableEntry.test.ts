import assert from 'node:assert/strict';
import { isPortable, PORTABLE_SPEC } from '../../../../src/config/clients/portableEntry.ts';
import type { ClientId, ServerEntry } from '../../../../src/config/configTypes.ts';
import { addPortable } from '../../../../src/config/edit/addPortable.ts';
import { removeServer } from '../../../../src/config/edit/removeServer.ts';
import { parseSource } from '../../../../src/config/read/parseSource.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';
import { mergeServers } from '../../../../src/servers/merge/mergeServers.ts';
import { decisionsOf, lineOf, resultOf } from '../../servers/support.ts';
import { sourceOf } from '../sources.ts';

const folder = { name: 'w', path: '/w' };
const project = sourceOf({ scope: 'project', file: '/w/.mcp.json', folder });
const user = sourceOf({ scope: 'user', file: '/h/.copilot/mcp-config.json' });
const codex = sourceOf({ scope: 'user', file: '/h/.codex/config.toml', format: 'settings' });
const { command, args } = PORTABLE_SPEC;
const OWN = { command: '/opt/node', args: ['/h/.mcp-switchboard/connect.cjs'], env: { ELECTRON_RUN_AS_NODE: '1' } };

describe('config: the portable entry', () => {
  const entryOf = (source: typeof project, value: object): ServerEntry => {
    const [entry] = parseSource(source, JSON.stringify({ mcpServers: { switchboard: value } })).entries;
    assert.ok(entry);
    return entry;
  };

  it('is known in each file, and never runs here', () => {
    const there = { command, args };
    assert.ok(isPortable(entryOf(project, { type: 'stdio', ...there })));
    assert.ok(isPortable(entryOf(user, { type: 'local', ...there, tools: ['*'] })));
    assert.ok(isPortable(entryOf(user, OWN)));
    const results = [resultOf(project, { switchboard: there }), resultOf(user, { own: OWN })];
    const definitions = mergeServers({ results }, decisionsOf());
    assert.deepEqual(definitions.map(lineOf), [
      'project switchboard: disabled by portable',
      'user own: disabled by portable',
    ]);
  });

  const files: readonly (readonly [string, ClientId, typeof project, string])[] = [
    ['a new file', 'claude-code', project, ''],
    [
      'JSON with comments',
      'copilot',
      user,
      '{\n  // mine\n  "mcpServers": { "a": { "command": "a", "x": 1 } },\n  "b": 2\n}\n',
    ],
    ['a flat map', 'claude-code', project, '{ "a": { "command": "a" } }'],
    ['TOML', 'codex', codex, '# mine\nmodel = "m"\n\n[mcp_servers.a]\ncommand = "a"\n[tui]\nx = 1'],
    ['TOML, CRLF', 'codex', codex, '[tui]\r\nx = 1\r\n'],
    ['TOML, empty', 'codex', codex, ''],
  ];
  for (const [name, client, source, text] of files)
    it(`is added to ${name} and taken out again`, () => {
      const edited = addPortable(text, source, client, PORTABLE_SPEC, readToml);
      assert.ok('text' in edited, JSON.stringify(edited));
      const found = parseSource(source, edited.text, readToml).entries.find(isPortable);
      assert.equal(found?.name, 'switchboard');
      for (const line of text.split(/\r?\n/).filter((each) => each.includes('mine')))
        assert.ok(edited.text.includes(line));
      const again = addPortable(edited.text, source, client, PORTABLE_SPEC, readToml);
      assert.ok('refusal' in again && again.refusal.message.includes('exists already'));
      const removed = removeServer(edited.text, source, 'switchboard', readToml);
      assert.ok('text' in removed, JSON.stringify(removed));
      assert.deepEqual(
        parseSource(source, removed.text, readToml).entries.map((each) => each.name),
        parseSource(source, text, readToml).entries.map((each) => each.name),
      );
    });

  it('replaces no server of its name, and touches no file with a syntax error or an inline table', () => {
    for (const [source, text] of [
      [project, '{"mcpServers":{"switchboard":{"command":"other"}}}'],
      [project, '{"mcpServers":'],
      [codex, '[mcp_servers.switchboard]\ncommand = "other"\n'],
      [codex, 'mcp_servers = { a = { command = "a" } }\n'],
      [codex, '[mcp_servers\n'],
    ] as const) {
      const edited = addPortable(text, source, source === codex ? 'codex' : 'claude-code', PORTABLE_SPEC, readToml);
      assert.ok('refusal' in edited, text);
    }
  });
});
