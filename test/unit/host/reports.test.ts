import assert from 'node:assert/strict';
import path from 'node:path';
import type { ConfigSource } from '../../../src/config/configTypes.ts';
import { parseSource, type ParsedSource } from '../../../src/config/read/parseSource.ts';
import { readToml } from '../../../src/config/syntax/readToml.ts';
import { normalizeSchema } from '../../../src/catalog/schema/normalizeSchema.ts';
import { type HttpFixture, json, scriptedHttp } from '../../fixtures/servers/http.ts';
import { type TestHost, withServers } from '../../support/testHost.ts';
import { eventually, PoolHarness, remote } from '../connection/harness.ts';

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

    for (const [report, given, expected] of [
      [
        'open-webui/computer#87: what a reference leads to stays',
        {
          type: 'object',
          properties: { f: { $ref: '#/$defs/F' } },
          $defs: { F: { enum: ['fit', 'raw'], type: 'string' } },
        },
        { type: 'object', properties: { f: { enum: ['fit', 'raw'], type: 'string' } } },
      ],
      [
        'can1357/oh-my-pi#2652: values of another type than the schema’s',
        {
          type: 'object',
          properties: {
            a: {
              anyOf: [
                { enum: ['A'], type: 'string' },
                { enum: ['A'], type: 'null' },
              ],
            },
            b: { type: 'array', enum: [0, 1], items: { type: 'integer' } },
          },
        },
        {
          type: 'object',
          properties: {
            a: { anyOf: [{ enum: ['A'], type: 'string' }, { type: 'null' }] },
            b: { type: 'array', items: { type: 'integer' } },
          },
        },
      ],
      [
        'Softeria/ms-365-mcp-server#571: a reference into itself',
        { type: 'object', properties: { a: { type: 'array', items: { $ref: '#/properties/a' } } } },
        undefined,
      ],
    ] as const)
      it(report, () => {
        const { schema, problems, isUsable } = normalizeSchema(given);
        assert.deepEqual([problems, isUsable, JSON.stringify(schema).includes('$ref')], [[], true, false]);
        if (expected) assert.deepEqual(schema, expected);
      });

    for (const [report, kind, expected] of [
      [
        'agno-agi/agno#10009: all that a link says',
        'a link',
        /Resource reports:\/\/q\/3 \(Quarterly report, application\/pdf, 12 bytes\): Revenue; read it with mcp_read_resource/,
      ],
      ['github/copilot-cli#4916: a text in base64', 'a text in base64', /x:\/\/a\.txt \(text\/plain\)\nnonce-4711/],
      ['github/app#1264: a resource alone', 'a resource alone', /Resource x:\/\/a\.md:\n# hi/],
      ['images as the APIs of models have them', 'images of models', /^\(image\/png\)\n\(image\/png\)$/],
    ] as const)
      it(report, () => withServer(kind, async (rig) => assert.match(await rig.call('mcp__s__a'), expected)));

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

    it('modelcontextprotocol/kotlin-sdk#450: the content type is that of JSON and nothing more', async () => {
      const said = await open((request, response) => {
        if (request.method !== 'POST' || request.headers['content-type'] === 'application/json') return false;
        response.writeHead(400).end('Unsupported content-type');
        return true;
      });
      assert.match(said, /done/);
    });

    for (const [what, status, body] of [
      ['503', 503, '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Session not found or expired"}}'],
      ['500, a text', 500, 'Invalid session ID'],
      ['409', 409, '{"error":"unknown session"}'],
      ['406', 406, '{"error":"no session"}'],
      ['440', 440, ''],
      ['419, a page', 419, '<html><title>Page Expired</title></html>'],
    ] as const)
      it(`markmhendrickson/neotoma#1923: a session that is refused with ${what} is made anew`, async () => {
        let left = 1;
        let sessions = 0;
        const handle: Parameters<typeof scriptedHttp>[0] = (_request, response, message) => {
          if (message?.method === 'initialize') sessions += 1;
          if (message?.method !== 'tools/call' || left-- <= 0) return false;
          response.writeHead(status).end(body);
          return true;
        };
        await assert.rejects(open(handle), /no longer accepts the session/);
        const [harness] = harnesses;
        await harness?.until('connected');
        const result = await harness
          ?.server()
          .session?.callTool('slow', { steps: 0, stepMs: 0 }, { timeoutMs: 60_000 });
        assert.match(JSON.stringify(result), /done/);
        assert.equal(sessions, 2);
      });

    it('an error that is told in an event of that name is the reason', async () => {
      const handle: Parameters<typeof scriptedHttp>[0] = (_request, response, message) => {
        if (message?.method !== 'tools/call') return false;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('event: error\ndata: {"message":"the upstream is gone"}\n\n');
        return true;
      };
      await assert.rejects(open(handle), /it is an error: the upstream is gone/);
    });

    for (const [charset, bytes] of [
      ['utf-16le', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
      ['iso-8859-1', (text: string) => Buffer.from(text, 'latin1')],
      ['unknown', (text: string) => Buffer.from(text, 'utf8')],
    ] as const)
      it(`an answer says that it is in ${charset}`, async () => {
        const said = await open((_request, response, message) => {
          if (message?.method !== 'tools/call') return false;
          const result = { content: [{ type: 'text', text: 'grün' }] };
          response.writeHead(200, { 'content-type': `application/json; charset=${charset}` });
          response.end(bytes(JSON.stringify({ jsonrpc: '2.0', id: message.id, result })));
          return true;
        });
        assert.match(said, /grün/);
      });

    it('a list that fails once is fetched again', async () => {
      let left = 1;
      const fixture = await scriptedHttp((_request, response, message) => {
        if (message?.method !== 'tools/list' || left-- <= 0) return false;
        response.writeHead(500).end('boom');
        return true;
      });
      fixtures.push(fixture);
      const harness = new PoolHarness({ reconnect: { initialDelayMs: 10 } });
      harnesses.push(harness);
      await harness.connect(remote('http', fixture.url));
      await eventually(() => harness.server().tools.length > 0, 'the tools');
      const { state } = harness.server();
      assert.equal(state.kind === 'connected' && state.listError, undefined);
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

    it('d-kimuson/modular-mcp#3: a brace that is missing is named with its line', () => {
      const text = '{\n  "mcpServers": {\n    "context7": {\n      "command": "npx"\n    },\n}\n';
      assert.match(said(read(text, '/h/mcp.json')), /^error: A `\{` is not closed\. Add the missing `\}`/);
    });

    for (const [report, command, args, right] of [
      ['hAcKlyc/MyAgents#54', 'npx', ['-y,figma-developer-mcp,--stdio'], '"-y", "figma-developer-mcp", "--stdio"'],
      ['microsoft/mcp#627', 'fabmcp', ['server', '--mode all'], '"--mode", "all"'],
      ['github/copilot-cli#117', 'uv', ['run --with mcp x.py'], '"run", "--with", "mcp", "x.py"'],
      ['spring-ai-alibaba#626', 'npx', ['-y some-mcp C:/a'], '"-y", "some-mcp", "C:/a"'],
      ['several of them with quotes', 'npx', ['mcp-remote', '--header "X: y z"'], '"--header", "X: y z"'],
    ] as const)
      it(`${report}: several arguments in one are pointed out, and parted by the fix`, () => {
        const { problems } = read(JSON.stringify({ mcpServers: { a: { command, args } } }), '/h/.mcp.json');
        assert.deepEqual(
          problems.map(({ code, edit }) => [code, edit?.text]),
          [['joined-arguments', right]],
        );
      });

    it('what is one argument isn’t taken for several', () => {
      const lines = [
        ['node', '-e', 'console.log("a") -b'],
        ['docker', 'run', '-e', 'NAME=a -b', 'img', 'sh', '-c', 'npx -y x'],
        ['bash', '-lc', 'npx -y some-mcp'],
        ['npx', 'mcp-remote', 'https://h/mcp', '--header', 'Authorization: Bearer -x', '--header=X: y'],
        ['uvx', 'x', '--prompt', 'Say hello to -all'],
        ['x', 'C:\\Program Files\\My -App\\x', '-Dname=a b'],
      ];
      for (const [command, ...args] of lines)
        assert.doesNotMatch(
          said(read(JSON.stringify({ mcpServers: { a: { command, args } } }), '/h/.mcp.json')),
          /words/,
        );
    });

    it('a field that is called otherwise is named with its right name', () => {
      const entry = { Command: 'npx', arguments: ['x'], envs: { A: '1' } };
      const { problems } = read(JSON.stringify({ mcpServers: { a: entry } }), '/h/.mcp.json');
      assert.deepEqual(
        problems.filter(({ code }) => code === 'misspelt-field').map(({ severity, edit }) => [severity, edit?.text]),
        [
          ['warning', '"command"'],
          ['warning', '"args"'],
          ['warning', '"env"'],
        ],
      );
    });

    for (const [written, right] of [
      ['localhost:3000/mcp', 'http://localhost:3000/mcp'],
      ['"https://h.example/mcp"', 'https://h.example/mcp'],
      ['<https://h.example/mcp>', 'https://h.example/mcp'],
      ['h.example/mcp', 'https://h.example/mcp'],
    ] as const)
      it(`the URL ${written} gets its fix`, () => {
        const { problems } = read(JSON.stringify({ mcpServers: { a: { url: written } } }), '/h/.mcp.json');
        assert.deepEqual(
          problems.map(({ code, edit }) => [code, edit?.text]),
          [['invalid-url', JSON.stringify(right)]],
        );
      });

    it('autohandai/code-cli#254: a list of servers with names gets the fix that puts each under its name', () => {
      const list = [
        { name: 'fs', command: 'npx', args: ['x'] },
        { name: 'web', url: 'https://h.example/mcp' },
      ];
      const { problems } = read(JSON.stringify({ mcpServers: list }), '/h/.mcp.json');
      assert.deepEqual(
        problems.map(({ code, edit }) => [code, JSON.parse(edit?.text ?? 'null')]),
        [['servers-not-an-object', { fs: { command: 'npx', args: ['x'] }, web: { url: 'https://h.example/mcp' } }]],
      );
      for (const odd of [[], [{ command: 'x' }], [{ name: 'a' }, { name: 'a' }], [{ name: 'a' }, 1]])
        assert.equal(read(JSON.stringify({ mcpServers: odd }), '/h/.mcp.json').problems[0]?.edit, undefined);
    });

    it('blanks around a command or a URL are none of it', () => {
      const servers = { a: { command: ' npx ' }, b: { url: ' https://h.example/mcp\n' } };
      const { entries, problems } = read(JSON.stringify({ mcpServers: servers }), '/h/.mcp.json');
      assert.deepEqual(problems, []);
      assert.deepEqual(
        entries.map(({ transport }) =>
          'command' in transport ? transport.command : 'url' in transport && transport.url,
        ),
        ['npx', 'https://h.example/mcp'],
      );
    });

    for (const [what, text, fix] of [
      ['a merge conflict', '<<<<<<< HEAD\n{"mcpServers":{}}\n=======\n{}\n>>>>>>> b\n', /merge conflict.*Resolve it/],
      ['comments of another language', '{\n # mine\n "mcpServers": {}}', /Begin a comment with `\/\/`/],
      ['words of Python', '{"mcpServers": {"a": {"command": "x", "disabled": True}}}', /Write `true`/],
      ['a web page', '<!DOCTYPE html><html></html>', /web page or XML/],
    ] as const)
      it(`a file with ${what} is told so`, () => assert.match(said(read(text, '/h/.mcp.json')), fix));

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
