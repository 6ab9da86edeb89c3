import assert from 'node:assert/strict';
import path from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type HttpFixture, scriptedHttp } from '../../fixtures/servers/http.ts';
import { type TestHost, withServers } from '../../support/testHost.ts';
import { PoolHarness } from '../connection/harness.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../fixtures/servers/reported.ts');
const settings = { handshakeTimeoutMs: 60_000, discoveryTimeoutMs: 60_000 };
const withServer = (kind: string, body: (rig: TestHost) => Promise<void>): Promise<void> =>
  withServers({ s: { command: process.execPath, args: [FIXTURE, kind] } }, body, { settings, answer: 'once' });

/** Reports of servers that other hosts can't use, after those of `reportsOfHosts.test.ts`; named in each title. */
describe('reports of servers', function () {
  this.timeout(120_000);

  describe('compressed answers', () => {
    let fixture: HttpFixture | undefined;
    afterEach(() => fixture?.close());

    const tool = { name: 'a', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } };
    const results: Readonly<Record<string, object>> = {
      'tools/list': { tools: [tool] },
      'tools/call': { content: [{ type: 'text', text: 'read '.repeat(1000) }] },
    };
    for (const [report, encoding, compress, more] of [
      ['simonx1/ruby-mcp-client#45', 'gzip', gzipSync, undefined],
      ['epam/ai-dial-core#1586', 'x-gzip', gzipSync, undefined],
      ['openai/codex#37228, envoyproxy/ai-gateway#1938', 'br', brotliCompressSync, undefined],
      ['modelcontextprotocol/python-sdk#2649', 'zstd', zstdCompressSync, undefined],
      ['the same', 'deflate', deflateSync, undefined],
      ['the same, as an event', 'gzip', gzipSync, 'text/event-stream'],
      ['the same, as an event', 'br', brotliCompressSync, 'text/event-stream'],
    ] as const)
      it(`${report}: ${encoding}`, async () => {
        fixture = await scriptedHttp((_request, response, message) => {
          const result = results[message?.method ?? ''];
          if (!result) return false;
          const text = JSON.stringify({ jsonrpc: '2.0', id: message?.id, result });
          const type = more ?? 'application/json';
          response.writeHead(200, { 'content-type': type, 'content-encoding': encoding });
          response.end(compress(more ? `data: ${text}\n\n` : text));
          return true;
        });
        await withServers(
          { s: { type: 'http', url: fixture.url } },
          async (rig) => {
            assert.equal(await rig.call('mcp__s__a'), 'read '.repeat(1000));
          },
          { settings, answer: 'once' },
        );
      });
  });

  it('UsefulSoftwareCo/executor#1399: a length that is wrong for compressed answers, which a header of the entry asks not to have', async () => {
    const fixture = await scriptedHttp((request, response, message) => {
      if (message?.method !== 'tools/list') return false;
      const result = { tools: [{ name: 'a', inputSchema: { type: 'object' } }] };
      const text = JSON.stringify({ jsonrpc: '2.0', id: message.id, result });
      const isCompressed = request.headers['accept-encoding'] !== 'identity';
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': text.length,
        ...(isCompressed ? { 'content-encoding': 'gzip' } : {}),
      });
      response.end(isCompressed ? gzipSync(text).subarray(0, 40) : text);
      if (isCompressed) response.socket?.end();
      return true;
    });
    try {
      const headers = { 'Accept-Encoding': 'identity' };
      const servers = {
        plain: { type: 'http', url: fixture.url },
        asking: { type: 'http', url: fixture.url, headers },
      };
      await withServers(servers, async (rig) => {
        assert.deepEqual(rig.host.catalog.tools.map(({ name }) => name), ['mcp__asking__a']); // prettier-ignore
        const state = rig.host.pool.all.find(({ name }) => name === 'plain')?.state;
        assert.ok(state?.kind !== 'connected' || state.listError !== undefined, JSON.stringify(state));
      });
    } finally {
      await fixture.close();
    }
  });

  it('langchain-ai/langchain#40186: data without a type', () =>
    withServer('results of any form', async (rig) => {
      assert.match(await rig.call('mcp__s__untyped'), /file/);
    }));

  it('microsoft/azure-devops-mcp#1540: a text as data, at an address without a scheme', () =>
    withServer('results of any form', async (rig) => {
      assert.match(await rig.call('mcp__s__schemeless'), /\{"name":"x"\}/);
    }));

  it('cyanheads/obsidian-mcp-server#87: an error with data that isn’t of the output schema says what failed', () =>
    withServer('results of any form', async (rig) => {
      await assert.rejects(rig.call('mcp__s__failing'), /path_forbidden: \/etc/);
    }));

  it('NousResearch/hermes-agent#101330: data that isn’t of the output schema costs no text, nor the server', () =>
    withServer('results of any form', async (rig) => {
      for (let count = 0; count < 5; count += 1) assert.match(await rig.call('mcp__s__sloppy'), /3 found/);
      assert.equal(rig.host.pool.all[0]?.state.kind, 'connected');
    }));

  for (const [report, kind] of [
    ['danielvm-git/bigpowers#131, channprj/kmsg#13, tmattio/ocaml-mcp#3', 'reads frames only'],
    ['the same, which ends', 'reads frames only and ends'],
  ] as const)
    it(`${report}: a server that reads as language servers do is told so`, async () => {
      const harness = new PoolHarness({ handshakeTimeoutMs: 3000 });
      try {
        const args = [FIXTURE, kind];
        await harness.connect({ type: 'stdio', command: process.execPath, args, env: {} });
        const { state } = harness.server();
        assert.ok('failure' in state && state.failure, JSON.stringify(state));
        assert.match(state.failure.remedy ?? '', /MCP has a message on each line/);
      } finally {
        await harness.end();
      }
    });

  it('openai/codex#8174, NetApp/netapp-dataops-toolkit#38, anthropics/claude-code#2257: names that models’ APIs refuse', () =>
    withServer('names of any form', async (rig) => {
      const names = rig.host.catalog.tools.map(({ name }) => name);
      assert.equal(new Set(names).size, 5);
      for (const name of names) assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
      const called = await Promise.all(names.map((name) => rig.call(name)));
      assert.deepEqual(called, ['calendar.respondToEvent', 'Show CIFS Share', 'github/git_commit', 'github_git_commit', 'поиск']); // prettier-ignore
    }));
});
