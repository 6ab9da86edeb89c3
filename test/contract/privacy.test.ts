import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outgoingIn } from '../../scripts/lib/outgoing.mjs';
import { root } from '../../scripts/lib/paths.mjs';
import { OF_THE_EDITOR } from '../support/editorHosts.ts';

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
  'bridge/apps/appQuestions.ts': { ways: ['openExternal'], why: 'a page that an app links to, when the user says so' },
  'bridge/drawnIcon.ts': { ways: ['fetch'], why: 'icons: the server’s own origin (serverIcons.ts)' },
  'bridge/gateway/outside/answeringWindow.ts': {
    ways: ['net: connect'],
    why: 'the windows of the editor, to find the one that answers an agent on this machine',
  },
  'bridge/gateway/outside/connect.ts': {
    ways: ['http: request'],
    why: 'the window of the editor, from an agent on this machine',
  },
  'bridge/participant/agentLoop.ts': { ways: ['sendRequest'], why: 'the model that the user chose in the chat' },
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
  'connection/process/reaper.ts': { ways: ['child_process: spawn'], why: 'ends servers when the editor is killed' },
  'connection/process/runCommand.ts': {
    ways: ['child_process: spawn'],
    why: 'commands that the user configured, and the login shell',
  },
  'connection/process/startedTree.ts': { ways: ['child_process: execFile'], why: '`ps` and its like' },
  'connection/process/windowsWatchdog.ts': {
    ways: ['child_process: execFile', 'child_process: spawn'],
    why: 'ends servers when the editor is killed, on Windows',
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
  'doctor/connectAll.ts': { ways: ['fetch'], why: 'servers' },
  'extension.ts': { ways: ['fetch'], why: 'servers, their authorization servers, `cloud.url`, `tracing.endpoint`' },
  'ui/add/addServer.ts': { ways: ['fetch'], why: 'the registry that the user browses, a bundle that they add' },
  'ui/add/registry/serverUpdates.ts': { ways: ['fetch'], why: 'the registry, when the user checks for updates' },
  'ui/recording/recordSession.ts': { ways: ['vscode.open'], why: 'a recording, which is a file' },
  'ui/servers/tree/otherRows.ts': { ways: ['vscode.open'], why: 'the file of an entry' },
};

/** The packages that the code loads, each with what it reaches: those that the bundles hold. */
const PACKAGES: Readonly<Record<string, string>> = {
  '@jitl/quickjs-wasmfile-release-sync': 'nothing',
  '@modelcontextprotocol/client': 'servers and authorization servers, by the `fetch` that it is given',
  '@modelcontextprotocol/ext-apps': 'nothing: messages of a page',
  '@opentelemetry/api': 'nothing',
  '@opentelemetry/otlp-transformer': 'nothing: makes bytes of spans',
  ajv: 'nothing',
  'ajv-formats': 'nothing',
  'cross-spawn': 'starts servers',
  diff: 'nothing',
  jose: 'nothing: signs and makes keys',
  'js-yaml': 'nothing',
  'jsonc-parser': 'nothing',
  'quickjs-emscripten-core': 'nothing',
  'smol-toml': 'nothing',
  stemmer: 'nothing',
  tokenx: 'nothing',
  zod: 'nothing',
};

/** A way out in each form that code can have it, and how it is called. */
const FORMS: readonly (readonly [code: string, ...ways: readonly string[]])[] = [
  [`import * as https from 'node:https'; https.get(url)`, 'https: *'],
  [`import net from 'node:net'; net.connect(1)`, 'net: *'],
  [`import { request } from 'https'`, 'https: request'],
  [`import { request as createServer } from 'node:http'`, 'http: request'],
  [`import { 'connect' as c } from 'node:tls'`, 'tls: connect'],
  [`import 'node:dgram'`, 'dgram: *'],
  [`import net = require('node:net')`, 'net: *'],
  [`export { connect } from 'node:net'`, 'net: connect'],
  [`export * from 'node:http2'`, 'http2: *'],
  [`const { get } = await import('node:http')`, 'http: *'],
  ['await import(`https`)', 'https: *'],
  [`await import('node:' + name)`, 'import(…)'],
  [`const tls = require('tls')`, 'tls: *'],
  ['require(name)', 'require(…)'],
  ['const load = require; load(name)', 'require'],
  [`import { createRequire } from 'node:module'; createRequire(here)('node:net')`, 'module: createRequire'],
  [`process.getBuiltinModule('node:net')`, 'getBuiltinModule'],
  [`import { execFile } from 'node:child_process'`, 'child_process: execFile'],
  ['fetch(url)', 'fetch'],
  // Each was excused by a pattern.
  ['switch (kind) { case fetch(url): break; }', 'fetch'],
  ['const a = ok ? fetch(url): undefined;', 'fetch'],
  ['async function load() { await fetch(url); }', 'fetch'],
  ['function f({ fetch }) { fetch(a); } fetch(b)', 'fetch'],
  ['class A { fetch(url) { return fetch(url); } }', 'fetch'],
  ['const options = { fetch: 1 }; fetch(url)', 'fetch'],
  ['declare const fetch: (url: string) => void; fetch(url)', 'fetch'],
  [`import type { fetch } from './own.ts'; fetch(url)`, 'fetch'],
  ['const use = { fetch }', 'fetch'],
  ['const other = fetch', 'fetch'],
  ['(fetch as Fetch)(url)', 'fetch'],
  ['fetch!(url)', 'fetch'],
  ['globalThis.fetch(url)', 'fetch'],
  [`globalThis['fetch'](url)`, 'fetch'],
  ['globalThis?.fetch?.(url)', 'fetch'],
  ['globalThis[name](url)', 'globalThis[…]'],
  ['const { fetch: get } = globalThis; get(url)', 'globalThis'],
  ['window.self.fetch(url)', 'self'],
  [`Reflect.get(globalThis, 'fetch')`, 'globalThis'],
  ['new WebSocket(url)', 'WebSocket'],
  ['new EventSource(url)', 'EventSource'],
  ['new XMLHttpRequest()', 'XMLHttpRequest'],
  ['class A extends WebSocket {}', 'WebSocket'],
  ['navigator.sendBeacon(url)', 'sendBeacon'],
  [`eval('fet' + 'ch(url)')`, 'eval'],
  [`new Function('fetch(url)')`, 'Function'],
  ['vscode.env.openExternal(uri)', 'openExternal'],
  [`vscode.env['openExternal'](uri)`, 'openExternal'],
  ['const { openExternal } = vscode.env', 'openExternal'],
  [`vscode.commands.executeCommand('vscode.open', uri)`, 'vscode.open'],
  ['vscode.env.createTelemetryLogger(sender)', 'createTelemetryLogger'],
  ['model.sendRequest(messages)', 'sendRequest'],
  [`vscode.commands.executeCommand('simpleBrowser.show', url)`, 'simpleBrowser.show'],
  [`executeCommand('workbench.extensions.installExtension', id)`, 'workbench.extensions.installExtension'],
  [`import { Worker } from 'node:worker_threads'; new Worker(text, { eval: true })`, 'worker_threads: Worker'],
  [`vscode.authentication.getSession('github', [])`, 'getSession'],
];

/** What isn't one. */
const HARMLESS = [
  `import { createServer, type Socket } from 'node:net'`,
  `import type { request } from 'node:http'`,
  `export type { request } from 'node:http'`,
  `import { type request } from 'node:http'`,
  'function f(fetch: typeof globalThis.fetch) { return fetch(url); }',
  'function f({ fetch }: Options) { return () => fetch(url); }',
  'const fetch = given; const g = (url: string) => fetch(url)',
  'options.fetch(url); this.#fetch(url)',
  'const tell = { fetch: given }; class A { fetch() {} }',
  'let open: WebSocket; type A = typeof fetch; interface B { fetch(): void }',
  `globalThis.crypto.randomUUID(); window.addEventListener('message', f)`,
  `await import('./own.ts'); const about = 'fetch(url)'; // fetch(url)`,
  'for (const fetch of all) fetch(1); try { f(); } catch (fetch) { fetch; }',
];

describe('privacy', () => {
  it('looks into the code: each way out is found, in whichever form', () => {
    for (const [code, ...ways] of FORMS) assert.deepEqual(outgoingIn(code).ways, ways, code);
    for (const code of HARMLESS) assert.deepEqual(outgoingIn(code).ways, [], code);
    assert.deepEqual(
      outgoingIn(`import a from 'axios'; await import('undici'); import type { B } from 'ws'`).packages,
      ['axios', 'undici'],
    );
  });

  it('each file of the code that opens connections is known, with what it does and whose addresses these are', () => {
    const source = path.join(root, 'src');
    const found: Record<string, readonly string[]> = {};
    const packages = new Set<string>();
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!/(?<!\.d)\.[cm]?[jt]sx?$/.test(file)) continue;
      const outgoing = outgoingIn(readFileSync(path.join(source, file), 'utf8'));
      if (outgoing.ways.length > 0) found[file.replaceAll('\\', '/')] = outgoing.ways;
      for (const name of outgoing.packages) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
    assert.deepEqual(found, Object.fromEntries(Object.entries(REACHING).map(([file, { ways }]) => [file, ways])));
    assert.deepEqual([...packages].sort(), Object.keys(PACKAGES).sort());
  });

  it('PRIVACY.md names what the suite of the extension host doesn’t count', () => {
    const text = readFileSync(path.join(root, 'PRIVACY.md'), 'utf8');
    for (const host of OF_THE_EDITOR) assert.ok(text.includes(`\`${host}\``), host);
  });
});
