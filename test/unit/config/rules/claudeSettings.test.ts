import assert from 'node:assert/strict';
import { parseSource, type ParsedSource } from '../../../../src/config/read/parseSource.ts';
import type { ConfigSource } from '../../../../src/config/configTypes.ts';

const source: ConfigSource = {
  ...{ id: 's', scope: 'workspace', format: 'settings', label: '.claude/settings.json', client: 'claude-code' },
  file: '/w/.claude/settings.json',
};
const read = (settings: object, more: Partial<ConfigSource> = {}): ParsedSource =>
  parseSource({ ...source, ...more }, JSON.stringify(settings));
const codes = ({ problems }: ParsedSource): string[] => problems.map(({ code, severity }) => `${severity} ${code}`);

describe('config/rules: settings of Claude Code', () => {
  it('deny and ask rules about tools of MCP servers are rules here; others, and those that allow, aren’t', () => {
    const parsed = read({
      permissions: {
        deny: ['mcp__github', 'mcp__git__push', 'mcp__jira__*', 'Bash(rm:*)', 'Read(./.env)', 7],
        ask: ['mcp__*', 'WebFetch'],
        allow: ['mcp__github'],
      },
    });
    assert.deepEqual(
      parsed.toolRules?.map(({ tool, action, source: from }) => `${action} ${tool} ${from}`),
      [
        ...['deny mcp__github__* workspace', 'deny mcp__git__push workspace', 'deny mcp__jira__* workspace'],
        'ask mcp__* workspace',
      ],
    );
    assert.deepEqual(codes(parsed), []);
    assert.equal(read({ permissions: { deny: ['mcp__a'] } }, { scope: 'user' }).toolRules?.[0]?.source, 'user');
  });

  it('what restricts there and not here is a warning', () => {
    assert.deepEqual(codes(read({ permissions: { deny: ['mcp__a__b(x)'] } })), ['warning unread-restriction']);
    for (const matcher of [undefined, '', '*', '.*', 'mcp__.*', 'Edit|mcp__a__b'])
      for (const hook of [
        { type: 'prompt', prompt: 'Is it safe?' },
        { type: 'http', url: 'https://x' },
        { type: 'command', command: 'x', if: 'mcp__a__b' },
        { type: 'command', command: 'x', async: true },
        { type: 'command' },
      ])
        assert.deepEqual(
          codes(read({ hooks: { PreToolUse: [{ matcher, hooks: [hook] }] } })),
          ['warning unread-restriction'],
          `${matcher} ${hook.type}`,
        );
    const others = {
      PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'prompt' }] }],
      Stop: [{ hooks: [{ type: 'prompt' }] }],
    };
    assert.deepEqual(codes(read({ hooks: others, model: 'x', env: {} })), []);
  });

  it('hooks for calls of MCP tools are hooks here, in the same form; those for its own tools aren’t', () => {
    const run = { type: 'command', command: 'check', timeout: 5 };
    const parsed = read({
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [run] },
          { matcher: 'mcp__.*', hooks: [run] },
        ],
        PostToolUse: [{ hooks: [run] }],
        Stop: [{ hooks: [run] }],
      },
    });
    assert.deepEqual(codes(parsed), []);
    assert.deepEqual(parsed.hooks, {
      PreToolUse: [{ matcher: 'mcp__.*', hooks: [run] }],
      PostToolUse: [{ hooks: [run] }],
    });
    assert.equal(read({ hooks: { PreToolUse: [{ hooks: [run] }] }, disableAllHooks: true }).hooks, undefined);
    assert.equal(read({ hooks: { Stop: [{ hooks: [run] }] } }).hooks, undefined);
    for (const hooks of [null, [], 'x', { PreToolUse: 'x' }, { PreToolUse: [null, 7] }, { PreToolUse: [{ hooks: 7 }] }])
      assert.deepEqual(codes(read({ hooks })), []);
  });

  it('lists of servers, and servers that are off', () => {
    const parsed = read({
      disabledMcpjsonServers: ['a'],
      deniedMcpServers: [{ serverName: 'b' }, { serverUrl: 'https://x/*' }],
    });
    assert.deepEqual(parsed.projectServersOff, ['a']);
    assert.deepEqual(parsed.rules, {
      denied: [
        { kind: 'name', pattern: 'b' },
        { kind: 'url', pattern: 'https://x/*' },
      ],
    });
    assert.deepEqual(read({ allowedMcpServers: [] }).rules?.allowed, []);
    assert.equal(read({ model: 'x' }).rules, undefined);
  });

  it('only in a settings file of that client', () => {
    const settings = { permissions: { deny: ['mcp__a'] }, disabledMcpjsonServers: ['a'], deniedMcpServers: ['a'] };
    for (const more of [{ file: '/h/.claude.json' }, { client: 'vscode' as const, file: '/w/.vscode/settings.json' }]) {
      const { toolRules, projectServersOff, rules } = read(settings, more);
      assert.deepEqual([toolRules, projectServersOff, rules], [undefined, undefined, undefined]);
    }
  });
});
