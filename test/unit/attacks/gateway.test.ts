import { strict as assert } from 'node:assert';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { root } from '../../../scripts/lib/paths.mjs';
import { deferred } from '../../../src/base/async.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { GatewayRig } from '../bridge/gatewayRig.ts';
import { OutsideRig } from '../bridge/gateway/outside/outsideRig.ts';

/** The lists of a server that have cursors, with the member that their items are in. */
const LISTS = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};
const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'raw', version: '0' },
};
const SECRET = 'what-was-read';

interface Page {
  readonly result?: Readonly<Record<string, unknown>> & { readonly nextCursor?: string };
  readonly error?: { readonly code: number; readonly message: string };
}

/** A session of a client that sends what it likes. */
interface RawSession {
  readonly headers: Readonly<Record<string, string>>;
  readonly ask: (method: string, params?: object, id?: number) => Promise<Page>;
}

/** Stopped after each test. */
const running: GatewayRig[] = [];

/** Two servers with lists in pages; `asked` is what each was sent. */
async function pagesRig(): Promise<{ readonly rig: GatewayRig; readonly asked: (name: 'one' | 'two') => string }> {
  const rig = new GatewayRig();
  running.push(rig);
  const file = (name: string): string => path.join(rig.test.folder, `${name}.jsonl`);
  const server = (name: string): object => ({
    command: process.execPath,
    // Both give the same cursor.
    args: [path.join(root, 'test/fixtures/servers/pages.mjs'), file(name), 'page-2'],
  });
  await rig.start({ one: server('one'), two: server('two') });
  return { rig, asked: (name) => readFileSync(file(name), 'utf8') };
}

async function post(rig: GatewayRig, server: string, headers: object, message: object): Promise<Response> {
  return fetch(rig.endpoint(server).url, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.gateway.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
}

async function raw(rig: GatewayRig, server: string): Promise<RawSession> {
  const begun = await post(rig, server, {}, { id: 0, method: 'initialize', params: INITIALIZE });
  const headers = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  return {
    headers,
    ask: async (method, params = {}, id = 1) => {
      const text = await (await post(rig, server, headers, { id, method, params })).text();
      const data = text.split('\n').filter((line) => line.startsWith('data: '));
      return JSON.parse(data.at(-1)?.slice('data: '.length) ?? text) as Page;
    },
  };
}

/** Sections of docs/security.md: every row has a test of its title, and every test a row. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, () => Promise<void>>>>> = {
  'Clients of the gateway': {
    'A cursor that carries what was read to a server': async () => {
      const { rig, asked } = await pagesRig();
      const { ask } = await raw(rig, 'one');
      for (const [method, member] of Object.entries(LISTS)) {
        const first = await ask(method);
        const cursor = first.result?.nextCursor ?? '';
        const [encoded, tag] = cursor.split('.');
        const own = Buffer.from(SECRET).toString('base64url');
        const forged = [
          SECRET,
          'page-2',
          own,
          `${own}.${tag}`,
          `${cursor}.${own}`,
          `${encoded}.`,
          encoded,
          '',
          2,
          { SECRET },
        ];
        for (const wrong of forged)
          assert.equal(
            (await ask(method, { cursor: wrong })).error?.code,
            -32602,
            `${method} ${JSON.stringify(wrong)}`,
          );
        const second = await ask(method, { cursor });
        assert.equal((second.result?.[member] as readonly unknown[] | undefined)?.length, 1, method);
        assert.notDeepEqual(second.result?.[member], first.result?.[member]);
        assert.equal(second.result?.nextCursor, undefined);
      }
      assert.ok(!asked('one').includes(SECRET) && asked('one').includes('page-2'));
    },

    'A cursor of one list, server or session in another': async () => {
      const { rig, asked } = await pagesRig();
      const one = await raw(rig, 'one');
      const two = await raw(rig, 'two');
      const { result } = await one.ask('resources/list');
      const cursor = result?.nextCursor;
      for (const [session, method] of [
        [one, 'prompts/list'],
        [one, 'resources/templates/list'],
        [two, 'resources/list'],
      ] as const)
        assert.equal((await session.ask(method, { cursor })).error?.code, -32602, method);
      assert.ok((await one.ask('resources/list', { cursor })).result);
      await rig.test.host.pool.restart(rig.endpoint('one').serverId);
      assert.equal((await one.ask('resources/list', { cursor })).error?.code, -32602);
      assert.ok(!asked('two').includes('page-2'));
    },

    'Text beside the cursor of a list': async () => {
      const { rig, asked } = await pagesRig();
      const { ask } = await raw(rig, 'one');
      for (const method of Object.keys(LISTS)) {
        const first = await ask(method, { note: SECRET, _meta: { note: SECRET } });
        assert.ok((await ask(method, { cursor: first.result?.nextCursor, uri: SECRET })).result);
      }
      assert.ok(!asked('one').includes(SECRET));
    },

    'A further page of a server that a rule denies': async () => {
      const { rig, asked } = await pagesRig();
      const { ask } = await raw(rig, 'one');
      for (const method of Object.keys(LISTS)) {
        const cursor = (await ask(method)).result?.nextCursor;
        for (const rule of ['mcp__one', 'mcp__one__*', `mcp__one__${method}`]) {
          rig.rules = readPermissionRules([{ tool: rule, action: 'deny' }], 'user').rules;
          assert.match((await ask(method, { cursor })).error?.message ?? '', /^Denied: a rule in your settings/, rule);
        }
        rig.rules = [];
      }
      assert.ok(!asked('one').includes('page-2'));
    },

    'The session of another client': async () => {
      const rig = new GatewayRig();
      running.push(rig);
      await rig.start({ notes: rig.notes, other: rig.notes });
      // What the client's own user says is what counts, whatever another client sends meanwhile.
      for (const own of [{ action: 'decline' }, { action: 'accept', content: { answer: 'once' } }] as const) {
        const asked = deferred<void>();
        const answered = deferred<ElicitResult>();
        const client = await rig.client(() => {
          asked.resolve();
          return answered.promise;
        });
        const adding = client.callTool({ name: 'add_note', arguments: { title: own.action, text: 'x' } });
        await asked.promise;
        const foreign = await raw(rig, 'notes');
        // Ids of questions and requests are easy to guess; those of sessions aren't, and a session is one endpoint's.
        const forged = [
          ...['switchboard-1', 'switchboard-2', 1].map((id) => ({
            id,
            result: { action: 'accept', content: { answer: 'once' } },
          })),
          ...['switchboard-1', 1].map((id) => ({ id, error: { code: -1, message: 'no' } })),
          ...[0, 1, 2, 3].map((requestId) => ({ method: 'notifications/cancelled', params: { requestId } })),
        ];
        for (const message of forged) assert.equal((await post(rig, 'notes', foreign.headers, message)).status, 202);
        assert.equal((await post(rig, 'other', foreign.headers, { id: 1, method: 'ping' })).status, 404);
        answered.resolve(own);
        const text = JSON.stringify((await adding).content);
        assert.match(text, own.action === 'accept' ? /Added/ : /The user denied/);
      }
    },

    'A request without the token behind one that has it, in one connection': async () => {
      const rig = new GatewayRig();
      running.push(rig);
      await rig.start();
      const { host, port, pathname } = new URL(rig.endpoint().url);
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE });
      const request = (authorization: string): string =>
        `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\n${authorization}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      const socket = connect(Number(port), '127.0.0.1');
      let text = '';
      socket.setEncoding('utf8').on('data', (chunk) => (text += String(chunk)));
      const token = `Authorization: Bearer ${rig.gateway.token}\r\n`;
      socket.write([token, '', token].map(request).join(''));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      await closed;
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status);
      assert.deepEqual(statuses.slice(0, 2), ['200', '401']);
    },

    'A link where the socket of a window that crashed was': async () => {
      if (process.platform === 'win32') return;
      const rig = new GatewayRig();
      running.push(rig);
      const outside = new OutsideRig();
      const temporary = mkdtempSync(path.join(tmpdir(), 'switchboard-'));
      try {
        await rig.start();
        const first = await outside.open(rig, { temporary });
        const record = path.join(outside.folder, `${first.commandFor().args[1]}.json`);
        first.dispose();
        const folderOf = (name: string): string => path.join(temporary, `mcp-switchboard-${name}`);
        const others = path.join(temporary, 'of-others');
        mkdirSync(others);
        const mine = path.join(others, 'gateway');
        writeFileSync(mine, 'a file of the user’s');
        symlinkSync(others, folderOf('link'));
        mkdirSync(folderOf('shared'), { mode: 0o755 });
        writeFileSync(path.join(folderOf('shared'), 'gateway'), '');
        mkdirSync(folderOf('left'), { mode: 0o700 });
        writeFileSync(path.join(folderOf('left'), 'gateway'), '');
        for (const name of ['link', 'shared', 'left']) {
          // No process has so high an id.
          writeFileSync(record, JSON.stringify({ socket: path.join(folderOf(name), 'gateway'), pid: 2 ** 30 }));
          (await outside.open(rig, { temporary })).dispose();
        }
        assert.deepEqual(
          [mine, ...['shared', 'left'].map((name) => path.join(folderOf(name), 'gateway'))].map((file) =>
            existsSync(file),
          ),
          [true, true, false],
        );
      } finally {
        await outside.stop();
        rmSync(temporary, { recursive: true, force: true });
      }
    },
  },
};

for (const [section, rows] of Object.entries(SECTIONS))
  describe(`attacks: ${section}`, function () {
    this.timeout(60_000);
    afterEach(async () => {
      for (const rig of running.splice(0)) await rig.stop();
    });
    for (const [title, test] of Object.entries(rows)) it(title, test);

    it('the document has a row for each', () => {
      const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
      const [, rest = ''] = text.split(`\n### ${section}\n`);
      const [table = ''] = rest.split('\n#');
      for (const title of Object.keys(rows)) assert.ok(table.includes(`\n| ${title} | `), title);
    });
  });
