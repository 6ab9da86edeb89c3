import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { deferred } from '../../../../../src/base/async.ts';
import { silentLogger } from '../../../../../src/base/log.ts';
import { MemoryStore } from '../../../../../src/base/keyValueStore.ts';
import type { OutsideGateway } from '../../../../../src/bridge/gateway/outside/outsideGateway.ts';
import { httpSnippet, OUTSIDE_AGENTS, snippetFor } from '../../../../../src/bridge/gateway/outside/clientSnippets.ts';
import { OutsideAccess } from '../../../../../src/bridge/gateway/outside/outsideAccess.ts';
import { outsideCommand, type OutsideCommand } from '../../../../../src/bridge/gateway/outside/outsideCommand.ts';
import { PORTABLE_FOLDER } from '../../../../../src/config/clients/portableEntry.ts';
import { parseAnySource } from '../../../../../src/config/read/parseSource.ts';
import { startConformanceServer } from '../../../../support/conformanceServer.ts';
import { eventually } from '../../../../support/eventually.ts';
import { sourceOf } from '../../../config/sources.ts';
import { GatewayRig } from '../../gatewayRig.ts';
import { OutsideRig } from './outsideRig.ts';

const LIST = { name: 'mcp__notes__list_notes', arguments: {} };

describe('gateway: for agents outside the editor', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  let outside: OutsideRig;
  let gateway: OutsideGateway;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    rig = new GatewayRig();
    // In the editor, no tool is in the agent's own list.
    rig.settings = { exposure: 'search' };
    await rig.start();
    outside = new OutsideRig();
    gateway = await outside.open(rig);
  });

  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    await outside.stop();
    await rig.stop();
  });

  const shown = ({ content }: { readonly [name: string]: unknown }): string => JSON.stringify(content);

  it('all tools by their callable names, with their true annotations, whatever the editor’s agent has', async () => {
    const client = await outside.client(gateway);
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name).sort(),
      ['add_note', 'delete_all_notes', 'delete_note', 'list_notes'].map((name) => `mcp__notes__${name}`),
    );
    const annotations = Object.fromEntries(tools.map((tool) => [tool.name, tool.annotations]));
    assert.equal(annotations['mcp__notes__list_notes']?.readOnlyHint, true);
    assert.equal(annotations['mcp__notes__delete_note']?.readOnlyHint, false);
    assert.equal(annotations['mcp__notes__delete_note']?.destructiveHint, true);
    assert.match(client.getInstructions() ?? '', /each named mcp__<server>__<tool>: notes\.$/);
  });

  it('says how the names are made, whatever the setting', async () => {
    rig.test.host.catalog.setFormat('{server}__{tool}');
    const client = await outside.client(gateway);
    assert.match(client.getInstructions() ?? '', /each named <server>__<tool>: notes\.$/);
    assert.ok((await client.listTools()).tools.some(({ name }) => name === 'notes__list_notes'));
  });

  it('a client of the newer generation', async () => {
    const client = new Client({ name: 'newer-agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const { command, args } = gateway.commandFor();
    await client.connect(new StdioClientTransport({ command, args: [...args] }));
    closing.push(() => client.close());
    assert.match(shown(await client.callTool(LIST)), /note/i);
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    assert.equal(client.getServerVersion()?.name, 'mcp-switchboard');
    const denied = await client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
    assert.match(shown(denied), /The user denied/);
    assert.equal(rig.questionsElsewhere[0]?.caller, 'newer-agent');
  });

  it('a client of the newer generation is asked, cancels, and is told of changes, over stdio', async () => {
    outside.change({ asksClients: true });
    const changed = deferred<void>();
    const client = new Client(
      { name: 'newer-agent', version: '1' },
      {
        capabilities: { elicitation: {} },
        versionNegotiation: { mode: 'auto' },
        listChanged: { tools: { onChanged: () => changed.resolve(), autoRefresh: false } },
      },
    );
    const asked: string[] = [];
    const answers = ['once', undefined];
    client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
      asked.push(params.message);
      const answer = answers.shift();
      if (answer === undefined) await once(mcpReq.signal, 'abort');
      return { action: 'accept', content: { answer: String(answer) } };
    });
    const { command, args } = gateway.commandFor();
    await client.connect(new StdioClientTransport({ command, args: [...args] }));
    closing.push(() => client.close());
    const note = { name: 'mcp__notes__add_note', arguments: { title: 'Asked', text: 'here' } };
    assert.match(shown(await client.callTool(note)), /Added/);
    const ending = new AbortController();
    const cancelled = client.callTool(note, { signal: ending.signal });
    await eventually('the second question', () => asked.length === 2);
    ending.abort();
    await assert.rejects(cancelled);
    // The connection goes on.
    assert.match(shown(await client.callTool(LIST)), /Asked/);
    await rig.test.host.pool.disconnect(rig.endpoint().serverId);
    await changed.promise;
  });

  it('schemas as the server has them for who has all of JSON Schema: newer clients, and others that say so', async () => {
    const server = await startConformanceServer();
    closing.push(() => server.stop());
    const more = new GatewayRig();
    await more.start({ all: { type: 'http', url: `${server.origin}/mcp` } });
    closing.push(() => more.stop());
    const window = await outside.open(more, { workspaceId: 'schemas' });
    const isWhole = async (mode: 'auto' | 'legacy', option: readonly string[]): Promise<boolean> => {
      const client = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode } });
      const { command, args } = window.commandFor('all');
      await client.connect(new StdioClientTransport({ command, args: [...args, ...option] }));
      closing.unshift(() => client.close());
      const { tools } = await client.listTools();
      const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema ?? {};
      return '$schema' in schema && 'allOf' in schema && 'if' in schema;
    };
    assert.ok(await isWhole('auto', []));
    assert.ok(!(await isWhole('legacy', [])));
    assert.ok(await isWhole('legacy', ['--original-schemas']));
  });

  it('a call runs under the same permissions; the question comes up in the editor, naming the agent', async () => {
    const client = await outside.client(gateway);
    assert.match(shown(await client.callTool(LIST)), /note/i);
    const denied = await client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
    assert.match(shown(denied), /The user denied/);
    for (const server of [undefined, 'notes']) {
      const nameless = await outside.client(gateway, { name: ' ', ...(server === undefined ? {} : { server }) });
      const { tools } = await nameless.listTools();
      const { name = '' } = tools.find((tool) => tool.name.endsWith('delete_all_notes')) ?? {};
      await nameless.callTool({ name, arguments: {} });
    }
    assert.deepEqual(
      rig.questionsElsewhere.map(({ caller }) => caller),
      ['an-agent', '(unknown)', '(unknown)'],
    );
  });

  it('scripts are there while they are on; the calls of one are the agent’s, and asked about in the editor', async () => {
    const scripts = await rig.test.host.calls.scripts();
    const client = await outside.client(gateway);
    const add = (title: string): string => `tools.mcp__notes__add_note({ title: '${title}', text: 'x' })`;
    const script = { name: 'mcp_run_script', arguments: { script: `return Promise.all([${add('a')}, ${add('b')}])` } };
    const offered = async (): Promise<boolean> =>
      (await client.listTools()).tools.some(({ name }) => name === script.name);
    assert.equal(await offered(), false);
    await assert.rejects(client.callTool(script), /mcp_run_script/);
    await scripts.setOn(true);
    assert.equal(await offered(), true);
    assert.match(shown(await client.callTool(script)), /The user denied the script’s calls/);
    assert.deepEqual(
      rig.questionsElsewhere.map(({ caller, surface, batch }) => [caller, surface, batch?.length]),
      [['an-agent', 'outside', 2]],
    );
    await scripts.setOn(false);
    assert.equal(await offered(), false);
  });

  it('where the user lets agents answer, one that shows forms is asked, once', async () => {
    outside.change({ asksClients: true });
    const asked: string[] = [];
    const client = await outside.client(gateway, {
      answer: ({ message }) => {
        asked.push(message);
        return 'once';
      },
    });
    const add = { name: 'mcp__notes__add_note', arguments: { title: 'from outside', text: 'x' } };
    assert.equal((await client.callTool(add)).isError, false);
    assert.deepEqual([asked, rig.questionsElsewhere], [['Run add_note?'], []]);
    await (await outside.client(gateway)).callTool(add);
    assert.equal(rig.questionsElsewhere.length, 1, 'one without forms is asked about in the editor');
  });

  it('one server by its name, with what else it has; none of another name', async () => {
    const client = await outside.client(gateway, { server: 'notes' });
    assert.equal(client.getServerVersion()?.name, 'notes');
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'list_notes'));
    assert.match(shown(await client.callTool({ name: 'list_notes', arguments: {} })), /note/i);
    await assert.rejects(outside.client(gateway, { server: 'other' }), /no server “other”/);
  });

  it('the list follows the servers', async () => {
    const client = await outside.client(gateway);
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    await rig.test.host.pool.disconnect(rig.endpoint().serverId);
    await eventually('it is told', () => changes > 0);
    assert.deepEqual((await client.listTools()).tools, []);
  });

  it('two windows are two commands, each with its own servers', async () => {
    const other = new GatewayRig();
    await other.start({ memos: other.notes });
    closing.push(() => other.stop());
    const second = await outside.open(other, { workspaceId: 'there' });
    const clients = [await outside.client(gateway), await outside.client(second)];
    const names = await Promise.all(clients.map(async (each) => (await each.listTools()).tools[0]?.name));
    assert.deepEqual(names, ['mcp__notes__list_notes', 'mcp__memos__list_notes']);
  });

  it('a window that restarts: what ran is an error that says so, and what comes after reaches the new one', async () => {
    const client = await outside.client(gateway);
    let changes = 0;
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
    let open = (): void => undefined;
    rig.holdElsewhere = new Promise((resolve) => (open = resolve));
    const pending = client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
    await eventually('it asks', () => rig.questionsElsewhere.length === 1);
    gateway.dispose();
    await assert.rejects(pending, /closed or reloaded during this request. It may have run/);
    open();
    await assert.rejects(client.callTool(LIST), /No window of the editor answers here.*try again/s);
    gateway = await outside.open(rig);
    assert.match(shown(await client.callTool(LIST)), /note/i);
    await eventually('it fetches its list again', () => changes > 0);
    rig.questionsElsewhere.length = 0;
    await client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
    assert.equal(rig.questionsElsewhere[0]?.caller, 'an-agent', 'it is still known by its name');
  });

  it('a window that takes over while the one before still closes keeps its address', async () => {
    const later = await outside.open(rig);
    gateway.dispose();
    const client = await outside.client(later);
    assert.match(shown(await client.callTool(LIST)), /note/i);
  });

  it('the script is where it stays, and is the one that was shipped last', async () => {
    const [script = ''] = gateway.commandFor().args;
    assert.equal(path.dirname(script), outside.folder);
    const { ino } = statSync(script);
    await outside.open(rig, { workspaceId: 'there' });
    assert.equal(statSync(script).ino, ino, 'the same script isn’t written again');
  });

  it('over HTTP, where the user allows it, as long as the window and the setting', async () => {
    const http = async (address: { readonly url: string; readonly token: string }): Promise<Client> => {
      const client = new Client({ name: 'newer-agent', version: '1' }, { versionNegotiation: { mode: 'auto' } });
      const requestInit = { headers: { authorization: `Bearer ${address.token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(address.url), { requestInit }));
      closing.push(() => client.close());
      return client;
    };
    await assert.rejects(gateway.openHttp(), /gateway\.http/);
    outside.change({ http: true });
    const address = await gateway.openHttp();
    assert.deepEqual(await gateway.openHttp(), address);
    assert.match(shown(await (await http(address)).callTool(LIST)), /note/i);
    await assert.rejects(http({ ...address, token: rig.gateway.token }));
    await assert.rejects(http({ ...address, url: rig.endpoint().url }));
    outside.change({ http: false });
    await assert.rejects(http(address));
    outside.change({ http: true });
    assert.notEqual((await gateway.openHttp()).token, address.token);
  });

  it('access is off until asked for, lasts beyond the window, and ends when it is revoked', async () => {
    const store = new MemoryStore();
    let opened = 0;
    const access = (): OutsideAccess =>
      new OutsideAccess({
        store,
        log: silentLogger,
        open: async () => {
          opened += 1;
          return outside.open(rig, { workspaceId: 'access' });
        },
      });
    const first = access();
    assert.deepEqual([first.isOn, first.opened], [false, undefined]);
    const [one, twice] = await Promise.all([first.gateway(), first.gateway()]);
    assert.deepEqual([one === twice, opened, first.isOn], [true, 1, true]);
    const client = await outside.client(one);
    first.dispose();
    const second = access();
    await eventually('it is open by itself', () => second.opened !== undefined);
    assert.match(shown(await client.callTool(LIST)), /note/i);
    await second.revoke();
    await assert.rejects(client.callTool(LIST), /access for agents outside was revoked/);
    const third = access();
    assert.deepEqual([third.isOn, third.opened], [false, undefined]);
    for (const each of [second, third]) each.dispose();
    assert.deepEqual(store.get('outsideAccess'), undefined);
  });

  it('what a portable entry turned on is taken back with it, and nothing else', async () => {
    const store = new MemoryStore();
    const access = new OutsideAccess({
      ...{ store, log: silentLogger, open: () => outside.open(rig, { workspaceId: 'access' }) },
    });
    const isFound = (): boolean => readdirSync(path.join(outside.home, PORTABLE_FOLDER, 'windows')).length > 0;
    const home = path.join(outside.home, PORTABLE_FOLDER);
    mkdirSync(outside.home, { recursive: true });
    writeFileSync(home, 'no folder');
    await assert.rejects(access.letInPortable());
    assert.deepEqual([access.isOn, access.opened], [false, undefined], 'it could not be published');
    rmSync(home);
    await (
      await access.letInPortable()
    )();
    assert.deepEqual([access.isOn, access.opened, isFound()], [false, undefined, false], 'Undo');
    const takeBack = await access.letInPortable();
    assert.deepEqual([access.isOn, access.isForPortable, isFound()], [true, true, true]);
    await access.gateway();
    await takeBack();
    assert.deepEqual([access.isOn, access.isForPortable], [true, false], 'somebody has copied the address since');
    await (
      await access.letInPortable()
    )();
    assert.ok(access.isOn, 'it was on before');
    access.dispose();
  });

  it('what is on the disk opens nothing by itself', async () => {
    const { args } = gateway.commandFor();
    const record = path.join(outside.folder, `${args[1]}.json`);
    const { socket, pid, ...rest } = JSON.parse(readFileSync(record, 'utf8')) as Record<string, unknown>;
    assert.deepEqual([pid, rest], [process.pid, {}]);
    if (process.platform !== 'win32') assert.ok(existsSync(String(socket)));
    gateway.dispose();
    assert.deepEqual([existsSync(record), existsSync(String(socket))], [false, false]);
  });
});

describe('gateway: the command for agents outside', () => {
  const script = ['/data/connect.cjs', 'key'];
  const desktop = { execPath: '/usr/share/code/code', isElectron: true, platform: 'linux', searchPath: '' } as const;

  it('runs on the desktop editor itself, and on a server on the node of the PATH', () => {
    assert.deepEqual(outsideCommand(desktop, script), {
      command: '/usr/share/code/code',
      args: script,
      env: { ELECTRON_RUN_AS_NODE: '1' },
    });
    const server = { ...desktop, execPath: '/home/me/.server/1a2b/node', isElectron: false };
    assert.equal(outsideCommand(server, script).command, server.execPath);
    const searchPath = ['relative', '', '/nowhere', path.dirname(process.execPath)].join(':');
    if (process.platform !== 'win32')
      assert.equal(outsideCommand({ ...server, searchPath }, script).command, process.execPath);
  });

  const command: OutsideCommand = {
    command: '/Applications/Visual Studio Code.app/code',
    args: ['/Users/me/Library/Application Support/connect.cjs', '0123456789abcdef'],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  };

  for (const { id } of OUTSIDE_AGENTS.filter((agent) => agent.id !== 'claude-code'))
    for (const { env } of [command, { env: {} }]) {
      it(`for ${id} is a configuration as that agent reads it, ${Object.keys(env).length} variables`, async () => {
        const file = id === 'codex' ? 'config.toml' : 'mcp.json';
        const text = snippetFor(id, { ...command, env }, 'darwin');
        const { entries } = await parseAnySource(sourceOf({ file }), text);
        assert.equal(entries.length, 1);
        assert.deepEqual(entries[0]?.transport, { type: 'stdio', ...command, env });
      });
    }

  it('for Claude Code is its command, quoted for the platform’s shell', () => {
    assert.equal(
      snippetFor('claude-code', command, 'darwin'),
      'claude mcp add --env ELECTRON_RUN_AS_NODE=1 --transport stdio switchboard -- ' +
        "'/Applications/Visual Studio Code.app/code' '/Users/me/Library/Application Support/connect.cjs' 0123456789abcdef",
    );
    const windows = { command: 'C:\\Program Files\\Code\\Code.exe', args: ['C:\\data\\connect.cjs'], env: {} };
    assert.equal(
      snippetFor('claude-code', windows, 'win32'),
      'claude mcp add --transport stdio switchboard -- "C:\\Program Files\\Code\\Code.exe" C:\\data\\connect.cjs',
    );
    const odd = { command: "/it's/$HOME/`id`", args: ['a;b'], env: {} };
    assert.match(snippetFor('claude-code', odd, 'linux'), / -- '\/it'\\''s\/\$HOME\/`id`' 'a;b'$/);
  });

  it('over HTTP is a file’s entry', async () => {
    const text = httpSnippet({ url: 'http://127.0.0.1:4567/mcp', token: 'a-token' });
    const { entries } = await parseAnySource(sourceOf({ file: 'mcp.json' }), text);
    assert.deepEqual(entries[0]?.transport, {
      type: 'http',
      url: 'http://127.0.0.1:4567/mcp',
      headers: { Authorization: 'Bearer a-token' },
    });
  });
});
