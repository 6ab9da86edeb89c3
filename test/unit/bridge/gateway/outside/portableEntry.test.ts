import { strict as assert } from 'node:assert';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { OutsideGateway } from '../../../../../src/bridge/gateway/outside/outsideGateway.ts';
import { PORTABLE_FOLDER, PORTABLE_SCRIPT, PORTABLE_SPEC } from '../../../../../src/config/clients/portableEntry.ts';
import { eventually } from '../../../../support/eventually.ts';
import { GatewayRig } from '../../gatewayRig.ts';
import { builtScript, OutsideRig } from './outsideRig.ts';

/** The folders of processes are only there on POSIX systems, and `HOME` is what moves the home. */
describe('gateway: the portable entry', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  let outside: OutsideRig;
  let gateway: OutsideGateway;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    rig = new GatewayRig();
    rig.settings = { exposure: 'search' };
    await rig.start();
    outside = new OutsideRig();
    outside.folders.set('here', [folder('app')]);
    gateway = await outside.open(rig);
  });

  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    await outside.stop();
    await rig.stop();
  });

  function folder(...parts: string[]): string {
    const made = path.join(outside.storage, 'work', ...parts);
    mkdirSync(made, { recursive: true });
    return made;
  }

  /** An agent that reads the entry in a file, and starts it in a folder. */
  async function agent(cwd: string, name = 'an-agent'): Promise<Client> {
    const client = new Client({ name, version: '1' });
    closing.push(() => client.close());
    const { args } = PORTABLE_SPEC;
    const env = { HOME: outside.home, USERPROFILE: outside.home };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [...args], env, cwd, stderr: 'pipe' }),
    );
    return client;
  }

  const toolsOf = async (client: Client): Promise<readonly string[]> =>
    (await client.listTools()).tools.map(({ name }) => name).sort();
  const NOTES = ['add_note', 'delete_all_notes', 'delete_note', 'list_notes'].map((name) => `mcp__notes__${name}`);

  it('gets the servers of the window that has its folder open, from any folder in it', async () => {
    await gateway.publish();
    symlinkSync(folder('app'), path.join(outside.storage, 'link'));
    for (const cwd of [folder('app'), folder('app', 'src'), path.join(outside.storage, 'link')]) {
      const client = await agent(cwd);
      assert.deepEqual(await toolsOf(client), NOTES, cwd);
    }
    const client = await agent(folder('app'));
    const { content } = await client.callTool({ name: 'mcp__notes__list_notes', arguments: {} });
    assert.match(JSON.stringify(content), /note/i);
    await client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
    assert.equal(rig.questionsElsewhere[0]?.caller, 'an-agent', 'permissions ask as ever');
  });

  it('of two windows, the one whose folder is nearer; a folder that is added is found', async () => {
    const inner = new GatewayRig();
    await inner.start({ memos: inner.notes });
    closing.push(() => inner.stop());
    outside.folders.set('inner', [folder('app', 'packages', 'one')]);
    const second = await outside.open(inner, { workspaceId: 'inner' });
    await Promise.all([gateway.publish(), second.publish()]);
    assert.match((await toolsOf(await agent(folder('app', 'packages', 'one', 'src'))))[0] ?? '', /^mcp__memos/);
    assert.match((await toolsOf(await agent(folder('app', 'packages'))))[0] ?? '', /^mcp__notes/);
    outside.move('inner', [folder('app', 'packages', 'one'), folder('far')]);
    await eventually('the window says so', async () => {
      const [first] = await toolsOf(await agent(folder('far')));
      return first?.startsWith('mcp__memos') === true;
    });
  });

  it('without a window it says so in a tool; a window that opens is used at once, and one that comes back', async () => {
    mkdirSync(path.join(outside.home, PORTABLE_FOLDER), { recursive: true, mode: 0o700 });
    await gateway.publish();
    gateway.dispose();
    const client = await agent(folder('app'));
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    assert.deepEqual(await toolsOf(client), ['switchboard_status']);
    const said = await client.callTool({ name: 'switchboard_status', arguments: {} });
    assert.match(JSON.stringify(said.content), /Open this folder in the editor/);
    await client.ping();
    const failed = await client.callTool({ name: 'mcp__notes__list_notes', arguments: {} });
    assert.equal(failed.isError, true);
    for (const each of [1, 2]) {
      changes = 0;
      gateway = await outside.open(rig);
      await eventually(`it is told, ${each}`, () => changes > 0);
      assert.deepEqual(await toolsOf(client), NOTES);
      gateway.dispose();
      assert.deepEqual(await toolsOf(client), ['switchboard_status'], `${each}`);
    }
  });

  it('a record that a crash left, whose number another process has, hides no window that runs', async () => {
    await gateway.publish();
    const windows = path.join(outside.home, PORTABLE_FOLDER, 'windows');
    const refusing = path.join(outside.storage, 'refusing');
    mkdirSync(refusing, { mode: 0o700 });
    writeFileSync(path.join(refusing, 'socket'), '');
    for (const socket of [
      path.join(outside.storage, 'gone', 'socket'),
      path.join(refusing, 'socket'),
      outside.storage,
    ]) {
      const stale = { socket, pid: process.pid, folders: [folder('app', 'src')], editor: 'an-agent' };
      writeFileSync(path.join(windows, 'stale.json'), JSON.stringify(stale));
      assert.deepEqual(await toolsOf(await agent(folder('app', 'src'))), NOTES, socket);
    }
  });

  it('where no window ever was, one that comes is used at once; the tool that said so says that', async () => {
    const home = path.join(outside.home, PORTABLE_FOLDER);
    mkdirSync(home, { recursive: true, mode: 0o700 });
    copyFileSync(await builtScript(), path.join(home, PORTABLE_SCRIPT));
    const client = await agent(folder('app'));
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    assert.deepEqual(await toolsOf(client), ['switchboard_status']);
    await gateway.publish();
    await eventually('it is told', () => changes > 0);
    const said = await client.callTool({ name: 'switchboard_status', arguments: {} });
    assert.match(JSON.stringify(said), /window is there now/);
    assert.equal(said.isError, undefined);
    assert.deepEqual(await toolsOf(client), NOTES);
  });

  it('what is no message is answered as such, and ends nothing', async () => {
    await gateway.publish();
    const { args } = PORTABLE_SPEC;
    const env = { HOME: outside.home, USERPROFILE: outside.home };
    const started = spawn(process.execPath, args, { env, cwd: folder('app'), stdio: ['pipe', 'pipe', 'inherit'] });
    closing.push(async () => {
      const ended = once(started, 'exit');
      started.stdin.end();
      await ended;
    });
    const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
    const answerTo = async (line: string): Promise<unknown> => {
      started.stdin.write(`${line}\n`);
      return JSON.parse(String((await lines.next()).value));
    };
    for (const line of ['null', '5', '"text"', 'true'])
      assert.deepEqual(await answerTo(line), {
        ...{ jsonrpc: '2.0', id: null },
        error: { code: -32600, message: 'It is no message of JSON-RPC.' },
      });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'an-agent', version: '1' } };
    const begun = await answerTo(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }));
    assert.match(JSON.stringify(begun), /"id":1.*"serverInfo"/);
  });

  it('our own client is refused, so that no window runs itself; the editor’s own gets no tools twice', async () => {
    await gateway.publish();
    await assert.rejects(agent(folder('app'), 'mcp-switchboard'), /MCP Switchboard itself/);
    const client = await agent(folder('app'), 'The Editor');
    assert.deepEqual(await toolsOf(client), ['switchboard_status']);
    assert.match(client.getInstructions() ?? '', /editor’s agent has these servers already/);
    await assert.rejects(outside.client(gateway, { name: 'mcp-switchboard' }), /MCP Switchboard itself/);
  });

  it('is off until somebody adds one, and is nothing that others can write', async () => {
    const home = path.join(outside.home, PORTABLE_FOLDER);
    assert.ok(!existsSync(home));
    mkdirSync(home, { recursive: true });
    chmodSync(home, 0o777);
    await assert.rejects(gateway.publish(), /isn’t a folder that only you can write/);
    chmodSync(home, 0o700);
    await gateway.publish();
    assert.equal(statSync(path.join(home, 'windows')).mode & 0o777, 0o700);
    await gateway.publish();
    gateway.dispose();
    const client = await agent(folder('app'));
    assert.deepEqual(await toolsOf(client), ['switchboard_status'], 'revoked, nothing is left');
  });
});
