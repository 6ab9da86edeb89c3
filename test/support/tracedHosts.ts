import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LogLevel } from '../../src/base/log.ts';
import { DEFAULT_CALL_SETTINGS } from '../../src/calls/callSettings.ts';
import type { ToolCall } from '../../src/calls/callTypes.ts';
import { TestHost } from './testHost.ts';
import { TraceReceiver, type ReceivedSpan } from './traceReceiver.ts';

/** In the arguments of each call. */
export const SECRET = 'arg-0f8fad5b';
/** What a client of the gateway sends. */
export const CLIENT = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'rojo=1',
};
/** A server whose tools say what came with them. */
export const TRACED = {
  command: process.execPath,
  args: [fileURLToPath(new URL('../fixtures/tracedServer.ts', import.meta.url))],
};

/** Hosts that send their spans to a receiver, with a server each. For the tests of one file. */
export class TracedHosts {
  readonly receiver = new TraceReceiver();
  /** Warnings in the log. */
  readonly said: string[] = [];
  /** The receiver’s. */
  address = '';
  readonly #folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'traced-')));
  readonly #hosts: TestHost[] = [];

  constructor() {
    before(async () => (this.address = await this.receiver.open()));
    afterEach(() => this.#clear());
    after(async () => {
      await this.receiver.close();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  /** A host with its server connected. `tracing`: the setting. */
  async open(tracing: string | undefined, environment: NodeJS.ProcessEnv = process.env): Promise<TestHost> {
    const log = { log: (level: LogLevel, message: string) => void (level === 'warning' && this.said.push(message)) };
    const retry = { ...DEFAULT_CALL_SETTINGS.retry, initialDelayMs: 10 };
    const calls = { settings: () => ({ ...DEFAULT_CALL_SETTINGS, retry }) };
    const test = new TestHost({ settings: { tracing }, answer: 'once', ports: { log, environment, calls } });
    this.#hosts.push(test);
    const MARK = path.join(this.#folder, `mark-${this.#hosts.length}`);
    const servers = { mcpServers: { traced: { ...TRACED, env: { MARK } } } };
    writeFileSync(path.join(test.folder, '.mcp.json'), JSON.stringify(servers));
    await test.host.start();
    await test.approveAll();
    return test;
  }

  /** Calls a tool of the server, with a secret. What it says came with the call; `undefined`: the call failed. */
  async call(
    test: TestHost,
    name: string,
    more: Partial<ToolCall> = {},
  ): Promise<Readonly<Record<string, string>> | undefined> {
    const { signal } = new AbortController();
    const args = { secret: SECRET };
    const whole = { name: `mcp__traced__${name}`, args, surface: 'test', signal, ...more } as const;
    const outcome = await test.host.broker.call(whole).catch(() => undefined);
    const [part] = outcome?.parts ?? [];
    return part?.kind === 'text' ? (JSON.parse(part.text) as Record<string, string>) : undefined;
  }

  /** The spans of what was called, which are sent at the end of the host. */
  async spansOf(test: TestHost): Promise<readonly ReceivedSpan[]> {
    await test.host.stop();
    return this.receiver.spans.splice(0).filter((span) => !isOfConnection(span));
  }

  /** The spans of handshakes and lists. */
  async connectionSpansOf(test: TestHost): Promise<readonly ReceivedSpan[]> {
    await test.host.stop();
    return this.receiver.spans.splice(0).filter(isOfConnection);
  }

  /** All that was sent. */
  get sent(): string {
    return Buffer.concat(this.receiver.bodies).toString('latin1');
  }

  async #clear(): Promise<void> {
    for (const test of this.#hosts.splice(0)) await test.stop();
    const { receiver, said } = this;
    receiver.status = 200;
    receiver.isSilent = false;
    receiver.location = undefined;
    receiver.spans.length = receiver.bodies.length = receiver.requests.length = said.length = 0;
  }
}

/** Whether a span belongs to no call: a handshake, or a list. */
export function isOfConnection({ name }: ReceivedSpan): boolean {
  return name === 'initialize' || name === 'server/discover' || name.endsWith('/list');
}
