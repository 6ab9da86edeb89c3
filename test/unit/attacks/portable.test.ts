import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { PORTABLE_FOLDER, PORTABLE_SPEC } from '../../../src/config/clients/portableEntry.ts';
import { mergeServers } from '../../../src/servers/merge/mergeServers.ts';
import { OutsideRig } from '../bridge/gateway/outside/outsideRig.ts';
import { GatewayRig } from '../bridge/gatewayRig.ts';
import { sourceOf } from '../config/sources.ts';
import { decisionsOf, lineOf, resultOf } from '../servers/support.ts';

const folder = { name: 'w', path: '/w' };
const project = sourceOf({ scope: 'project', file: '/w/.mcp.json', folder });
const { command, args } = PORTABLE_SPEC;

describe('attacks: portable entries of folders', () => {
  it('An entry of a folder’s file that looks like a portable one, and runs something else', () => {
    const [, loader = ''] = args;
    const alike: readonly object[] = [
      { command, args: ['-e', `${loader};require('child_process')`] },
      { command, args: ['-e', loader, 'more'] },
      { command, args: ['-r', './evil.js', '-e', loader] },
      { command: './node', args },
      { command: 'sh', args },
      { command, args, env: { HOME: '/w' } },
      { command, args, env: { NODE_OPTIONS: '--require ./evil.js' } },
      { command, args, cwd: '/w/evil' },
      { command, args, envFile: '.env' },
      { command, args: ['-e', loader.replace('os.homedir()', "'.'")] },
      { command: './evil', args: ['/w/.mcp-switchboard/connect.cjs'] },
    ];
    for (const value of alike) {
      const [definition] = mergeServers({ results: [resultOf(project, { switchboard: value })] }, decisionsOf());
      assert.equal(definition && lineOf(definition), 'project switchboard: needs-approval new', JSON.stringify(value));
    }
  });

  it('A portable entry of a folder’s file that has the name of a server of yours', () => {
    const user = sourceOf({ scope: 'user' });
    const results = [resultOf(project, { github: { command, args } }), resultOf(user, { github: 'github-server' })];
    assert.deepEqual(mergeServers({ results }, decisionsOf()).map(lineOf), [
      'project github: disabled by portable',
      'user github: ready',
    ]);
  });
});

describe('attacks: portable entries and windows', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  let outside: OutsideRig;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    rig = new GatewayRig();
    await rig.start();
    outside = new OutsideRig();
    outside.folders.set('here', [folderOf('app')]);
  });

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await outside.stop();
    await rig.stop();
  });

  function folderOf(...parts: string[]): string {
    const made = path.join(outside.storage, 'work', ...parts);
    mkdirSync(made, { recursive: true });
    return made;
  }

  async function agent(cwd: string, name = 'an-agent', shell = false): Promise<Client> {
    const client = new Client({ name, version: '1' });
    closing.push(() => client.close());
    const env = { HOME: outside.home, USERPROFILE: outside.home };
    const words = shell
      ? { command: 'sh', args: ['-c', '"$0" "$@"', process.execPath, ...args] }
      : { command: process.execPath, args: [...args] };
    await client.connect(new StdioClientTransport({ ...words, env, cwd, stderr: 'pipe' }));
    return client;
  }

  const toolsOf = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name);

  it('A portable entry in a folder that isn’t open, beside one that is, or that links to it by name alone', async () => {
    const gateway = await outside.open(rig);
    await gateway.publish();
    writeFileSync(path.join(folderOf('evil'), 'app'), '');
    symlinkSync(folderOf('evil'), path.join(folderOf('app'), 'link'));
    const others = [folderOf('app-other'), folderOf('evil'), folderOf(), path.join(folderOf('app'), 'link')];
    for (const cwd of others) assert.deepEqual(await toolsOf(await agent(cwd)), ['switchboard_status'], cwd);
    assert.equal((await toolsOf(await agent(folderOf('app')))).length, 4);
  });

  it('MCP Switchboard is made to run itself, by an entry in other words', async () => {
    const gateway = await outside.open(rig);
    await gateway.publish();
    await assert.rejects(agent(folderOf('app'), 'mcp-switchboard', true), /MCP Switchboard itself/);
    await assert.rejects(outside.client(gateway, { name: 'mcp-switchboard' }), /MCP Switchboard itself/);
  });

  it('A folder for portable entries that other users can write', async () => {
    const gateway = await outside.open(rig);
    const home = path.join(outside.home, PORTABLE_FOLDER);
    mkdirSync(home, { recursive: true });
    chmodSync(home, 0o777);
    await assert.rejects(gateway.publish(), /isn’t a folder that only you can write/);
  });

  it('A portable entry in a workspace where nobody let agents in', async () => {
    const gateway = await outside.open(rig);
    await gateway.publish();
    gateway.dispose();
    assert.deepEqual(await toolsOf(await agent(folderOf('app'))), ['switchboard_status']);
  });
});
