import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { deferred } from '../../../src/base/async.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { snippetFor } from '../../../src/bridge/gateway/outside/clientSnippets.ts';
import { LoopbackServer, STRANGERS } from '../../../src/bridge/gateway/protocol/loopbackServer.ts';
import { InputTurns } from '../../../src/bridge/dialogs/inputTurns.ts';
import { QUESTION_LIMIT_MS } from '../../../src/calls/policy/askUser.ts';
import type { Answer, ToolCall } from '../../../src/calls/callTypes.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { eventually } from '../../support/eventually.ts';
import { Rig, tool } from '../calls/rig.ts';
import { RawClient } from '../bridge/gateway/protocol/rawClient.ts';
import { GatewayRig } from '../bridge/gatewayRig.ts';
import { OutsideRig } from '../bridge/gateway/outside/outsideRig.ts';
import { ManualClock } from '../connection/manualClock.ts';
import { FakeInput } from '../bridge/fakeInput.ts';

const OUTSIDE = { surface: 'outside', caller: 'an-agent' } as const;
const EXTENSION = { surface: 'api', caller: 'a.b' } as const;
const LASTING: readonly Answer[] = ['session', 'always', 'alwaysArgs'];

type Origin = Pick<ToolCall, 'surface'> & Partial<ToolCall>;

async function call(rig: Rig, name: string, from: Origin, args: JsonObject = {}): Promise<'ran' | 'denied'> {
  const { signal } = new AbortController();
  return rig.calls.broker.call({ name: `mcp__notes__${name}`, args, signal, ...from }).then(
    () => 'ran',
    () => 'denied',
  );
}

/** The demo's notes server, and the way for agents outside to it. */
async function withOutside(body: (rig: GatewayRig, outside: OutsideRig) => Promise<void>): Promise<void> {
  const rig = new GatewayRig();
  const outside = new OutsideRig();
  try {
    await rig.start();
    await body(rig, outside);
  } finally {
    await outside.stop();
    await rig.stop();
  }
}

/** The text of every file below a folder. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
}

/** Sections of docs/security.md: every row has a test of its title, and every test a row. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, () => Promise<void>>>>> = {
  'Who asks': {
    'A permission that was given to one caller is used by another': async () => {
      const callers: readonly Origin[] = [{ surface: 'lm-tool' }, OUTSIDE, EXTENSION, { ...EXTENSION, caller: 'c.d' }];
      for (const asking of callers)
        for (const answer of LASTING) {
          const rig = new Rig();
          rig.answer = answer;
          await call(rig, 'delete_note', asking);
          await call(rig, 'fetch', asking);
          rig.answer = 'deny';
          for (const other of callers.filter((each) => each !== asking))
            for (const name of ['delete_note', 'fetch'])
              assert.equal(await call(rig, name, other), 'denied', JSON.stringify([asking, answer, other, name]));
        }
    },

    'An agent outside calls itself like another, or like none': async () => {
      const rig = new Rig();
      rig.answer = 'session';
      await call(rig, 'delete_note', { surface: 'lm-tool' });
      await call(rig, 'delete_all', EXTENSION);
      rig.answer = 'deny';
      for (const caller of ['', 'a.b', 'extension:a.b', 'editor', '(unknown)', undefined])
        for (const name of ['delete_note', 'delete_all']) {
          const from: Origin = { surface: 'outside', ...(caller === undefined ? {} : { caller }) };
          assert.equal(await call(rig, name, from), 'denied', `${caller} ${name}`);
        }
    },

    'An extension that can’t be told keeps a permission': async () => {
      for (const caller of ['(unknown)', 'a.b (unverified)', '', undefined]) {
        const from: Origin = { surface: 'api', ...(caller === undefined ? {} : { caller }) };
        const rig = new Rig();
        rig.answer = 'always';
        assert.equal(await call(rig, 'delete_note', from), 'ran');
        assert.equal(rig.asked[0]?.lasting, false);
        rig.answer = 'deny';
        assert.equal(await call(rig, 'delete_note', from), 'denied');
        assert.deepEqual(rig.calls.grants.all, []);
      }
    },

    'An agent outside answers the question about its own call': async () => {
      await withOutside(async (rig, outside) => {
        let forms = 0;
        const client = await outside.client(await outside.open(rig), {
          answer: () => {
            forms += 1;
            return 'once';
          },
        });
        const denied = await client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
        assert.match(JSON.stringify(denied.content), /The user denied/);
        assert.equal(forms, 0);
        assert.deepEqual(
          rig.questionsElsewhere.map(({ surface, caller, lasting, sessionOnly }) => ({
            surface,
            caller,
            lasting,
            sessionOnly,
          })),
          [{ surface: 'outside', caller: 'an-agent', lasting: true, sessionOnly: true }],
        );
      });
    },

    'An answer that comes before its question': async () => {
      await withOutside(async (rig) => {
        const client = new RawClient(rig, 'notes');
        const inputResponses = { input_1: { action: 'accept', content: { answer: 'once' } } };
        const answer = await client.call('delete_all_notes', { inputResponses });
        assert.equal(answer['resultType'], 'input_required');
        const listed = await client.call('list_notes');
        assert.match(JSON.stringify(listed), /Welcome/);
      });
    },

    'An agent outside that may answer gives itself a lasting permission': async () => {
      await withOutside(async (rig, outside) => {
        outside.change({ asksClients: true });
        const offered: (readonly string[])[] = [];
        const client = await outside.client(await outside.open(rig), {
          answer: ({ requestedSchema }) => {
            offered.push(requestedSchema.properties.answer.enum);
            return requestedSchema.properties.answer.enum.at(-1) ?? '';
          },
        });
        const add = { name: 'mcp__notes__add_note', arguments: { title: 'a', text: 'b' } };
        await client.callTool(add);
        await client.callTool(add);
        assert.deepEqual(offered, [
          ['deny', 'once'],
          ['deny', 'once'],
        ]);
        assert.deepEqual(rig.questionsElsewhere, []);
        assert.deepEqual(rig.test.host.grants.all, []);
      });
    },

    'A lasting permission for agents outside': async () => {
      const rules = readPermissionRules([{ tool: 'mcp__notes__*', action: 'allow' }], 'user').rules;
      for (const answer of ['always', 'alwaysArgs'] as const) {
        const store = new MemoryStore();
        const rig = new Rig({ store });
        rig.answer = answer;
        assert.equal(await call(rig, 'delete_note', OUTSIDE), 'ran');
        await call(rig, 'fetch', OUTSIDE);
        assert.deepEqual(
          rig.asked.map(({ sessionOnly }) => sessionOnly),
          [true, true],
        );
        assert.deepEqual(rig.calls.grants.all, []);
        assert.equal(rig.calls.grants.openWorld.length, 0);
      }
      // Nor does its answer make a new tool known, or bind the name in a rule.
      const rig = new Rig({ settings: { rules } });
      rig.fresh.add('delete_all');
      rig.answer = 'session';
      await call(rig, 'delete_all', OUTSIDE);
      assert.ok(rig.fresh.has('delete_all'));
      const bound = new Rig({ settings: { rules } });
      bound.imitations.add('id');
      bound.answer = 'session';
      await call(bound, 'delete_note', OUTSIDE);
      bound.answer = 'deny';
      assert.equal(await call(bound, 'delete_note', { surface: 'lm-tool' }), 'denied');
      // What ends with the window is for all of them: their names prove nothing.
      const session = new Rig();
      session.answer = 'session';
      await call(session, 'delete_note', OUTSIDE);
      session.answer = 'deny';
      assert.equal(await call(session, 'delete_note', { ...OUTSIDE, caller: 'another' }), 'ran');
    },

    'An agent outside fills in a prompt, to send what it read': async () => {
      const rig = new Rig();
      const params = { name: 'review', arguments: { text: 'secret' } };
      const request = { serverId: 'id', method: 'prompts/get', params, signal: new AbortController().signal } as const;
      await assert.rejects(rig.calls.broker.request({ ...request, ...OUTSIDE }), /external systems/);
      const completed = { ref: { type: 'ref/prompt', name: 'secret' }, argument: { name: 'a', value: 'secret' } };
      const completion = { ...request, method: 'completion/complete', params: completed } as const;
      await assert.rejects(rig.calls.broker.request({ ...completion, ...OUTSIDE }), /never asked about/);
      assert.deepEqual(rig.ran, []);
      await rig.calls.broker.request({ ...completion, surface: 'gateway' });
    },

    'Identical calls in parallel, to get one of many questions answered by mistake': async () => {
      const rig = new Rig();
      const open = deferred<Answer>();
      rig.answer = () => open.promise;
      const calls = Array.from({ length: 20 }, () => call(rig, 'delete_note', { surface: 'lm-tool' }, { title: 'a' }));
      const other = call(rig, 'delete_note', { surface: 'lm-tool' }, { title: 'b' });
      const outside = call(rig, 'delete_note', OUTSIDE, { title: 'a' });
      await eventually('it asks', () => rig.asked.length === 3);
      open.resolve('deny');
      assert.deepEqual(new Set(await Promise.all([...calls, other, outside])), new Set(['denied']));
      assert.equal(rig.asked.length, 3);
    },

    'One yes to one of several identical calls runs them all': async () => {
      const rig = new Rig();
      const open = deferred<Answer>();
      rig.answer = () => open.promise;
      const calls = Array.from({ length: 5 }, () => rig.call('add_note', { title: 'a' }));
      await eventually('it asks', () => rig.asked.length === 1);
      open.resolve('once');
      const texts = await Promise.all(calls);
      assert.deepEqual([rig.asked.length, rig.ran.length], [1, 1]);
      assert.equal(texts.filter((text) => /It ran once, and this is its result/.test(text)).length, 4);
      rig.answer = 'deny';
      await rig.fails('denied', 'add_note', { title: 'a' });
    },

    'A result with links that the editor reads by itself, to ask until it is allowed': async () => {
      const rig = new Rig();
      rig.catalog.setServer('id', 'notes', [tool('look', { readOnlyHint: true })]);
      const read = (uri: string, surface: ToolCall['surface']): Promise<unknown> =>
        rig.calls.broker.request({
          serverId: 'id',
          method: 'resources/read',
          params: { uri },
          surface,
          signal: new AbortController().signal,
        });
      await assert.rejects(read('https://a.example/1', 'gateway'), /The user denied/);
      for (const each of [1, 2, 3])
        await assert.rejects(read(`https://a.example/${each}`, 'gateway'), /refused this server’s resources/);
      assert.equal(rig.asked.length, 1);
      // What a model asks for is asked about, and so is a server that is another one now.
      await assert.rejects(read('https://a.example/1', 'lm-tool'), /The user denied/);
      rig.fingerprint = 'f2';
      await assert.rejects(read('https://a.example/1', 'gateway'), /The user denied/);
      assert.equal(rig.asked.length, 3);
      rig.clock.advance(11 * 60_000);
      rig.answer = 'once';
      await read('https://a.example/1', 'gateway');
      assert.equal(rig.asked.length, 4);
    },

    'A call is cancelled while an identical one waits for the same question': async () => {
      const rig = new Rig();
      const open = deferred<Answer>();
      rig.answer = () => open.promise;
      const first = new AbortController();
      const cancelled = rig.fails('denied', 'add_note', {}, first.signal);
      const waits = rig.call('add_note');
      await eventually('it asks', () => rig.asked.length === 1);
      first.abort();
      assert.match(await cancelled, /was cancelled before the user answered/);
      assert.equal(rig.asked[0]?.signal.aborted, false);
      open.resolve('session');
      assert.match(await waits, /ran add_note/);
      assert.deepEqual(
        rig.calls.grants.all.map((grant) => grant.tool),
        ['add_note'],
      );
      // The last one to leave closes it.
      const last = new AbortController();
      rig.answer = () => deferred<Answer>().promise;
      const alone = rig.fails('denied', 'delete_all', {}, last.signal);
      await eventually('it asks', () => rig.asked.length === 2);
      last.abort();
      await alone;
      assert.equal(rig.asked[1]?.signal.aborted, true);
    },

    'Reading tools of one server in parallel, each with a question about the open world': async () => {
      const rig = new Rig();
      rig.catalog.setServer('id', 'notes', [
        tool('look', { readOnlyHint: true }),
        tool('peek', { readOnlyHint: true }),
      ]);
      const open = deferred<Answer>();
      rig.answer = () => open.promise;
      const calls = [rig.call('look'), rig.call('peek', { title: 'x' }), rig.call('look', { title: 'y' })];
      await eventually('it asks', () => rig.asked.length === 1);
      open.resolve('session');
      await Promise.all(calls);
      assert.deepEqual([rig.asked.length, rig.ran.length], [1, 3]);
    },

    'A question that nobody answers, to keep others from being asked': async () => {
      const rig = new Rig();
      rig.answer = (question) => (question.tool.tool.name === 'add_note' ? deferred<Answer>().promise : 'once');
      const blocked = rig.fails('denied', 'add_note');
      await eventually('it asks', () => rig.asked.length === 1);
      await rig.call('delete_note');
      assert.equal(rig.asked.length, 2);
      rig.clock.advance(QUESTION_LIMIT_MS);
      assert.match(await blocked, /did not answer within 10 minutes/);
    },

    'A form that is left open in one client, to keep the editor from asking': async () => {
      const turns = new InputTurns();
      const { signal } = new AbortController();
      const [first, second] = [new FakeInput(), new FakeInput()];
      const form = turns.run(signal, (turn) => first.ask(turn));
      const question = turns.run(signal, (turn) => second.ask(turn));
      await first.shown();
      assert.deepEqual([first.isVisible, first.waiting, second.isVisible], [true, 1, false]);
      first.putOff();
      await second.shown();
      assert.deepEqual([first.isVisible, second.isVisible, second.waiting], [false, true, 1]);
      second.answer('yes');
      assert.equal(await question, 'yes');
      await first.shown();
      assert.equal(first.waiting, 0);
      first.answer('filled in');
      assert.equal(await form, 'filled in');
    },
  },

  'Agents outside the editor': {
    'A process listens on a port that a window had, to get the token': async () => {
      await withOutside(async (rig, outside) => {
        outside.change({ http: true });
        const gateway = await outside.open(rig);
        const { url, token } = await gateway.openHttp();
        gateway.dispose();
        const heard: unknown[] = [];
        const thief = createHttpServer(({ headers }, response) => {
          heard.push(headers.authorization);
          response.writeHead(500).end();
        });
        await new Promise<void>((resolve) => thief.listen(Number(new URL(url).port), '127.0.0.1', resolve));
        await fetch(url, { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: '{}' });
        thief.closeAllConnections();
        await new Promise((resolve) => thief.close(resolve));
        const reopened = await (await outside.open(rig)).openHttp();
        const stolen = await fetch(reopened.url, { method: 'POST', headers: { authorization: String(heard[0]) } });
        assert.equal(stolen.status, 401);
        assert.deepEqual(
          filesIn(outside.storage).filter((text) => text.includes(reopened.token)),
          [],
        );
      });
    },

    'A port or a token in the list of processes, a file or a history': async () => {
      await withOutside(async (rig, outside) => {
        const gateway = await outside.open(rig);
        const { command, args, env } = gateway.commandFor();
        assert.deepEqual([args.length, env], [2, {}]);
        assert.match(args[1] ?? '', /^[0-9a-f]{16}$/);
        const client = await outside.client(gateway);
        await client.listTools();
        const { token } = rig.gateway;
        const texts = [
          command,
          ...args,
          ...filesIn(outside.storage),
          snippetFor('claude-code', { command, args, env }, 'linux'),
        ];
        for (const text of texts) assert.ok(!text.includes(token) && !/Bearer|127\.0\.0\.1|localhost/.test(text));
      });
    },

    'Another user looks for the socket of a window': async () => {
      await withOutside(async (rig, outside) => {
        const socket = outside.socketOf(await outside.open(rig));
        const other = outside.socketOf(await outside.open(rig, { workspaceId: 'there' }));
        if (process.platform === 'win32') return;
        const modes = [outside.folder, path.dirname(socket), socket].map((file) => lstatSync(file).mode & 0o777);
        assert.deepEqual(modes, [0o700, 0o700, 0o600]);
        for (const name of readdirSync(outside.folder).filter((each) => each.endsWith('.json')))
          assert.equal(statSync(path.join(outside.folder, name)).mode & 0o777, 0o600);
        assert.notEqual(path.dirname(socket), path.dirname(other), 'a name that can’t be known before');
        // Here, the name of a pipe is that of a file in the working directory, whose access Node sets in the same way.
        const pipes = await Promise.all(
          ['one', 'two'].map((workspaceId) => outside.open(rig, { workspaceId, platform: 'win32' })),
        );
        const names = pipes.map((pipe) => outside.socketOf(pipe));
        for (const name of names) {
          assert.match(name, /^\\\\\.\\pipe\\mcp-switchboard-[0-9a-f]{32}$/);
          assert.equal(lstatSync(name).mode & 0o022, 0, 'nobody else may write');
        }
        assert.notEqual(names[0], names[1]);
        for (const pipe of pipes) pipe.dispose();
      });
    },

    'Another user puts a socket where a window’s was': async () => {
      await withOutside(async (rig, outside) => {
        if (process.platform === 'win32') return;
        const gateway = await outside.open(rig);
        const folder = path.dirname(outside.socketOf(gateway));
        const refused = (): Promise<void> => assert.rejects(outside.client(gateway), /isn’t a private folder of yours/);
        chmodSync(folder, 0o755);
        await refused();
        chmodSync(folder, 0o700);
        renameSync(folder, `${folder}-moved`);
        symlinkSync(`${folder}-moved`, folder);
        await refused();
        rmSync(folder);
        renameSync(`${folder}-moved`, folder);
        await outside.client(gateway);
      });
    },

    'A window that crashed leaves a socket behind': async () => {
      await withOutside(async (rig, outside) => {
        if (process.platform === 'win32') return;
        const gateway = await outside.open(rig);
        const { pid } = spawnSync(process.execPath, ['--version']);
        const left = mkdtempSync(path.join(tmpdir(), 'mcp-switchboard-'));
        writeFileSync(path.join(left, 'gateway'), '');
        const record = path.join(outside.folder, `${gateway.commandFor().args[1]}.json`);
        gateway.dispose();
        writeFileSync(record, JSON.stringify({ socket: path.join(left, 'gateway'), pid }));
        await assert.rejects(outside.client(gateway), /No window of the editor answers here/);
        const next = await outside.open(rig);
        assert.equal(existsSync(left), false);
        await outside.client(next);
        // A record that names another place removes nothing there.
        next.dispose();
        const mine = path.join(outside.storage, 'mine');
        writeFileSync(mine, 'kept');
        writeFileSync(record, JSON.stringify({ socket: mine, pid }));
        await outside.open(rig);
        assert.equal(existsSync(mine), true);
      });
    },

    'Connections without the token, to use up what a window can have open': async () => {
      const clock = new ManualClock();
      const server = new LoopbackServer('right', clock, () => ({
        handle: async (_request, response) => void response.writeHead(200).end(),
      }));
      const port = await server.listen();
      const idle: Socket[] = [];
      const open = (): number => idle.filter((socket) => !socket.closed).length;
      try {
        const send = (token: string): Promise<number> =>
          fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: `Bearer ${token}` } }).then(
            ({ status }) => status,
          );
        for (let count = 0; count < STRANGERS.most * 1.2; count++) {
          const socket = connect(port, '127.0.0.1').on('error', () => undefined);
          socket.resume();
          idle.push(socket);
        }
        await eventually('a crowd stays for a moment', () => open() === STRANGERS.most);
        assert.deepEqual([await send('right'), await send('wrong')], [200, 401]);
        clock.advance(STRANGERS.crowdedMs);
        await eventually('few stay', () => open() <= STRANGERS.connections);
        clock.advance(STRANGERS.openMs);
        await eventually('none stays', () => open() === 0);
        assert.equal(await send('right'), 200);
      } finally {
        for (const socket of idle) socket.destroy();
        server.dispose();
      }
    },

    'A client without an end to its name': async () => {
      await withOutside(async (rig, outside) => {
        const client = await outside.client(await outside.open(rig), { name: 'x'.repeat(100_000) });
        await client.callTool({ name: 'mcp__notes__delete_all_notes', arguments: {} });
        assert.equal(rig.questionsElsewhere[0]?.caller?.length, 100);
      });
    },
  },
};

for (const [section, attacks] of Object.entries(SECTIONS)) {
  describe(`attacks: ${section}`, function () {
    this.timeout(90_000);
    for (const [title, attack] of Object.entries(attacks)) it(title, attack);

    it('the document has a row for each', () => {
      const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
      const [, rest = ''] = text.split(`\n### ${section}\n`);
      const [table = ''] = rest.split('\n#');
      for (const title of Object.keys(attacks)) assert.ok(table.includes(`\n| ${title} | `), title);
    });
  });
}
