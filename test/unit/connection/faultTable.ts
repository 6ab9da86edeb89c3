import assert from 'node:assert/strict';
import { messageOf, SwitchboardError } from '../../../src/base/errors.ts';
import type {
  ConnectionSpec,
  ConnectionState,
  ServerConnection,
  ToolCallResult,
} from '../../../src/connection/connectionTypes.ts';
import { eventually, PoolHarness } from './harness.ts';

/** A fault and what it leads to, in the words that the test sees. */
export interface FaultRow {
  readonly group: 'Local servers (stdio)' | 'Remote servers (HTTP, SSE, WebSocket)';
  readonly fault: string;
  /** The states it goes through, with the failure's sentence. */
  readonly state: string;
  /** What a call gets. */
  readonly agent: string;
  readonly recovery: string;
}

/** Every row that the suites declare, in the order of declaration. */
export const faultRows: FaultRow[] = [];

/** What a test of a fault works with. */
export class FaultBench extends PoolHarness {
  /** Starts the server and waits for what the first attempt comes to. */
  async begin(spec: ConnectionSpec): Promise<ServerConnection> {
    return this.connect(spec);
  }

  /** What a call of the tool comes to, in words: the result's text, or the error's code and sentence. */
  async call(options: { args?: Record<string, number>; timeoutMs?: number; tool?: string } = {}): Promise<string> {
    try {
      const session = await this.server().ready(0);
      const { tool = 'call', args = {}, timeoutMs = 5000 } = options;
      return describeResult(await session.callTool(tool, args, { timeoutMs }));
    } catch (error) {
      const code = error instanceof SwitchboardError ? error.code : 'not a SwitchboardError';
      return `${code}: ${messageOf(error)}`;
    }
  }

  /** The states so far and the present failure. */
  seen(): string {
    const path = this.states.map((line) => line.replace('server: ', '')).join(' → ');
    const state = this.server().state;
    const said = 'failure' in state ? `: ${state.failure.message}` : '';
    const list = state.kind === 'connected' && state.listError !== undefined ? `, its list: ${state.listError}` : '';
    return path + said + list;
  }

  /** Waits until it is back, and says how that came. */
  async back(): Promise<string> {
    const { state } = this.server();
    if (state.kind === 'connected') return 'none needed';
    const waited = state.kind === 'pending' && state.nextAttemptAt - Date.now() > 500 ? 'after about 1 s' : 'at once';
    await this.until('connected');
    return `connected again ${waited}`;
  }

  /** Whether it tries again, without waiting for that. */
  next(): string {
    return describeNext(this.server().state);
  }

  async settled(): Promise<void> {
    await eventually(() => this.server().state.kind !== 'connecting', 'the first attempt');
  }
}

/**
 * Declares the test of one fault. What `run` returns must be what the row says, which is in the documentation.
 */
export function fault(
  row: FaultRow,
  run: (bench: FaultBench) => Promise<Omit<FaultRow, 'group' | 'fault'>>,
  options: { readonly handshakeTimeoutMs?: number; readonly discoveryTimeoutMs?: number } = {},
): void {
  faultRows.push(row);
  it(row.fault, async () => {
    const bench = new FaultBench(options);
    try {
      const observed = await run(bench);
      const expected = { state: row.state, agent: row.agent, recovery: row.recovery };
      assert.deepEqual(normalise(observed), expected);
    } finally {
      await bench.end();
    }
  });
}

/** Puts words in place of what differs from run to run. */
function normalise(row: Omit<FaultRow, 'group' | 'fault'>): Omit<FaultRow, 'group' | 'fault'> {
  const words = (text: string): string =>
    text
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
      .replaceAll(/\d+\.?\d* s\b/g, (time) =>
        Number.parseFloat(time) > 0.6 && Number.parseFloat(time) <= 1 ? '1 s' : time,
      )
      .replaceAll(process.execPath, 'node');
  return { state: words(row.state), agent: words(row.agent), recovery: words(row.recovery) };
}

function describeResult(result: ToolCallResult): string {
  const texts = result.content.map((block) => (typeof block['text'] === 'string' ? block['text'] : `[${block.type}]`));
  const text = texts.join(' + ');
  const structured =
    result.structuredContent === undefined ? '' : ` structured: ${JSON.stringify(result.structuredContent)}`;
  return (text.length > 200 ? `a text of ${text.length} characters` : `"${text}"`) + structured;
}

function describeNext(state: ConnectionState): string {
  switch (state.kind) {
    case 'pending':
      return `tried again, at most ${state.maxAttempts} times in a row`;
    case 'connected':
      return 'none needed';
    case 'connecting':
    case 'installing':
      return 'being tried';
    case 'needs-auth':
    case 'failed':
    case 'disconnected':
      return 'not tried again by itself';
  }
}

/** The page of the documentation that the rows make. */
export function faultsPage(rows: readonly FaultRow[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '\\|').replaceAll('<', '\\<');
  const table = (group: string): string => {
    const lines = rows
      .filter((row) => row.group === group)
      .map((row) => `| ${[row.fault, row.state, row.agent, row.recovery].map(cell).join(' | ')} |`);
    return [
      `## ${group}`,
      '',
      '| Fault | States | What a call gets | Recovery |',
      '| --- | --- | --- | --- |',
      ...lines,
    ].join('\n');
  };
  return `# Faults

What happens when a server misbehaves. Every row is a test with a real process or socket, and this page is made from
those tests (\`UPDATE_FAULTS=1\` with the unit tests of \`connection\`); it says what they assert.

A call that fails names its reason by a code: \`not-connected\` means that the server has certainly not acted on it,
\`connection-lost\` that it may have.

${groups.map(table).join('\n\n')}
`;
}
