import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { Emitter } from '../../../src/base/event.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { ServerQuestion, ServerRequestPorts } from '../../../src/connection/serverQuestionTypes.ts';
import { eventually } from '../../support/eventually.ts';
import { TestHost } from '../../support/testHost.ts';

const PERSON_REFUSED = -1;
const PARAMS = { messages: [{ role: 'user', content: { type: 'text', text: 'six times seven?' } }], maxTokens: 10 };

describe('requests of servers, on real servers of both eras', function () {
  this.timeout(60_000);
  let rig: TestHost;
  let roots: unknown;
  let sampling: JsonObject | undefined = {};
  let answer: ServerRequestPorts['sample'];
  const asked: ServerQuestion[] = [];
  const done: string[] = [];
  const rootsChanged = new Emitter<void>();
  const call = async (name: string, args: JsonObject = {}): Promise<string> => {
    const { parts } = await rig.host.broker.call({ name, args, surface: 'test', signal: new AbortController().signal });
    return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
  };

  before(async () => {
    rig = new TestHost({
      ports: {
        roots: () => roots,
        onDidChangeRoots: rootsChanged.event,
        requests: {
          elicit: async (question) => {
            asked.push(question);
            return { action: 'accept', content: { name: 'Ada' } };
          },
          elicited: ({ name }, id) => done.push(`${name} ${id}`),
          sample: async (question) => {
            asked.push(question);
            return answer ? answer(question) : {};
          },
          samplingFor: async ({ name }) => (name === 'unasked' ? undefined : sampling),
        },
      },
    });
    rig.answer = 'session';
    const server = (file: string, ...args: string[]): object => ({
      command: process.execPath,
      args: [path.join(root, 'test/fixtures/servers', file), ...args],
    });
    const mcpServers = {
      offers: server('offers.ts'),
      unasked: server('offers.ts'),
      modern: server('modern.ts', 'only'),
    };
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    await rig.host.start();
    await rig.approveAll();
  });

  beforeEach(() => {
    asked.length = 0;
    answer = async () => ({
      role: 'assistant',
      content: { type: 'text', text: '42' },
      model: 'm',
      stopReason: 'endTurn',
    });
  });

  after(async () => {
    await rig.stop();
    rootsChanged.dispose();
  });

  it('sampling is offered to those that may, and asked for in either era', async () => {
    assert.deepEqual((JSON.parse(await call('mcp__offers__abilities')) as JsonObject)['sampling'], {});
    assert.equal((JSON.parse(await call('mcp__unasked__abilities')) as JsonObject)['sampling'], undefined);
    assert.match(await call('mcp__offers__think', { params: PARAMS }), /"42"/);
    assert.match(await call('mcp__modern__think'), /"42"/);
    assert.deepEqual(
      asked.map(({ server }) => server.name),
      ['offers', 'modern'],
    );
  });

  it('a refusal reaches the server with its code; where nothing was offered, nobody is asked', async () => {
    answer = async () => {
      throw Object.assign(new Error('no'), { code: PERSON_REFUSED });
    };
    assert.match(await call('mcp__offers__think', { params: PARAMS }), /^refused: -1 .*no$/);
    assert.equal(asked.length, 1);
    assert.match(await call('mcp__unasked__think', { params: PARAMS }), /^refused: /);
    assert.equal(asked.length, 1);
    await assert.rejects(call('mcp__modern__think'), /was refused: no/);
  });

  it('tools come with the capability for them', async () => {
    sampling = { tools: {} };
    const connection = rig.host.pool.all.find(({ name }) => name === 'offers');
    await rig.host.pool.restart(connection?.id ?? '');
    await rig.until(() => connection?.state.kind === 'connected');
    const tools = [{ name: 'lookup', inputSchema: { type: 'object' } }];
    await call('mcp__offers__think', { params: { ...PARAMS, tools } });
    assert.deepEqual(asked[0]?.params['tools'], tools);
  });

  it('an address is asked for, also by the error that needs one, and its end is told', async () => {
    const url = 'https://example.com/';
    assert.equal(await call('mcp__offers__visit', { url }), 'visit: accept');
    const id = asked[0]?.params['elicitationId'];
    assert.ok(typeof id === 'string');
    await eventually('the end of the question', () => done.length > 0);
    assert.deepEqual(done, [`offers ${id}`]);
    await assert.rejects(call('mcp__offers__visit', { url, required: true }), {
      message: /waits for a page that the user has opened/,
      remedy: /Call it again/,
    });
    assert.deepEqual(
      asked.map(({ params }) => params['url']),
      [url, url],
    );
  });

  it('a later server’s form is asked for in the same way', async () => {
    assert.equal(await call('mcp__modern__ask'), 'accept: Ada');
    assert.equal(asked[0]?.server.name, 'modern');
  });

  it('roots are those that are set for the server', async () => {
    assert.equal((JSON.parse(await call('mcp__offers__roots')) as unknown[]).length, 1);
    roots = { offers: 'none' };
    rootsChanged.fire();
    assert.equal(await call('mcp__offers__roots'), '[]');
    assert.equal((JSON.parse(await call('mcp__unasked__roots')) as unknown[]).length, 1);
  });
});
