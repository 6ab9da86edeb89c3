import assert from 'node:assert/strict';
import { parseAnySource } from '../../../../src/config/read/parseSource.ts';
import type { ClientId, ConfigSource, Scope, SourceResult } from '../../../../src/config/configTypes.ts';
import { withSwitchedOff } from '../../../../src/servers/merge/switchedOff.ts';
import type { ServerDecisions } from '../../../../src/servers/serverTypes.ts';
import { disabledStatus } from '../../../../src/servers/trust/serverStatus.ts';

async function resultOf(scope: Scope, client: ClientId, file: string, text: string): Promise<SourceResult> {
  const folder = scope === 'workspace' ? { folder: { name: 'w', path: '/w' } } : {};
  const source: ConfigSource = { id: file, scope, format: 'settings', label: file, file, client, ...folder };
  const { parsed, ...content } = await parseAnySource(source, text);
  assert.ok(parsed);
  return { source, status: 'found', ...content, stale: false };
}

const disabledIn = (results: readonly SourceResult[]): readonly string[] =>
  withSwitchedOff(results).flatMap(({ source, entries }) =>
    entries.filter(({ disabled }) => disabled).map(({ name }) => `${source.id} ${name}`),
  );

describe('servers/merge: an entry that only says that a server is off', () => {
  const server = { type: 'local', command: ['x'] };
  const own = (): Promise<SourceResult> =>
    resultOf('user', 'opencode', '/h/opencode.json', JSON.stringify({ mcp: { jira: server, git: server } }));

  it('switches off what another file of the same client defines, and says so as a hint', async () => {
    const project = await resultOf('workspace', 'opencode', '/w/opencode.json', '{"mcp":{"jira":{"enabled":false}}}');
    assert.deepEqual([project.broken, project.switchedOff], [[], ['jira']]);
    assert.deepEqual(
      project.problems.map(({ code, severity }) => `${severity} ${code}`),
      ['hint defined-elsewhere'],
    );
    assert.deepEqual(disabledIn([project, await own()]), ['/h/opencode.json jira']);
    const [, user] = withSwitchedOff([project, await own()]);
    const jira = user?.entries.find(({ name }) => name === 'jira');
    const decisions = { isDisabled: () => false } as unknown as ServerDecisions;
    assert.ok(jira);
    assert.deepEqual(disabledStatus(jira, 'x', decisions), {
      ...{ kind: 'disabled', by: 'entry' },
      reason: 'disabled in /w/opencode.json',
    });
  });

  it('in TOML, too', async () => {
    const text = '[mcp_servers.jira]\nenabled = false\n';
    const project = await resultOf('workspace', 'codex', '/w/.codex/config.toml', text);
    const user = await resultOf('user', 'codex', '/h/.codex/config.toml', '[mcp_servers.jira]\ncommand = "x"\n');
    assert.deepEqual(disabledIn([project, user]), ['/h/.codex/config.toml jira']);
  });

  it('never one of another client, one above it, or one of another folder', async () => {
    const project = await resultOf('workspace', 'opencode', '/w/opencode.json', '{"mcp":{"jira":{"enabled":false}}}');
    const cursor = await resultOf('user', 'cursor', '/h/mcp.json', JSON.stringify({ mcpServers: { jira: server } }));
    assert.deepEqual(disabledIn([project, cursor]), []);
    assert.deepEqual(disabledIn([await own(), project]), []);
    const base = await own();
    const elsewhere = { ...base, source: { ...base.source, folder: { name: 'v', path: '/v' } } };
    assert.deepEqual(disabledIn([project, elsewhere]), []);
  });

  it('never switches one on, and is an error in a client that doesn’t merge', async () => {
    const on = await resultOf('workspace', 'opencode', '/w/opencode.json', '{"mcp":{"jira":{"enabled":true}},"x":1}');
    assert.equal(on.switchedOff, undefined);
    const claude = await resultOf(
      'workspace',
      'claude-code',
      '/w/.mcp.json',
      '{"mcpServers":{"a":{"disabled":false}}}',
    );
    assert.equal(claude.broken?.[0]?.problem.code, 'nothing-to-run');
  });
});
