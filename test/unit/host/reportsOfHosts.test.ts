import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { normalizeSchema } from '../../../src/catalog/schema/normalizeSchema.ts';
import { HttpFixture, json, scriptedHttp } from '../../fixtures/servers/http.ts';
import { type TestHost, withServers } from '../../support/testHost.ts';
import { PoolHarness, remote, temporaryFolder } from '../connection/harness.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../fixtures/servers/reported.ts');
const reconnect = { maxAttempts: 0 };
const entry = (kind: string): object => ({ command: process.execPath, args: [FIXTURE, kind], reconnect });
const settings = { handshakeTimeoutMs: 60_000, discoveryTimeoutMs: 60_000 };
const withServer = (kind: string, body: (rig: TestHost) => Promise<void>): Promise<void> =>
  withServers({ s: entry(kind) }, body, { settings });
const toolNames = ({ host }: TestHost): readonly string[] => host.catalog.tools.map(({ name }) => name);

/** A server with a tool that reads, over HTTP. */
const READER: Readonly<Record<string, object>> = {
  'tools/list': {
    tools: [
      { name: 'read', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true, openWorldHint: false } },
    ],
  },
  'tools/call': { content: [{ type: 'text', text: 'read' }] },
};

/** Reports of other hosts' users after those of `moreReports.test.ts`; named in each title. */
describe('reports of hosts’ users', function () {
  this.timeout(120_000);

  it('akiojin/unity-mcp-server#188: answers framed as language servers do', () =>
    withServer('framed', async (rig) => {
      assert.equal(rig.host.pool.all[0]?.state.kind, 'connected');
      assert.equal(await rig.call('mcp__s__a'), '{}');
      assert.equal(await rig.call('mcp__s__a'), '{}');
    }));

  it('RLabs-Inc/gemini-mcp#31, samanhappy/mcphub#1015: the reason that a server writes on stdout before it ends', () =>
    withServer('a reason on stdout', async (rig) => {
      const state = rig.host.pool.all[0]?.state;
      assert.ok(state?.kind === 'failed');
      assert.match(state.failure.message, /code 1 before it was ready: Error: GEMINI_API_KEY is not set\.$/);
      assert.equal(state.failure.remedy, 'Set `GEMINI_API_KEY` in its "env".');
    }));

  it('punkpeye/mcp-remote#18, modelcontextprotocol/modelcontextprotocol#853: a variable in an argument that the entry itself sets', async () => {
    const folder = temporaryFolder();
    const script = folder.file('said.mjs');
    writeFileSync(script, 'console.error(process.argv.slice(2).join("|"));process.exit(3);');
    const args = [script, '--header', 'Authorization:${AUTH_HEADER}', '${env:TENANT}', '${NOT_SET:-none}'];
    const env = { AUTH_HEADER: 'Basic ${SHORT:-abc}', TENANT: 't1' };
    try {
      await withServers({ s: { command: process.execPath, args, env, reconnect } }, async (rig) => {
        const state = rig.host.pool.all[0]?.state;
        assert.ok(state?.kind === 'failed', JSON.stringify(state));
        assert.match(state.failure.message, /--header\|Authorization:.+\|t1\|none/);
        assert.deepEqual(rig.host.problems.filter(({ severity }) => severity === 'error'), []); // prettier-ignore
      });
    } finally {
      folder.remove();
    }
  });

  it('sickn33/agentic-awesome-skills#1003: a version that is refused with the one that is expected', () =>
    withServer('expects its version', async (rig) => {
      assert.equal(await rig.call('mcp__s__a'), '{}');
    }));

  for (const [reports, kind, names] of [
    ['PrefectHQ/fastmcp#5025', 'an empty cursor', ['mcp__s__a', 'mcp__s__b']],
    ['modelcontextprotocol/java-sdk#628, ChesterRa/cccc#50', 'an empty cursor for ever', ['mcp__s__a']],
  ] as const)
    it(`${reports}: ${kind}`, () => withServer(kind, async (rig) => assert.deepEqual(toolNames(rig), names)));

  it('tools whose schema is called as the APIs of models call it, or is a text', () =>
    withServer('schemas of the APIs of models', async (rig) => {
      assert.deepEqual(toolNames(rig), ['mcp__s__a', 'mcp__s__b', 'mcp__s__c']);
      for (const { tool } of rig.host.catalog.tools)
        assert.deepEqual(tool.inputSchema['properties'], { q: { type: 'string' } });
    }));

  it('smallmain/vscode-unify-chat-provider#162, mastra-ai/mastra#23731, anthropics/claude-code#88049: members of a schema out of place', () =>
    withServer('schemas with members out of place', async (rig) => {
      assert.equal(toolNames(rig).length, 3);
      const offered = rig.host.catalog.tools.map(({ tool }) => normalizeSchema(tool.inputSchema).schema);
      for (const schema of offered) {
        assert.equal(schema['type'], 'object');
        for (const property of Object.values(schema['properties'] ?? {}))
          assert.ok(
            typeof property === 'object' && property !== null && !Array.isArray(property),
            JSON.stringify(schema),
          );
      }
      assert.ok(!('anyOf' in (offered[2] ?? {})));
    }));

  it('anthropics/claude-code#93179, #73137, #32662, netclaw-dev/netclaw#1093: lists and objects that a model writes as text', () =>
    withServer('arguments as text', async (rig) => {
      const sent = await rig.call('mcp__s__a', { loc: '[1271, 2106]', parameters: '{"title":"MCP TEST"}' });
      assert.deepEqual(JSON.parse(sent), { loc: [1271, 2106], parameters: { title: 'MCP TEST' } });
    }));

  describe('HTTP', () => {
    const fixtures: HttpFixture[] = [];
    afterEach(async () => {
      for (const fixture of fixtures.splice(0)) await fixture.close();
    });

    for (const [report, status, said] of [
      ['kenforthewin/atomic#193', 401, 'Unauthorized: Session not found'],
      ['the same', 422, 'Expected initialize request'],
    ] as const)
      it(`${report}: a session that is gone is refused with ${status} and no content type`, async () => {
        let isGone = false;
        const fixture = await scriptedHttp((_request, response, message) => {
          if (message?.method === 'initialize') isGone = false;
          const answer = READER[message?.method ?? ''];
          if (isGone) response.writeHead(status).end(said);
          else if (answer) json(response, 200, { jsonrpc: '2.0', id: message?.id, result: answer });
          return isGone || answer !== undefined;
        });
        fixtures.push(fixture);
        const body = async (rig: TestHost): Promise<void> => {
          isGone = true;
          assert.equal(await rig.call('mcp__s__read'), 'read');
        };
        await withServers({ s: { url: fixture.url } }, body, { settings });
      });

    it('datagouv/datagouv-mcp#68: a stream that never names its endpoint is told as that', async () => {
      const fixture = new HttpFixture((request, response) => {
        if (request.method !== 'GET') return void response.writeHead(405).end();
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': ping\n\n');
      });
      fixtures.push(await fixture.listen());
      const harness = new PoolHarness({ handshakeTimeoutMs: 300, reconnect: { maxAttempts: 0 } });
      try {
        await harness.connect(remote('sse', fixture.url));
        const { state } = harness.server();
        assert.ok(state.kind === 'failed');
        assert.match(state.failure.message, /within 0\.3 s: its stream never named the address for messages/);
      } finally {
        await harness.end();
      }
    });
  });
});
