import { strict as assert } from 'node:assert';
import type { ConfigSource } from '../../../../src/config/configTypes.ts';
import { renameInRules, type RuleRename } from '../../../../src/config/edit/renamedRules.ts';
import { renameServer, withEdits } from '../../../../src/config/edit/renameServer.ts';
import { readToml } from '../../../../src/config/syntax/readToml.ts';

function source(file: string, format: ConfigSource['format'] = 'mcp'): ConfigSource {
  return { id: `project:${file}`, scope: 'project', format, label: file, file };
}

function renamed(text: string, to = 'new', where = source('/w/.mcp.json')): string {
  const result = renameServer(text, where, { from: 'old', to }, readToml);
  return 'refusal' in result ? `refused: ${result.refusal}` : withEdits(text, result.edits);
}

const CODEX = source('/home/me/.codex/config.toml', 'settings');

describe('renaming a server', () => {
  it('changes the name and nothing else', () => {
    const text = '{\n  // ours\n  "mcpServers": {\n    "old": { "command": "old" }, // last\n  },\n}\n';
    assert.equal(renamed(text), text.replace('"old":', '"new":'));
    assert.equal(renamed('{"old":{"command":"x"}}'), '{"new":{"command":"x"}}');
    assert.equal(renamed(text, 'a "b" \\'), text.replace('"old":', '"a \\"b\\" \\\\":'));
  });

  it('refuses a name in use, no name, a server that isn’t there, and a text with an error', () => {
    assert.match(renamed('{"mcpServers":{"old":{"command":"x"},"new":{"command":"y"}}}'), /^refused: `new` is in use/);
    assert.match(renamed('{"mcpServers":{"old":{"command":"x"}}}', ' '), /^refused: A server needs a name/);
    for (const name of ['_new', '$new', '//', 'comments'])
      assert.match(
        renamed('{"mcpServers":{"old":{"command":"x"}}}', name),
        /^refused: A name like “.*” counts as a remark/,
      );
    assert.match(renamed('{"mcpServers":{"other":{"command":"x"}}}'), /^refused: `old` isn’t/);
    assert.match(renamed('{"mcpServers":{"old":{"command":'), /^refused: Fix this first/);
  });

  it('TOML: every table of the server', () => {
    const text = [
      'model = "old"',
      '[mcp_servers.old]',
      'command = "old"',
      'args = [',
      '  "old",',
      ']',
      '[mcp_servers.old.env]',
      'KEY = "old"',
      '[mcp_servers.older]',
      'command = "x"',
      '',
    ].join('\n');
    const expected = text.replaceAll('mcp_servers.old]', 'mcp_servers.new]').replace('old.env', 'new.env');
    assert.equal(renamed(text, 'new', CODEX), expected);
    assert.match(renamed(text, 'a b', CODEX), /\[mcp_servers\."a b"\]/);
  });

  it('TOML: inline tables and dotted keys', () => {
    assert.equal(
      renamed('[mcp_servers]\nold = { command = "x" }\n', 'new', CODEX),
      '[mcp_servers]\nnew = { command = "x" }\n',
    );
    assert.equal(renamed('mcp_servers.old.command = "x"\n', 'new', CODEX), 'mcp_servers.new.command = "x"\n');
  });

  it('TOML: what can’t be renamed without doubt is refused', () => {
    assert.match(renamed('mcp_servers = { old = { command = "x" } }\n', 'new', CODEX), /^refused: .*by hand/);
  });
});

describe('rules of a renamed server', () => {
  const rename: RuleRename = { from: 'old', to: 'new name', alsoCalled: ['old_part'], isShared: false };
  const rules = (
    value: object,
    more: Partial<RuleRename> = {},
    where = source('/w/settings.json', 'settings'),
  ): unknown => {
    const text = JSON.stringify(value, undefined, 2);
    return JSON.parse(withEdits(text, renameInRules(text, where, { ...rename, ...more })));
  };

  it('follow it: permissions, lists of servers and tools, hooks', () => {
    const settings = (name: string): object => ({
      'mcpSwitchboard.permissions.rules': [
        { tool: `mcp__${name}__delete_*`, action: 'deny' },
        { tool: 'x', server: name, action: 'allow' },
        { tool: 'mcp__other__old', action: 'ask' },
      ],
      'mcpSwitchboard.alwaysLoadTools': [`${name}/read`, 'other/old'],
      'mcpSwitchboard.searchOnlyTools': [`mcp__${name}__write`],
      'mcpSwitchboard.deniedServers': [name, { name }, { url: 'https://old/*' }],
      'mcpSwitchboard.hooks': { PreToolUse: [{ matcher: `mcp__${name}__.*|mcp__x__y`, hooks: [] }] },
      'editor.old': 'old',
    });
    assert.deepEqual(rules(settings('old')), settings('new name'));
  });

  it('by each of its names', () => {
    assert.deepEqual(rules({ 'mcpSwitchboard.alwaysLoadTools': ['mcp__old_part__x', 'mcp__older__x'] }), {
      'mcpSwitchboard.alwaysLoadTools': ['mcp__new name__x', 'mcp__older__x'],
    });
  });

  it('in Claude Code’s settings', () => {
    const claude = { ...source('/w/.claude/settings.json', 'settings'), client: 'claude-code' as const };
    assert.deepEqual(
      rules(
        { permissions: { deny: ['mcp__old', 'Bash(old)'], ask: ['mcp__old__x'] }, disabledMcpjsonServers: ['old'] },
        {},
        claude,
      ),
      {
        permissions: { deny: ['mcp__new name', 'Bash(old)'], ask: ['mcp__new name__x'] },
        disabledMcpjsonServers: ['new name'],
      },
    );
  });

  it('are copied where another server keeps the name: what restricts holds for both, what allows for the old one', () => {
    const before = [
      { tool: 'mcp__old__x', action: 'deny' },
      { tool: 'mcp__old__y', action: 'allow' },
    ];
    assert.deepEqual(
      rules(
        { 'mcpSwitchboard.permissions.rules': before, 'mcpSwitchboard.allowedServers': ['old'] },
        { isShared: true },
      ),
      {
        'mcpSwitchboard.permissions.rules': [before[0], { tool: 'mcp__new name__x', action: 'deny' }, before[1]],
        'mcpSwitchboard.allowedServers': ['old'],
      },
    );
  });

  it('of a text with an error stay as they are', () => {
    assert.deepEqual(
      renameInRules('{ "mcpSwitchboard.deniedServers": ["old" ', source('/w/s.json', 'settings'), rename),
      [],
    );
  });
});
