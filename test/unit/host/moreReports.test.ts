import assert from 'node:assert/strict';
import path from 'node:path';
import type { ClientId } from '../../../src/config/configTypes.ts';
import { parseSource, type ParsedSource } from '../../../src/config/read/parseSource.ts';
import { readPasted } from '../../../src/config/paste/readPasted.ts';
import { readYaml } from '../../../src/config/syntax/readYaml.ts';
import { readToml } from '../../../src/config/syntax/readToml.ts';
import { type HttpFixture, json, scriptedHttp } from '../../fixtures/servers/http.ts';
import { type TestHost, withServers } from '../../support/testHost.ts';
import { PoolHarness, remote } from '../connection/harness.ts';

const FIXTURE = path.resolve(import.meta.dirname, '../../fixtures/servers/reported.ts');
const withServer = (kind: string, body: (rig: TestHost) => Promise<void>): Promise<void> =>
  withServers({ s: { command: process.execPath, args: [FIXTURE, kind] } }, body, {
    settings: { handshakeTimeoutMs: 60_000, discoveryTimeoutMs: 60_000 },
    // So that the client declares that it asks.
    ports: { requests: { elicit: async () => ({ action: 'decline' }) } },
  });

/** Reports of other hosts' users that came after those of `reports.test.ts`; named in each title. */
describe('further reports from other hosts', function () {
  this.timeout(120_000);

  describe('handshakes and lists', () => {
    for (const [reports, kind] of [
      [
        'jenkinsci/mcp-server-plugin#120, ahdis/matchbox#455, anthropics/claude-code#35389, modelcontextprotocol/java-sdk#724',
        'strict about elicitation',
      ],
      ['modelcontextprotocol/java-sdk#30, reshaprio/reshapr#73', 'knows no capability'],
    ] as const)
      it(`${reports}: a capability that the server doesn’t know isn’t declared (${kind})`, () =>
        withServer(kind, async (rig) => {
          assert.equal(rig.host.pool.all[0]?.state.kind, 'connected');
          assert.equal(await rig.call('mcp__s__a'), '{}');
        }));

    it('over HTTP, where that is an answer with status 400', async () => {
      const fixture = await scriptedHttp((_request, response, message) => {
        const { params } = (message ?? {}) as { params?: { capabilities?: { elicitation?: { form?: object } } } };
        if (message?.method !== 'initialize' || !params?.capabilities?.elicitation?.form) return false;
        json(response, 400, {
          message: 'Invalid message format: Unrecognized field "form" (class ClientCapabilities$Elicitation)',
        });
        return true;
      });
      const harness = new PoolHarness(
        { handshakeTimeoutMs: 60_000 },
        { requests: { elicit: async () => ({ action: 'decline' }) } },
      );
      try {
        await harness.connect(remote('http', fixture.url));
        assert.equal(harness.server().state.kind, 'connected');
      } finally {
        await harness.end();
        await fixture.close();
      }
    });

    it('Taxuspt/garmin_mcp#128, chongdashu/unreal-mcp#41: lines that end as those of Windows', () =>
      withServer('lines of Windows', async (rig) => {
        assert.equal(await rig.call('mcp__s__a'), '{}');
      }));

    it('BrowserMCP/mcp#174, esengine/DeepSeek-Reasonix#5944, userFRM/ThetaDataDx#1328: tools that come a moment after the handshake', () =>
      withServer('no tools at first', async (rig) => {
        await rig.until(() => rig.host.catalog.tools.length > 0);
        assert.equal(await rig.call('mcp__s__a'), '{}');
      }));
  });

  describe('HTTP', () => {
    const fixtures: HttpFixture[] = [];
    afterEach(async () => {
      for (const fixture of fixtures.splice(0)) await fixture.close();
    });
    for (const [report, status] of [
      ['Michael-Obele/shadcn-svelte-mcp#2', 409],
      ['arabold/docs-mcp-server#312', 404],
      ['kentcdodds/kentcdodds.com#575', 400],
      ['mrexodia/ida-pro-mcp#179', 204],
    ] as const)
      it(`${report}: the stream is answered with ${status}`, async () => {
        const fixture = await scriptedHttp((request, response) => {
          if (request.method !== 'GET') return false;
          response.writeHead(status).end();
          return true;
        });
        fixtures.push(fixture);
        const harness = new PoolHarness({ handshakeTimeoutMs: 60_000 });
        try {
          await harness.connect(remote('http', fixture.url));
          const session = harness.server().session;
          const result = await session?.callTool('slow', { steps: 0, stepMs: 0 }, { timeoutMs: 60_000 });
          assert.match(JSON.stringify(result?.content), /done/);
        } finally {
          await harness.end();
        }
      });
  });

  describe('files', () => {
    const read = (text: string, file: string, client?: ClientId): ParsedSource => {
      const format = file.endsWith('settings.json') ? 'settings' : 'mcp';
      const source = { id: 's', scope: 'user', format, label: file, file, ...(client ? { client } : {}) } as const;
      return parseSource(source, text, readToml);
    };
    const said = ({ problems }: ParsedSource): string =>
      problems.map(({ severity, message, fix }) => `${severity}: ${message} ${fix ?? ''}`).join('\n');
    const codex = '/h/.codex/config.toml';

    it('google-gemini/gemini-cli#14621: a blank in the name of a field', () => {
      const text = JSON.stringify({ mcpServers: { a: { 'httpUrl ': 'https://x.example/mcp' } } });
      const { problems } = read(text, '/h/.gemini/settings.json', 'gemini');
      assert.deepEqual(
        problems.filter(({ code }) => code === 'misspelt-field').map(({ edit }) => edit?.text),
        ['"httpUrl"'],
      );
    });

    it('detailobsessed/awesome-devin#321: variables among the arguments', () => {
      for (const args of [
        ['pkg', '-e', 'API_TOKEN=s3cret'],
        ['pkg', '--env=API_TOKEN=s3cret'],
      ]) {
        const parsed = read(JSON.stringify({ mcpServers: { a: { command: 'bunx', args } } }), '/w/.mcp.json');
        assert.match(said(parsed), /^warning: `(?:-e|--env) API_TOKEN=…` is an argument.*"env": \{ "API_TOKEN"/);
        assert.doesNotMatch(said(parsed), /s3cret/);
      }
      for (const [command, ...args] of [
        ['docker', 'run', '-i', '-e', 'API_TOKEN=x', 'img'],
        ['npx', '-y', 'pkg', '-e', 'production'],
        ['node', '-e', 'A=1'],
      ])
        assert.equal(said(read(JSON.stringify({ mcpServers: { a: { command, args } } }), '/w/.mcp.json')), '');
    });

    it('DeusData/codebase-memory-mcp#24: an argument that is nothing', () => {
      const entry = { context_servers: { a: { command: '/h/x', args: [''] } } };
      assert.match(
        said(read(JSON.stringify(entry), '/h/.config/zed/settings.json', 'zed')),
        /^warning: The only argument is empty/,
      );
    });

    it('ship-studio/ship-studio#911: line ends of old programs', () => {
      const parsed = read('[mcp_servers.a]\rcommand = "npx"\r', codex, 'codex');
      assert.equal(said(parsed), '');
      assert.deepEqual(parsed.entries.map(({ name }) => name), ['a']); // prettier-ignore
    });

    it('just-every/code#171: an array of tables gets a fix in TOML', () => {
      const parsed = read('[[mcp_servers]]\nname = "a"\ncommand = "npx"\n', codex, 'codex');
      assert.match(
        said(parsed),
        /must be an object of servers, not an array\. Write a table for each server: `\[mcp_servers\.name\]`/,
      );
    });

    it('openai/codex#32300: an address with a variable for its token', () => {
      const parsed = read(
        '[mcp_servers.figma]\nurl = "https://x.example/mcp"\nbearer_token_env_var = "KEY"\n',
        codex,
        'codex',
      );
      assert.equal(said(parsed), '');
      assert.deepEqual(parsed.entries[0]?.transport, {
        type: 'url',
        url: 'https://x.example/mcp',
        headers: { Authorization: 'Bearer ${env:KEY}' },
      });
    });

    it('MarcSkovMadsen/holoviz-mcp#18: the section of the settings in a file of its own', () => {
      const parsed = read(
        JSON.stringify({ mcp: { servers: { holoviz: { type: 'stdio', command: 'uvx' } } } }),
        '/w/.vscode/mcp.json',
      );
      assert.deepEqual(parsed.entries.map(({ name }) => name), ['holoviz']); // prettier-ignore
    });

    it('microsoft/copilot-intellij-feedback#1651: a brace too many', () => {
      const parsed = read(
        '{ "servers": { "a": { "command": "npx", "args": ["-y"], } } } }',
        '/w/.vscode/mcp.json',
        'vscode',
      );
      assert.deepEqual(parsed.entries.map(({ name }) => name), ['a']); // prettier-ignore
      assert.match(said(parsed), /^error: Unexpected text after the end/);
    });

    it('anomalyco/opencode#41229, #26332, #31317: each form of a local server, and both names of its environment', () => {
      const servers = {
        a: { type: 'stdio', command: 'npx', args: ['-y', 'x'], env: { A: 'b' } },
        b: { type: 'local', enabled: true, command: ['npx', '-y', 'x'], env: { A: 'b' } },
        c: { command: ['npx', '-y', 'x'], environment: { A: 'lost', B: 'c' }, env: { A: 'b' } },
      };
      const parsed = read(JSON.stringify({ mcp: servers }), '/h/.config/opencode/opencode.json', 'opencode');
      assert.equal(said(parsed), '');
      const envs = parsed.entries.map(({ transport }) => 'env' in transport && transport.env);
      assert.deepEqual(envs, [{ A: 'b' }, { A: 'b' }, { A: 'b', B: 'c' }]);
    });

    it('an environment as a list gets the fix that makes an object of it', () => {
      for (const env of [['A=b=c'], [{ name: 'A', value: 'b=c' }], [{ key: 'A', value: 'b=c' }]]) {
        const { problems } = read(JSON.stringify({ mcpServers: { a: { command: 'x', env } } }), '/w/.mcp.json');
        assert.deepEqual(problems.map(({ code, edit }) => [code, edit?.text]), [['invalid-env', '{"A":"b=c"}']]); // prettier-ignore
      }
      const odd = JSON.stringify({ mcpServers: { a: { command: 'x', env: ['A'] } } });
      assert.equal(read(odd, '/w/.mcp.json').problems[0]?.edit, undefined);
    });

    it('github/copilot-cli#3083: names with a scope or a slash', () => {
      const servers = { '@shopify/dev-mcp': { command: 'npx' }, 'microsoftdocs/mcp': { url: 'https://x.example/mcp' } };
      assert.equal(read(JSON.stringify({ servers }), '/w/.mcp.json').entries.length, 2);
    });
  });

  it('anthropics/claude-code#17069, #17791: what stands behind the address of a pasted `claude mcp add`, and a variable as a value', () => {
    const pasted = (text: string): string =>
      JSON.stringify(readPasted(text, { platform: 'linux', taken: new Set(), readToml, readYaml }));
    const line = 'claude mcp add --transport http github https://x.example/mcp --header "Authorization: Bearer ghp_1"';
    assert.match(pasted(line), /"headers":\{"Authorization"/);
    assert.match(pasted('claude mcp add tw -e DATA=${DATA} -- uv run mcp-tw'), /"DATA":"\$\{DATA\}"/);
  });
});
