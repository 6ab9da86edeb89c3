import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outgoingIn } from '../../scripts/lib/outgoing.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { OF_THE_EDITOR } from '../support/editorHosts.ts';
import { ADDRESSES } from '../support/knownAddresses.ts';
import { FORMS, GIVEN, HARMLESS } from '../support/outgoingForms.ts';

interface Reaching {
  /** What of the file it is, as `outgoingIn` calls it. */
  readonly ways: readonly string[];
  readonly why: string;
}

/**
 * The files of the code that open connections or hand on what does, and whose addresses these are; and those that start programs or run code.
 * Whoever adds one says it here, and in PRIVACY.md if it is of a new kind.
 */
const REACHING: Readonly<Record<string, Reaching>> = {
  'base/timeLimit.ts': {
    ways: ['vm: Script', 'vm: createContext'],
    why: 'a fixed text, which calls a function of ours',
  },
  'bridge/apps/appQuestions.ts': {
    ways: ['openExternal', 'workbench.action.chat.open'],
    why: 'a page that an app links to and a text for the chat, when the user says so',
  },
  'bridge/apps/front/appView.ts': {
    ways: ['contentWindow', 'srcdoc'],
    why: 'an app of a server, in a frame whose policy has only the addresses that the user was shown',
  },
  'bridge/callQuestions/chatCard.ts': { ways: ['invokeTool'], why: 'the editor’s tool that shows buttons in the chat' },
  'bridge/drawnIcon.ts': { ways: ['fetch'], why: 'icons: the server’s own origin (serverIcons.ts)' },
  'bridge/gateway/editor/editorGateway.ts': {
    ways: ['McpHttpServerDefinition'],
    why: 'the gateway of this window, for the agent of the editor',
  },
  'bridge/gateway/editor/serverOptions.ts': {
    ways: ['runCommands'],
    why: 'a fixed list, to choose in a menu of the editor',
  },
  'bridge/gateway/outside/answeringWindow.ts': {
    ways: ['net: connect'],
    why: 'the windows of the editor, to find the one that answers an agent on this machine',
  },
  'bridge/gateway/outside/connect.ts': {
    ways: ['http: request'],
    why: 'the window of the editor, from an agent on this machine',
  },
  'bridge/participant/agentLoop.ts': { ways: ['sendRequest'], why: 'the model that the user chose in the chat' },
  'bridge/participant/runTools.ts': {
    ways: ['invokeTool'],
    why: 'tools of ours, which call servers, and those that the user attached to the message',
  },
  'bridge/resources/resourceDocuments.ts': { ways: ['vscode.open'], why: 'a resource of a server, as a document' },
  'bridge/sampling/answerSampling.ts': { ways: ['sendRequest'], why: 'a model, if the user lets a server ask it' },
  'bridge/serverQuestions/askToOpen.ts': { ways: ['openExternal'], why: 'a page of a server, when the user says so' },
  'bridge/signIn/askSignIn.ts': { ways: ['openExternal'], why: 'the page of a sign-in, when the user says so' },
  'bridge/signIn/editorAccounts.ts': {
    ways: ['getSession'],
    why: 'an account of the editor, for a server that the user signs in at',
  },
  'bridge/signIn/redirect/openRedirect.ts': {
    ways: ['asExternalUri'],
    why: 'nothing goes out: how the browser reaches the page that ends a sign-in',
  },
  'calls/endWithParent.ts': {
    ways: ['worker_threads: Worker'],
    why: 'a fixed text, which looks whether the parent process is there',
  },
  'calls/arguments/schemaWorker.ts': {
    ways: ['child_process: fork', 'vm: Script', 'vm: createContext'],
    why: 'a process of ours that checks schemas; patterns of schemas run within a time limit',
  },
  'calls/script/scriptWorker.ts': {
    ways: ['child_process: fork', 'module: createRequire'],
    why: 'a process of ours that runs scripts of models; finds the interpreter',
  },
  'connection/auth/requests/addressGuard.ts': {
    ways: ['dns/promises: lookup', 'https: request'],
    why: 'authorization servers, by an address that was looked at',
  },
  'connection/process/killProcessTree.ts': { ways: ['child_process: spawn'], why: '`taskkill`, to end servers' },
  'connection/process/processIdentity.ts': { ways: ['child_process: execFile'], why: '`ps` and its like' },
  'connection/process/processTable.ts': { ways: ['child_process: execFile'], why: '`ps` and its like' },
  'connection/process/processUsage.ts': { ways: ['child_process: execFile'], why: '`ps` and its like' },
  'connection/process/killOnHostExit.ts': {
    ways: ['child_process: spawn'],
    why: 'ends servers when the editor is killed',
  },
  'connection/process/runCommand.ts': {
    ways: ['child_process: spawn'],
    why: 'commands that the user configured, and the login shell',
  },
  'connection/process/startedTree.ts': { ways: ['child_process: execFile'], why: '`ps` and its like' },
  'connection/process/windowsWatchdog.ts': {
    ways: ['child_process: execFile', 'child_process: spawn'],
    why: 'ends servers when the editor is killed, on Windows',
  },
  'connection/protocol/sdk.ts': {
    ways: ['@modelcontextprotocol/client'],
    why: 'servers and authorization servers, by the `fetch` that it is given',
  },
  'connection/remote/certificateFault.ts': {
    ways: ['tls: connect'],
    why: 'a server whose certificate was refused, to say why',
  },
  'connection/remote/pinnedFetch.ts': {
    ways: ['https: Agent', 'https: request'],
    why: 'a server whose certificate is pinned',
  },
  'connection/remote/webSocket/requestUpgrade.ts': { ways: ['http: request', 'https: request'], why: 'a server' },
  'connection/stdio/spawnServer.ts': { ways: ['cross-spawn'], why: 'starts servers' },
  'doctor/connectAll.ts': { ways: ['fetch'], why: 'servers' },
  'extension.ts': { ways: ['fetch'], why: 'servers, their authorization servers, `cloud.url`, `tracing.endpoint`' },
  'platform/editorInputs.ts': {
    ways: ['executeCommand(…)'],
    why: 'an input of the kind `command` in a configuration file, which names a command of the editor',
  },
  'platform/settings/editorCallSettings.ts': {
    ways: ['process'],
    why: 'where the rules of the organization are, by platform',
  },
  'ui/activity/showQuestion.ts': { ways: ['workbench.action.chat.open'], why: 'the chat, without a text' },
  'ui/add/addServer.ts': { ways: ['fetch'], why: 'the registry that the user browses, a bundle that they add' },
  'ui/add/registry/serverUpdates.ts': { ways: ['fetch'], why: 'the registry, when the user checks for updates' },
  'ui/config/doctorCommand.ts': { ways: ['executeCommand(…)'], why: 'a command of ours' },
  'ui/config/showRendered.ts': {
    ways: ['vscode.openWith'],
    why: 'the report of Doctor, in the editor’s own preview, which has no address in it',
  },
  'ui/items/runPrompt.ts': {
    ways: ['workbench.action.chat.open'],
    why: 'a prompt that the user runs, as text that they send or don’t',
  },
  'ui/pages/front/elements.ts': {
    ways: ['setAttribute(…)'],
    why: 'attributes that our pages name; the policy of a page (pageHtml.ts) lets it load nothing',
  },
  'ui/pages/inspector/inspectorPage.ts': { ways: ['executeCommand(…)'], why: 'a command of ours' },
  'ui/permissions/ruleRows.ts': { ways: ['process'], why: 'where the rules of the organization are, by platform' },
  'ui/recording/recordSession.ts': { ways: ['vscode.open'], why: 'a recording, which is a file' },
  'ui/servers/connectServers.ts': { ways: ['executeCommand(…)'], why: 'a command of ours' },
  'ui/servers/signs/quickMenu.ts': { ways: ['executeCommand(…)'], why: 'a command of ours' },
  'ui/servers/tree/otherRows.ts': { ways: ['vscode.open'], why: 'the file of an entry' },
};

/** The packages that the code loads, as it writes them, which the bundles hold: whether a file that loads one reaches something by it. */
const PACKAGES: Readonly<Record<string, 'nothing' | 'reaches'>> = {
  '@jitl/quickjs-wasmfile-release-sync': 'nothing',
  '@modelcontextprotocol/client': 'reaches',
  // Messages of a page.
  '@modelcontextprotocol/ext-apps/app-bridge': 'nothing',
  '@opentelemetry/api': 'nothing',
  // Makes bytes of spans.
  '@opentelemetry/otlp-transformer': 'nothing',
  ajv: 'nothing',
  'ajv-formats': 'nothing',
  'ajv/dist/2020.js': 'nothing',
  'cross-spawn': 'reaches',
  diff: 'nothing',
  // Signs and makes keys. Its `jwks/remote` would fetch some.
  'jose/jwk/thumbprint': 'nothing',
  'jose/jwt/sign': 'nothing',
  'jose/key/export': 'nothing',
  'jose/key/generate/keypair': 'nothing',
  'jose/key/import': 'nothing',
  'js-yaml': 'nothing',
  'jsonc-parser': 'nothing',
  'quickjs-emscripten-core': 'nothing',
  'smol-toml': 'nothing',
  stemmer: 'nothing',
  tokenx: 'nothing',
  zod: 'nothing',
};

/** What of each file of the code there is to look at. */
function outgoingOfAll(): ReadonlyMap<string, ReturnType<typeof outgoingIn>> {
  const source = path.join(root, 'src');
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => isCode(file));
  return new Map(files.sort().map((file) => [file, outgoingIn(readFileSync(path.join(source, file), 'utf8'))]));
}

/** Declarations (`.d.ts`) hold no code; `stats.d.js` would. */
function isCode(file: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(file) && !/\.d\.[cm]?ts$/.test(file);
}

describe('privacy', () => {
  const all = outgoingOfAll();
  const found = [...all];

  it('looks into the code: each way out is found, in whichever form', () => {
    for (const [code, ...ways] of FORMS) assert.deepEqual(outgoingIn(`${code}\n${GIVEN}`).ways, ways, code);
    for (const code of HARMLESS) assert.deepEqual(outgoingIn(`${code}\n${GIVEN}`).ways, [], code);
    assert.deepEqual(
      outgoingIn(
        `import a from 'axios'; await import('undici'); import type { B } from 'ws'; export * from 'jose/jwks/remote';
        import '#net'; import '/opt/net.js'; import 'data:text/javascript,fetch(1)'`,
      ).packages,
      ['#net', '/opt/net.js', 'axios', 'data:text/javascript,fetch(1)', 'jose/jwks/remote', 'undici'],
    );
    assert.deepEqual(outgoingIn(`import '../../node_modules/undici/index.js'; require('./addon.node')`).files, [
      '../../node_modules/undici/index.js',
      './addon.node',
    ]);
    assert.deepEqual(
      outgoingIn(
        "fetch('https://stats.example/used'); ask(`wss://${host}`); const a = 'ht' + 'tp://b.example:1/c', d = '\\u0068ttps://[::1]'",
      ).addresses,
      ['http://b.example:1', 'https://[::1]', 'https://stats.example', 'wss://'],
    );
    assert.ok(['a.ts', 'a.mts', 'a.tsx', 'stats.d.js', 'a.cjs'].every(isCode));
    assert.ok(!['a.d.ts', 'a.d.mts', 'a.css', 'a.json'].some(isCode));
  });

  it('each file of the code that opens connections is known, with what it does and whose addresses these are', () => {
    const ways = found
      .map(([file, outgoing]) => {
        const reaching = outgoing.packages.filter((name) => PACKAGES[name] === 'reaches');
        return [file, [...outgoing.ways, ...reaching]] as const;
      })
      .filter(([, of]) => of.length > 0);
    assert.deepEqual(
      Object.fromEntries(ways),
      Object.fromEntries(Object.entries(REACHING).map(([file, { ways: of }]) => [file, of])),
    );
  });

  it('each package that the code loads is known; other files that it loads are among those that are looked at', () => {
    const packages = new Set(found.flatMap(([, outgoing]) => outgoing.packages));
    assert.deepEqual([...packages].sort(), Object.keys(PACKAGES).sort());
    const unread = found.flatMap(([file, { files }]) =>
      files.map((name) => path.posix.join(path.posix.dirname(file), name)).filter((name) => !all.has(name)),
    );
    assert.deepEqual(unread, []);
  });

  it('each address in a text of the code is known, and what it is for', () => {
    const addresses = found.filter(([, outgoing]) => outgoing.addresses.length > 0);
    assert.deepEqual(
      Object.fromEntries(addresses.map(([file, outgoing]) => [file, outgoing.addresses])),
      Object.fromEntries(Object.entries(ADDRESSES).map(([file, each]) => [file, each.all])),
    );
  });

  it('style sheets of pages load nothing', () => {
    const source = path.join(root, 'src');
    const sheets = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    assert.ok(sheets.length > 1);
    for (const sheet of sheets) {
      const text = readFileSync(path.join(source, sheet), 'utf8');
      assert.deepEqual(text.match(/@import.*|(?:url|image-set|src)\((?!#).*|\\.*/gi), null, sheet);
    }
  });

  it('PRIVACY.md names what the suite of the extension host doesn’t count', () => {
    const text = readFileSync(path.join(root, 'PRIVACY.md'), 'utf8');
    for (const host of OF_THE_EDITOR) assert.ok(text.includes(`\`${host}\``), host);
  });
});
