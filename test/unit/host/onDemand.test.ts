import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { TestHost } from '../../support/testHost.ts';

const customTools = {
  todo: {
    tool: 'echo',
    description: 'Says what is to do.',
    inputSchema: { type: 'object', properties: { what: { type: 'string' } }, required: ['what'] },
    arguments: { text: 'To do: {{what}}' },
  },
};
const SERVER = path.resolve(import.meta.dirname, '../../fixtures/servers/legacy.ts');

describe('a server on demand with a custom tool', function () {
  this.timeout(120_000);
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'on-demand-')));
  const file = path.join(folder, 'servers.json');
  const store = new MemoryStore();
  const source: ConfigSource = { id: `user:${file}`, scope: 'user', format: 'mcp', label: 'mine', file };
  const settings = { handshakeTimeoutMs: 90_000, discoveryTimeoutMs: 90_000 };
  let rig: TestHost;
  beforeEach(async () => {
    const entry = { command: process.execPath, args: [SERVER], startMode: 'onDemand', customTools };
    writeFileSync(file, JSON.stringify({ mcpServers: { later: entry } }));
    rig = new TestHost({ folder, store, settings, answer: 'once', ports: { config: new NodeConfigPorts([source]) } });
    await rig.host.start();
  });
  afterEach(() => rig.stop());
  after(() => rmSync(folder, { recursive: true }));
  const stateOf = (): string | undefined => rig.host.views[0]?.state.kind;
  const hasTodo = (): boolean => rig.host.catalog.tools.some(({ name }) => name === 'mcp__later__todo');

  it('connects once, so that its tools are known, the custom one too', async () => {
    await rig.until(() => stateOf() === 'connected' && hasTodo(), 90_000);
    assert.equal(await rig.call('mcp__later__todo', { what: 'sleep' }), 'To do: sleep');
  });

  it('in the next window it isn’t started; the custom tool is there, and its first use starts it', async () => {
    assert.equal(stateOf(), 'disconnected');
    assert.ok(hasTodo());
    const found = await rig.host.search({ query: 'todo' });
    assert.deepEqual(found.hits.map(({ tool }) => tool.name).slice(0, 1), ['mcp__later__todo']);
    assert.equal(stateOf(), 'disconnected');
    assert.equal(await rig.call('mcp__later__todo', { what: 'sleep' }), 'To do: sleep');
    assert.equal(stateOf(), 'connected');
    assert.ok(hasTodo());
  });

  it('turned off and on again, it waits once more, and the custom tool starts it', async () => {
    const id = rig.host.views[0]?.definition.id ?? '';
    await rig.call('mcp__later__echo', { text: 'x' });
    await rig.host.servers.setDisabled(id, true);
    await rig.until(() => !rig.host.pool.get(id), 90_000);
    assert.ok(!hasTodo());
    await rig.host.servers.setDisabled(id, false);
    await rig.until(() => stateOf() === 'disconnected' && hasTodo(), 90_000);
    assert.equal(await rig.call('mcp__later__todo', { what: 'wake' }), 'To do: wake');
  });

  it('a custom tool that changes while the server waits is there again without a call, and is called as it is now', async () => {
    assert.equal(stateOf(), 'disconnected');
    const changed = { ...customTools, todo: { ...customTools.todo, arguments: { text: 'Now: {{what}}' } } };
    const entry = { command: process.execPath, args: [SERVER], startMode: 'onDemand', customTools: changed };
    writeFileSync(file, JSON.stringify({ mcpServers: { later: entry } }));
    await rig.host.config.reload();
    await rig.until(hasTodo, 90_000);
    assert.equal(await rig.call('mcp__later__todo', { what: 'eat' }), 'Now: eat');
  });
});
