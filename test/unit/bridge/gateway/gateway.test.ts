import { strict as assert } from 'node:assert';
import { request as httpRequest } from 'node:http';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { HINTS_KEY } from '../../../../src/bridge/gateway/listedTools.ts';
import { MAX_BODY_BYTES } from '../../../../src/bridge/gateway/protocol/requestServer.ts';
import { root } from '../../../../scripts/lib/paths.mjs';
import { GatewayRig, type Form } from '../gatewayRig.ts';
import { textOf, waitFor } from '../gatewaySupport.ts';

describe('gateway: each hosted server as an MCP endpoint', function () {
  this.timeout(60_000);
  let rig: GatewayRig;
  const noteFiles = (): readonly string[] => {
    const folder = path.join(rig.test.folder, 'notes');
    return existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('doomed')) : [];
  };
  const add = (client: Client): Promise<unknown> =>
    client.callTool({ name: 'add_note', arguments: { title: 'doomed', text: 'x' } });

  beforeEach(() => {
    rig = new GatewayRig();
  });

  afterEach(async () => {
    await rig.stop();
  });

  it('is named so that the editor makes exactly the callable names', async () => {
    await rig.start();
    const client = await rig.client();
    assert.equal(client.getServerVersion()?.name, '_notes_');
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => `mcp__notes__${name}`).sort(),
      rig.test.host.catalog.tools.map(({ name }) => name).sort(),
    );
  });

  it('lists every tool as reading only, and the true hints beside it', async () => {
    await rig.start();
    const { tools } = await (await rig.client()).listTools();
    const tool = tools.find(({ name }) => name === 'delete_note');
    assert.deepEqual(tool?.annotations, { readOnlyHint: true });
    assert.deepEqual(tool?._meta?.[HINTS_KEY], { readOnlyHint: false, destructiveHint: true, openWorldHint: false });
    assert.deepEqual(tool?.inputSchema.required, ['title']);
  });

  it('runs a read-only call with no question', async () => {
    await rig.start();
    const forms: Form[] = [];
    const client = await rig.client((form) => {
      forms.push(form);
      return { action: 'decline' };
    });
    assert.match(textOf(await client.callTool({ name: 'list_notes', arguments: {} })), /note/i);
    assert.deepEqual([forms, rig.questionsElsewhere], [[], []]);
  });

  it('asks once by a form from within the call, the denial first; allowed, it runs', async () => {
    await rig.start();
    const forms: Form[] = [];
    const client = await rig.client((form) => {
      forms.push(form);
      return { action: 'accept', content: { answer: 'once' } };
    });
    await add(client);
    await client.callTool({ name: 'delete_note', arguments: { title: 'doomed' } });
    assert.deepEqual(
      forms.map(({ message }) => message),
      ['Run add_note?', 'Run delete_note?'],
    );
    assert.equal(forms[0]?.requestedSchema.properties.answer.enum[0], 'deny');
    assert.deepEqual(noteFiles(), []);
    assert.deepEqual(rig.questionsElsewhere, []);
  });

  for (const [what, answer] of [
    ['declined', { action: 'decline' }],
    ['closed', { action: 'cancel' }],
    ['answered with no label of ours', { action: 'accept', content: { answer: 'yes' } }],
    ['answered with nothing', { action: 'accept', content: {} }],
    ['answered with the denial', { action: 'accept', content: { answer: 'deny' } }],
  ] as const) {
    it(`a form that is ${what} is a denial, and nobody asks again`, async () => {
      await rig.start();
      let asked = 0;
      const client = await rig.client(() => {
        asked += 1;
        return { ...answer };
      });
      const result = await client.callTool({ name: 'add_note', arguments: { title: 'doomed', text: 'x' } });
      assert.match(textOf(result), /^The user denied/);
      assert.equal(result.isError, false);
      assert.deepEqual([asked, rig.questionsElsewhere.length, noteFiles()], [1, 0, []]);
    });
  }

  it('asks elsewhere where the client has no forms', async () => {
    await rig.start();
    const client = await rig.client();
    assert.match(textOf((await add(client)) as never), /^The user denied/);
    assert.equal(rig.questionsElsewhere.length, 1);
    assert.equal(rig.questionsElsewhere[0]?.surfaceContext, undefined);
  });

  it('a call that the client cancels while it is asked closes the question, and nothing runs', async () => {
    await rig.start();
    const ending = new AbortController();
    const client = await rig.client(() => {
      ending.abort();
      return new Promise<never>(() => undefined);
    });
    await assert.rejects(
      client.callTool({ name: 'add_note', arguments: { title: 'doomed', text: 'x' } }, { signal: ending.signal }),
    );
    await waitFor(() => rig.test.host.calls.history.entries.length === 1);
    assert.deepEqual(noteFiles(), []);
  });

  it('gives a failed tool and wrong arguments as the tool’s error, for the model to read', async () => {
    await rig.start();
    const client = await rig.client(() => ({ action: 'accept', content: { answer: 'once' } }));
    const wrong = await client.callTool({ name: 'delete_note', arguments: { titel: 'x' } });
    assert.equal(wrong.isError, true);
    assert.match(textOf(wrong), /is missing the required property "title"/);
    const failed = await client.callTool({ name: 'delete_note', arguments: { title: 'none' } });
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /There is no note/);
  });

  it('lists nothing and says so when the server is lost, and all again when it is back', async () => {
    await rig.start();
    let changes = 0;
    const client = await rig.client();
    client.setNotificationHandler('notifications/tools/list_changed', () => {
      changes += 1;
    });
    const { serverId, url } = rig.endpoint();
    await rig.test.host.pool.disconnect(serverId);
    await waitFor(() => changes === 1);
    assert.deepEqual((await client.listTools(undefined, { cacheMode: 'refresh' })).tools, []);
    const lost = await client.callTool({ name: 'list_notes', arguments: {} });
    assert.equal(lost.isError, true);
    assert.match(textOf(lost), /The server "notes" is not available. Disconnected. The user can start it: .*Connect/);
    assert.equal(rig.endpoint().url, url);
    await rig.test.host.pool.connect(serverId);
    await waitFor(() => changes === 2);
    assert.equal((await client.listTools(undefined, { cacheMode: 'refresh' })).tools.length, 4);
  });

  it('passes resources, templates, prompts and completion on, where the server has them', async () => {
    const everything = path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
    await rig.start({ notes: rig.notes, everything: { command: process.execPath, args: [everything] } });
    const client = await rig.client(undefined, 'everything');
    const { resources } = await client.listResources();
    assert.ok(resources.length > 0);
    const { contents } = await client.readResource({ uri: resources[0]?.uri ?? '' });
    assert.ok(contents.length > 0);
    assert.ok((await client.listResourceTemplates()).resourceTemplates.length > 0);
    const { prompts } = await client.listPrompts();
    assert.ok(prompts.length > 0);
    const simple = prompts.find(({ arguments: args }) => !args?.length);
    assert.ok((await client.getPrompt({ name: simple?.name ?? '' })).messages.length > 0);
    const notes = await rig.client();
    assert.deepEqual(Object.keys(notes.getServerCapabilities() ?? {}), ['tools']);
    await assert.rejects(notes.request({ method: 'resources/list', params: {} }), /Method not found: resources\/list/);
  });

  describe('lets nobody else in', () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
    beforeEach(() => rig.start());

    const post = (headers: Record<string, string>, body: string | Buffer = ping, where = ''): Promise<number> =>
      send(`${rig.endpoint().url}${where}`, headers, body);

    it('no token, a wrong one, one of an earlier activation', async () => {
      assert.equal(await post({}), 401);
      assert.equal(await post({ authorization: 'Bearer wrong' }), 401);
      const earlier = new GatewayRig();
      const old = earlier.gateway.token;
      await earlier.stop();
      assert.equal(await post({ authorization: `Bearer ${old}` }), 401);
    });

    it('a foreign Host or Origin, with the right token', async () => {
      const authorization = `Bearer ${rig.gateway.token}`;
      assert.equal(await post({ authorization, host: 'evil.example:80' }), 403);
      assert.equal(await post({ authorization, origin: 'https://evil.example' }), 403);
      assert.equal(await post({ authorization, origin: 'null' }), 403);
      assert.equal(await post({ authorization }), 400, 'no session yet');
    });

    it('a body over the limit, a path that is nobody’s, a session that is nobody’s, what is no JSON', async () => {
      const authorization = `Bearer ${rig.gateway.token}`;
      assert.equal(await post({ authorization }, Buffer.alloc(MAX_BODY_BYTES + 1, 'x')), 413);
      assert.equal(await post({ authorization }, ping, 'x'), 404);
      assert.equal(await post({ authorization, 'mcp-session-id': 'x' }), 404);
      assert.equal(await post({ authorization }, 'not json'), 400);
    });

    it('not on any other interface, and nothing after the end', async () => {
      const url = new URL(rig.endpoint().url);
      assert.equal(url.hostname, '127.0.0.1');
      await assert.rejects(send(url.href.replace('127.0.0.1', '127.0.0.2'), {}, ping), /ECONNREFUSED/);
      rig.gateway.dispose();
      await assert.rejects(send(url.href, {}, ping), /ECONNREFUSED/);
    });
  });
});

/** With Node's own client: `fetch` sets the headers that these tests are about. Gives the status. */
function send(url: string, headers: Record<string, string>, body: string | Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
    let status: number | undefined;
    request.once('response', (response) => {
      status = response.statusCode ?? 0;
      response.resume();
      resolve(status);
    });
    request.once('error', (error) => status === undefined && reject(error));
    request.end(body);
  });
}
