import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/event.ts';
import { silentLogger } from '../../src/base/log.ts';
import { MemoryStore, type KeyValueStore } from '../../src/base/keyValueStore.ts';
import type { Answer, Question } from '../../src/calls/callTypes.ts';
import type { ConfigSource } from '../../src/config/configTypes.ts';
import { Host } from '../../src/host/host.ts';
import type { HostPorts, HostSettings } from '../../src/host/hostPorts.ts';
import { NodeConfigPorts } from './nodeConfigPorts.ts';

export interface TestHostOptions {
  /** The workspace folder; a fresh one below the temporary folder when absent. */
  readonly folder?: string;
  readonly store?: KeyValueStore;
  readonly trusted?: boolean;
  readonly settings?: Partial<HostSettings>;
  /** Servers of the user's own file, beside those of the folder. */
  readonly own?: { readonly file: string };
  /** What the user answers. */
  readonly answer?: Answer;
  /** Put in place of what the test's host has. */
  readonly ports?: Partial<HostPorts>;
}

/** The core in plain Node, on a folder on disk, with the user played by `answer`. */
export class TestHost {
  readonly folder: string;
  readonly store: KeyValueStore;
  readonly host: Host;
  readonly questions: Question[] = [];
  answer: Answer | undefined;
  readonly #ownsFolder: boolean;
  readonly #disposables = new DisposableStore();

  constructor(options: TestHostOptions = {}) {
    this.#ownsFolder = options.folder === undefined;
    this.answer = options.answer ?? 'deny';
    this.folder = options.folder ?? realpathSync(mkdtempSync(path.join(tmpdir(), 'switchboard-')));
    this.store = options.store ?? new MemoryStore();
    const folder = { name: 'demo', path: this.folder };
    const file = path.join(this.folder, '.mcp.json');
    const project: ConfigSource = {
      id: `project:${file}`,
      scope: 'project',
      format: 'mcp',
      label: '.mcp.json',
      file,
      folder,
    };
    const settings: HostSettings = {
      localConcurrency: 3,
      remoteConcurrency: 20,
      handshakeTimeoutMs: 15_000,
      discoveryTimeoutMs: 15_000,
      callTimeoutMs: 60_000,
      ...options.settings,
    };
    const changed = this.#disposables.add(new Emitter<void>());
    this.host = new Host({
      clock: systemClock,
      log: silentLogger,
      serverLog: () => silentLogger,
      config: new NodeConfigPorts(options.own ? [project, ownSource(options.own.file)] : [project]),
      store: this.store,
      editor: { workspaceTrusted: () => options.trusted ?? true, editorHosts: () => false, onDidChange: changed.event },
      asker: {
        ask: async (question) => {
          this.questions.push(question);
          return this.answer;
        },
      },
      platform: process.platform,
      environment: process.env,
      homeDir: homedir(),
      fetch: globalThis.fetch,
      clientInfo: { name: 'mcp-switchboard-test', version: '0' },
      workspaceFolders: () => [folder],
      settings: () => settings,
      ...options.ports,
    });
  }

  /** Says yes to every server that waits, and resolves when all of them are connected, failed, or wait for a sign-in. */
  async approveAll(): Promise<void> {
    const waiting = this.host.views.filter(({ definition }) => definition.status.kind === 'needs-approval');
    await this.host.servers.approve(waiting.map(({ definition }) => definition.id));
    await this.until(() =>
      this.host.pool.all.every(({ state }) => ['connected', 'failed', 'needs-auth'].includes(state.kind)),
    );
  }

  /** Resolves when `condition` holds, looked at on every change of the host. */
  async until(condition: () => boolean, timeoutMs = 30_000): Promise<void> {
    if (condition()) return;
    let limit: NodeJS.Timeout | undefined;
    const subscription = new DisposableStore();
    try {
      await new Promise<void>((resolve, reject) => {
        limit = setTimeout(() => reject(new Error(`not within ${timeoutMs} ms: ${condition.toString()}`)), timeoutMs);
        subscription.add(this.host.onDidChange(() => condition() && resolve()));
      });
    } finally {
      clearTimeout(limit);
      subscription.dispose();
    }
  }

  /** Calls a tool and gives the text of its result. */
  async call(name: string, args: Record<string, string> = {}): Promise<string> {
    const { parts } = await this.host.broker.call({
      name,
      args,
      surface: 'test',
      signal: new AbortController().signal,
    });
    return parts.map((part) => (part.kind === 'text' ? part.text : `(${part.mimeType})`)).join('\n');
  }

  async stop(): Promise<void> {
    await this.host.stop({ afterEofMs: 1_000, afterTermMs: 1_000 });
    this.host.dispose();
    this.#disposables.dispose();
    if (this.#ownsFolder) rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** A file of the user's: what it defines needs no approval. */
function ownSource(file: string): ConfigSource {
  return { id: `user:${file}`, scope: 'user', format: 'mcp', label: file, file };
}

/** Runs `body` with a host on a fresh folder whose `.mcp.json` has these servers, all of them approved, and stops it. */
export async function withServers(
  servers: object,
  body: (rig: TestHost) => Promise<void>,
  options: Omit<TestHostOptions, 'folder'> = {},
): Promise<void> {
  const rig = new TestHost(options);
  try {
    writeFileSync(path.join(rig.folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
    await rig.host.start();
    await rig.approveAll();
    await body(rig);
  } finally {
    await rig.stop();
  }
}
