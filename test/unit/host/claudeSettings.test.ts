import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { TestHost } from '../../support/testHost.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';

describe('a folder’s .claude/settings.json', function () {
  this.timeout(20_000);
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'claude-settings-')));
  const folder = { name: 'w', path: root };
  let host: TestHost;
  afterEach(() => host.stop());
  after(() => rmSync(root, { recursive: true }));

  const open = async (settings: object): Promise<void> => {
    const server = path.resolve(import.meta.dirname, '../../fixtures/servers/legacy.ts');
    const entry = { command: process.execPath, args: [server] };
    mkdirSync(path.join(root, '.claude'), { recursive: true });
    writeFileSync(path.join(root, '.mcp.json'), JSON.stringify({ mcpServers: { notes: entry, other: entry } }));
    writeFileSync(path.join(root, '.claude/settings.json'), JSON.stringify(settings));
    const source = (scope: 'project' | 'workspace', file: string): ConfigSource => ({
      ...{ id: `${scope}:${file}`, scope, folder, label: file, file: path.join(root, file), client: 'claude-code' },
      format: scope === 'project' ? 'mcp' : 'settings',
    });
    const config = new NodeConfigPorts([source('project', '.mcp.json'), source('workspace', '.claude/settings.json')]);
    host = new TestHost({ folder: root, ports: { config } });
    await host.host.start();
    await host.approveAll();
  };
  const call = (name: string): Promise<unknown> =>
    host.host.broker.call({ name, args: { text: 'x' }, surface: 'test', signal: AbortSignal.timeout(10_000) });

  it('denies what it denies, and nothing else', async () => {
    await open({ permissions: { deny: ['mcp__notes'] } });
    await call('mcp__other__echo');
    await assert.rejects(call('mcp__notes__echo'), { code: 'denied' });
  });

  it('asks where it says so, about a tool that only reads, too', async () => {
    await open({ permissions: { ask: ['mcp__notes__echo'] } });
    host.answer = 'once';
    await call('mcp__other__echo');
    assert.equal(host.questions.length, 0);
    await call('mcp__notes__echo');
    assert.equal(host.questions.length, 1);
  });

  it('switches servers of .mcp.json off, and blocks what it denies', async () => {
    await open({ disabledMcpjsonServers: ['notes'], deniedMcpServers: [{ serverName: 'other' }] });
    const states = host.host.views.map(({ definition }) => [definition.name, definition.status.kind]);
    assert.deepEqual(states, [
      ['notes', 'disabled'],
      ['other', 'blocked'],
    ]);
    assert.deepEqual(host.host.pool.all, []);
  });
});
