import assert from 'node:assert/strict';
import path from 'node:path';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { parseSource, type ParsedSource } from '../../../src/config/read/parseSource.ts';
import { readToml } from '../../../src/config/syntax/readToml.ts';
import { type HttpFixture, json, scriptedHttp } from '../../fixtures/servers/http.ts';
import { type TestHost, withServers } from '../../support/testHost.ts';
import { PoolHarness, remote } from '../connection/harness.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../fixtures/servers/reported.ts');
const withServer = (kind: string, body: (rig: TestHost) => Promise<void>): Promise<void> =>
  withServers({ s: { command: process.execPath, args: [FIXTURE, kind] } }, body, {
    settings: { handshakeTimeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
  });
const versionOf = ({ host }: TestHost): string | undefined => {
  const state = host.pool.all[0]?.state;
  return state?.kind === 'connected' ? state.info.protocolVersion : JSON.stringify(state);
};

/** What users of other hosts reported in public; the report is named in each title. */
describe('reports from other hosts', function () {
  this.timeout(120_000);

  describe('versions of the protocol', () => {
    for (const [report, kind, version] of [
      ['higress-group/higress#3226', 'refuses the version', '2025-06-18'],
      ['hkr04/cpp-mcp#10', 'names its version', '2024-11-05'],
      ['just-every/code#611', 'version 2024-11-05', '2024-11-05'],
      ['just-every/code#611, the second half', 'an empty handshake', '2025-03-26'],
      ['strowk/mcp-k8s-go#40', 'version 2024-10-07', '2024-10-07'],
      ['punkpeye/mcp-remote#66', 'version 1.0', '2025-03-26'],
      ['the same, a draft', 'version of a draft', '2025-03-26'],
      ['RooCodeInc/Roo-Code#11997', 'version to come', '2025-11-25'],
    ] as const)
      it(`${report}: ${kind}`, () =>
        withServer(kind, async (rig) => {
          assert.equal(versionOf(rig), version);
          assert.equal(await rig.call('mcp__s__a'), '{}');
        }));
  });

  describe('lists and results', () => {
    it('Factory-AI/factory#7, anthropics/claude-code#24785: every page of a list is fetched', () =>
      withServer('four pages', async ({ host }) => {
        assert.deepEqual(
          host.catalog.tools.map(({ tool }) => tool.name),
          ['p0', 'p1', 'p2', 'p3'],
        );
      }));

    it('google-gemini/gemini-cli#17235, #13201, #4121, microsoft/playwright-mcp#1357, IvanMurzak/Unity-MCP#152: no schema costs its tool', async () => {
      await withServer('dialects of schemas', async (rig) => {
        assert.equal(rig.host.catalog.tools.length, 6);
        for (const { name } of rig.host.catalog.tools) assert.equal(await rig.call(name), '{}', name);
      });
      await withServer('a reference to nowhere', async (rig) => {
        assert.equal(await rig.call('mcp__s__a'), '{"r":1}');
      });
    });

    it('google-gemini/gemini-cli#21053: a result without the structured content that is declared is a result', () =>
      withServer('output schema, no structured content', async (rig) => {
        assert.equal(await rig.call('mcp__s__a'), '{"x":1}');
      }));

    it('anomalyco/opencode#38923, anthropics/claude-code#79944, github/copilot-cli#3258: a summary and the data both arrive', () =>
      withServer('a summary beside the data', async (rig) => {
        assert.equal(await rig.call('mcp__s__a'), '4 items\n{"items":[1,2,3,4]}');
      }));

    it('cline/cline#10553: a call without arguments has empty ones', () =>
      withServer('plain', async (rig) => {
        assert.equal(await rig.call('mcp__s__a'), '{}');
      }));

    it('anthropics/claude-code#95239: what is optional may be absent or null', () =>
      withServer('optional and null', async (rig) => {
        assert.equal(await rig.call('mcp__s__a'), '{}');
        const signal = AbortSignal.timeout(60_000);
        const call = { name: 'mcp__s__a', args: { fields: null, query: null }, surface: 'test', signal } as const;
        const { parts } = await rig.host.broker.call(call);
        assert.deepEqual(parts[0], { kind: 'text', text: '{"fields":null,"query":null}' });
      }));
  });

  describe('starting', () => {
    it('chattermate/chattermate.chat#302: what is on stdout before the handshake costs nothing', () =>
      withServer('noise on stdout', async (rig) => {
        assert.equal(await rig.call('mcp__s__a'), '{}');
      }));

    for (const [report, kind, said] of [
      ['elara-labs/code-context-engine#23', 'no such command', /No such command 'mcp'/],
      ['evalops/deep-code-reasoning-mcp#1', 'no key', /GEMINI_API_KEY.* is required\. Set `GEMINI_API_KEY`/],
    ] as const)
      it(`${report}: why a server ended is said`, async () => {
        const harness = new PoolHarness();
        try {
          const args = [FIXTURE, kind];
          const { state } = await harness.connect({ type: 'stdio', command: process.execPath, args, env: {} });
          assert.ok('failure' in state);
          assert.match(`${state.failure.message} ${state.failure.remedy}`, said);
        } finally {
          await harness.end();
        }
      });
  });

  describe('HTTP', () => {
    const fixtures: HttpFixture[] = [];
    const harnesses: PoolHarness[] = [];
    afterEach(async () => {
      for (const harness of harnesses.splice(0)) await harness.end();
      for (const fixture of fixtures.splice(0)) await fixture.close();
    });
    const open = async (
      handle: Parameters<typeof scriptedHttp>[0],
      { type = 'http', headers = {} }: { type?: 'http' | 'url'; headers?: Record<string, string> } = {},
    ): Promise<string> => {
      const fixture = await scriptedHttp(handle);
      fixtures.push(fixture);
      const harness = new PoolHarness({ handshakeTimeoutMs: 60_000 });
      harnesses.push(harness);
      await harness.connect(remote(type, fixture.url, headers));
      const session = harness.server().session;
      const result = await session?.callTool('slow', { steps: 0, stepMs: 0 }, { timeoutMs: 60_000 });
      return JSON.stringify(result?.content ?? harness.server().state);
    };

    for (const type of ['http', 'url'] as const)
      it(`xpzouying/xiaohongshu-mcp#697: a version that is refused with HTTP 400, type ${type}`, async () => {
        const said = await open(
          (request, response, body) => {
            const params = (body as { params?: { protocolVersion?: string } } | undefined)?.params;
            const version = params?.protocolVersion ?? request.headers['mcp-protocol-version'];
            if (version === undefined || version === '2025-06-18' || version === '2024-11-05') return false;
            const text = 'Bad Request: Unsupported protocol version (supported versions: 2025-06-18, 2024-11-05)';
            response.writeHead(400, { 'content-type': 'text/plain' }).end(text);
            return true;
          },
          { type },
        );
        assert.match(said, /done/);
      });

    it('anthropics/claude-code#45368, PrefectHQ/fastmcp#1664: both types are accepted, whatever headers an entry has', async () => {
      const said = await open(
        (request, response) => {
          const accepted = request.headers.accept ?? '';
          const isBoth = accepted.includes('application/json') && accepted.includes('text/event-stream');
          if (request.method !== 'POST' || isBoth) return false;
          json(response, 406, { error: 'Not Acceptable' });
          return true;
        },
        { headers: { Accept: 'application/json', 'X-Key': '1' } },
      );
      assert.match(said, /done/);
    });

    it('f/mcptools#69: a redirect of each message to the address with a slash', async () => {
      const said = await open((request, response) => {
        if (request.url !== '/mcp') return false;
        response.writeHead(307, { location: '/mcp/' }).end();
        return true;
      });
      assert.match(said, /done/);
    });
  });

  describe('files', () => {
    const read = (text: string, file: string, more: Partial<ConfigSource> = {}): ParsedSource => {
      const format = file.endsWith('settings.json') ? 'settings' : 'mcp';
      return parseSource({ id: 's', scope: 'user', format, label: file, file, ...more }, text, readToml);
    };
    const said = ({ problems }: ParsedSource): string =>
      problems.map(({ severity, message, fix }) => `${severity}: ${message} ${fix ?? ''}`).join('\n');
    const codex = '/h/.codex/config.toml';

    it('openai/codex#37616: a Windows path in double quotes names its place and its fix, and costs that server alone', () => {
      const text =
        '[mcp_servers.a]\ncommand = "npx"\n[mcp_servers.b]\ncommand = "F:\\deepseek\\start.ps1"\n[mcp_servers.c]\ncommand = "c"\n';
      const parsed = read(text, codex);
      assert.deepEqual(
        parsed.entries.map(({ name }) => name),
        ['a', 'c'],
      );
      assert.match(said(parsed), /escape sequence\. Put a text with backslashes in single quotes/);
      assert.equal(parsed.problems[0]?.range.line, 4);
    });

    it('openai/codex#29396: an entry with nothing but a time-out costs itself alone', () => {
      const parsed = read('[mcp_servers.x]\nstartup_timeout_sec = 60\n[mcp_servers.a]\ncommand = "x"\n', codex);
      assert.deepEqual(
        parsed.entries.map(({ name }) => name),
        ['a'],
      );
      assert.match(said(parsed), /neither `command` nor `url`/);
    });

    it('farion1231/cc-switch#35: typographic quotes are named', () => {
      const toml = read('[mcp_servers.context7]\ncommand = “bunx”\n', codex);
      const jsonText = read('{ “mcpServers”: { “a”: { “command”: “npx” } } }', '/h/.mcp.json');
      for (const parsed of [toml, jsonText]) assert.match(said(parsed), /Replace the typographic quotes with `"`/);
    });

    it('dsphper/lanhu-mcp#43: servers one level too deep are named', () => {
      const parsed = read(
        JSON.stringify({ mcpServers: { mcpServers: { a: { url: 'http://localhost:1/mcp' } } } }),
        '/h/.mcp.json',
      );
      assert.match(said(parsed), /^error: `mcpServers` isn’t a server but holds some: they stand one level too deep/);
    });

    it('cline/cline#12044, #12344: `transport` as an object, and a time-out of the handshake', () => {
      const entry = { transport: { type: 'stdio', command: 'y', args: ['z'] }, initializeTimeoutMs: 5000 };
      const parsed = read(JSON.stringify({ mcpServers: { oracle: entry } }), '/h/cline_mcp_settings.json');
      assert.equal(said(parsed), '');
      assert.deepEqual(parsed.entries[0]?.transport, { type: 'stdio', command: 'y', args: ['z'], env: {} });
      assert.equal(parsed.entries[0]?.handshakeTimeoutMs, 5000);
      const url = { transport: { type: 'streamableHttp', url: 'https://x/mcp', headers: { A: 'b' } } };
      const other = read(JSON.stringify({ mcpServers: { a: url } }), '/h/cline_mcp_settings.json');
      assert.deepEqual(other.entries[0]?.transport, { type: 'http', url: 'https://x/mcp', headers: { A: 'b' } });
    });

    it('cursor/cursor#2999: `docker run -it` is pointed out before it is started', () => {
      const entry = { command: 'docker', args: ['run', '-it', '--rm', 'mcp/brave-search'] };
      const parsed = read(JSON.stringify({ mcpServers: { brave: entry } }), '/h/.cursor/mcp.json');
      assert.match(said(parsed), /^warning: `-it` wants a terminal/);
      assert.equal(parsed.problems[0]?.edit?.text, '"-i"');
    });

    it('anthropics/claude-code#916, google-gemini/gemini-cli#28228: what looks like a variable and isn’t is pointed out', () => {
      const url = { command: 'uvx', env: { DB_URL: 'mysql://$USER@localhost/db' } };
      const project = read(JSON.stringify({ mcpServers: { a: url } }), '/w/.mcp.json', { client: 'claude-code' });
      assert.match(said(project), /`\$USER` in `env\.DB_URL` isn’t a variable/);
      const gemini = { mcpServers: { a: { command: 'x', args: ['{{HOME}}/y', '$HOME/q'] } } };
      const parsed = read(JSON.stringify(gemini), '/h/.gemini/settings.json', { client: 'gemini' });
      assert.match(said(parsed), /`\{\{HOME\}\}` in `args\[0\]` looks like a placeholder/);
      assert.deepEqual(
        parsed.entries[0]?.transport.type === 'stdio' && parsed.entries[0].transport.args[1],
        '${env:HOME:-$HOME}/q',
      );
    });

    it('zed-industries/zed#52076, #41235: time-outs are read in that client’s unit', () => {
      const servers = { context_servers: { a: { source: 'custom', command: 'npx', args: ['x'], timeout: 300 } } };
      const parsed = read(JSON.stringify(servers), '/h/.config/zed/settings.json', { client: 'zed' });
      assert.equal(parsed.entries[0]?.callTimeoutMs, 300_000);
    });
  });
});
