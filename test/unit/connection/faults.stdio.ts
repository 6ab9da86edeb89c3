import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { fault, type FaultBench, type FaultRow } from './faultTable.ts';
import { eventually, fixture, isAlive, pidsIn, readText, SHORT_GRACE, temporaryFolder } from './harness.ts';

const group: FaultRow['group'] = 'Local servers (stdio)';
type Outcome = Omit<FaultRow, 'group' | 'fault'>;

describe('faults of local servers', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  after(() => folder.remove());

  /** It doesn't come to a connection. */
  const atStart = (row: Omit<FaultRow, 'group'>, kind: string, options?: Parameters<typeof fault>[2]): void =>
    fault(
      { group, ...row },
      async (bench) => {
        await bench.begin(fixture('faulty', kind, folder.file(kind)));
        return { state: bench.seen(), agent: await bench.call(), recovery: bench.next() };
      },
      options,
    );

  /** It connects; the fault is in a call. */
  const inCall = (row: Omit<FaultRow, 'group'>, kind: string, timeoutMs?: number): void =>
    fault({ group, ...row }, async (bench) => {
      await bench.begin(fixture('faulty', kind, folder.file(kind)));
      const agent = await bench.call(timeoutMs === undefined ? {} : { timeoutMs });
      return { state: bench.seen(), agent, recovery: await bench.back() };
    });

  fault(
    {
      group,
      fault: 'the command is missing',
      state:
        'connecting → failed: The command "no-such-command" was not found on the PATH (1 folder; “Doctor” lists it).',
      agent:
        'not-connected: The server "server" is not available. Failed: The command "no-such-command" was not found on the PATH (1 folder; “Doctor” lists it). Connect it, or continue without it.',
      recovery: 'not tried again by itself',
    },
    async (bench) => {
      await bench.begin({ type: 'stdio', command: 'no-such-command', args: [], env: { PATH: '/nowhere' } });
      return { state: bench.seen(), agent: await bench.call(), recovery: bench.next() };
    },
  );
  fault(
    {
      group,
      fault: 'the command is not executable',
      state: 'connecting → failed: The command "FILE" can\'t be executed (EACCES).',
      agent:
        'not-connected: The server "server" is not available. Failed: The command "FILE" can\'t be executed (EACCES). Connect it, or continue without it.',
      recovery: 'not tried again by itself',
    },
    async (bench) => {
      const file = folder.file('plain');
      writeFileSync(file, 'echo');
      await bench.begin({ type: 'stdio', command: file, args: [], env: {} });
      const state = bench.seen().replaceAll(file, 'FILE');
      return { state, agent: (await bench.call()).replaceAll(file, 'FILE'), recovery: bench.next() };
    },
  );
  atStart(
    {
      fault: 'exits at once with 0',
      state: 'connecting → pending: The server exited with code 0 before it was ready.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The server exited with code 0 before it was ready. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    'exit-0',
  );
  atStart(
    {
      fault: 'exits at once with 1',
      state: 'connecting → pending: The server exited with code 1 before it was ready: cannot find the database.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The server exited with code 1 before it was ready: cannot find the database. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    'exit-1',
  );
  atStart(
    {
      fault: 'ends at once by a signal',
      state: 'connecting → pending: The server was ended by SIGKILL (often for want of memory) before it was ready.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The server was ended by SIGKILL (often for want of memory) before it was ready. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    'signal',
  );
  atStart(
    {
      fault: 'closes its stdin before the handshake, but does not exit',
      state: 'connecting → pending: The server closed its stdin before it was ready, but did not exit.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The server closed its stdin before it was ready, but did not exit. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    'close-input',
    { handshakeTimeoutMs: 3000 },
  );
  atStart(
    {
      fault: 'never answers the handshake',
      state: "connecting → pending: The server didn't finish the handshake within 1.5 s.",
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The server didn\'t finish the handshake within 1.5 s. Try again in a moment.',
      recovery: 'tried again, at most 5 times in a row',
    },
    'hang-in-handshake',
    { handshakeTimeoutMs: 1500 },
  );
  atStart(
    {
      fault: 'offers an unknown protocol version',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'none needed',
    },
    'old-protocol',
  );
  atStart(
    {
      fault: 'answers the era probe with garbage',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'none needed',
    },
    'garbage-probe',
  );
  atStart(
    {
      fault: 'never answers the era probe',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'none needed',
    },
    'silent-probe',
    { handshakeTimeoutMs: 2000 },
  );
  atStart(
    {
      fault: 'crashes on the era probe',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'none needed',
    },
    'crash-on-probe',
  );
  atStart(
    { fault: 'writes noise on stdout', state: 'connecting → connected', agent: '"ok"', recovery: 'none needed' },
    'noise',
  );
  atStart(
    { fault: 'floods stderr with 100 MB', state: 'connecting → connected', agent: '"ok"', recovery: 'none needed' },
    'flood-stderr',
  );

  inCall(
    {
      fault: 'dies in the middle of a call',
      state: 'connecting → connected → pending: The server exited with code 3: fatal: out of cheese.',
      agent:
        'connection-lost: The call of "call" failed: The server exited with code 3: fatal: out of cheese. It may have run. Try again if that is safe.',
      recovery: 'connected again after about 1 s',
    },
    'die-in-call',
  );
  fault(
    {
      group,
      fault: 'dies when idle',
      state: 'connecting → connected → pending: The server exited with code 7.',
      agent:
        'not-connected: The server "server" is not available. Reconnecting (attempt 1 of 5 in 1 s): The server exited with code 7. Try again in a moment.',
      recovery: 'connected again after about 1 s',
    },
    async (bench) => {
      await bench.begin(fixture('faulty', 'die-once', folder.file('die-once')));
      await bench.until('pending');
      return { state: bench.seen(), agent: await bench.call(), recovery: await bench.back() };
    },
  );
  fault(
    {
      group,
      fault: 'closes its stdout, but does not exit',
      state: 'connecting → connected → pending: The server closed its stdout, but did not exit.',
      agent:
        'connection-lost: The call of "call" failed: The server closed its stdout, but did not exit. It may have run. Try again if that is safe.',
      recovery: 'tried again, at most 5 times in a row',
    },
    async (bench) => {
      await bench.begin(fixture('faulty', 'close-output', folder.file('close-output')));
      const agent = await bench.call({ timeoutMs: 20_000 });
      return { state: bench.seen(), agent, recovery: bench.next() };
    },
  );

  const stopping = async (bench: FaultBench, pids: () => number[]): Promise<Outcome> => {
    const state = bench.seen();
    const agent = await bench.call();
    const running = pids();
    await bench.pool.stopAll(SHORT_GRACE);
    return { state, agent, recovery: running.some(isAlive) ? 'left behind' : 'gone when stopped' };
  };
  const stubborn = (row: Omit<FaultRow, 'group'>, kind: string): void =>
    fault({ group, ...row }, async (bench) => {
      const server = await bench.begin(fixture('faulty', kind));
      return stopping(bench, () => [server.session?.info.pid ?? 0]);
    });
  stubborn(
    {
      fault: 'ignores the end of its input',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'gone when stopped',
    },
    'ignore-eof',
  );
  stubborn(
    {
      fault: 'ignores the end of its input and SIGTERM',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'gone when stopped',
    },
    'ignore-term',
  );
  fault(
    {
      group,
      fault: 'leaves a grandchild that holds its pipes',
      state: 'connecting → connected → pending: The server exited with code 3: fatal: out of cheese.',
      agent:
        'connection-lost: The call of "call" failed: The server exited with code 3: fatal: out of cheese. It may have run. Try again if that is safe.',
      recovery: 'tried again, at most 5 times in a row',
    },
    async (bench) => {
      const file = folder.file('grandchild');
      await bench.begin(fixture('faulty', 'grandchild-pipes', file));
      const grandchild = Number(readText(file));
      const agent = await bench.call();
      const state = bench.seen();
      await eventually(() => !isAlive(grandchild), 'the grandchild to go');
      return { state, agent, recovery: bench.next() };
    },
  );

  const escaped = async (file: string): Promise<number[]> => {
    await eventually(() => pidsIn(file).length === 2, 'those that escape');
    return pidsIn(file);
  };
  fault(
    {
      group,
      fault: 'starts processes that leave its process group, one of which ignores SIGTERM',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'gone when stopped',
    },
    async (bench) => {
      const file = folder.file('escapes');
      await bench.begin(fixture('faulty', 'grandchild-escapes', file));
      const pids = await escaped(file);
      assert.ok(pids.every(isAlive));
      return stopping(bench, () => pids);
    },
  );
  fault(
    {
      group,
      fault: 'dies and leaves processes behind that have left its process group',
      state: 'connecting → connected → pending: The server exited with code 3: fatal: out of cheese.',
      agent:
        'connection-lost: The call of "call" failed: The server exited with code 3: fatal: out of cheese. It may have run. Try again if that is safe.',
      recovery: 'tried again, at most 5 times in a row',
    },
    async (bench) => {
      const file = folder.file('dies-after-escapes');
      await bench.begin(fixture('faulty', 'dies-after-escapes', file));
      const pids = await escaped(file);
      const agent = await bench.call();
      const state = bench.seen();
      const recovery = bench.next();
      await eventually(() => !pids.some(isAlive), 'what it left behind to go');
      return { state, agent, recovery };
    },
  );

  inCall(
    {
      fault: 'writes half a line and no more',
      state: 'connecting → connected',
      agent:
        'call-timeout: The call of "call" got no answer within 0.5 s. It may still be running on the server. Try again, or set a longer time-out for this server.',
      recovery: 'none needed',
    },
    'half-line',
    500,
  );
  inCall(
    {
      fault: 'writes a line of 50 MB',
      state: 'connecting → connected',
      agent: 'a text of 52428800 characters',
      recovery: 'none needed',
    },
    'long-line',
    20_000,
  );
  inCall(
    {
      fault: 'writes a line over the limit of 64 MiB',
      state: 'connecting → connected',
      agent:
        'message-too-large: The call of "call" failed: the answer of 73400393 bytes is over the limit. Request less data.',
      recovery: 'none needed',
    },
    'too-long-line',
    20_000,
  );
  inCall(
    { fault: 'writes invalid UTF-8', state: 'connecting → connected', agent: '"caf��"', recovery: 'none needed' },
    'invalid-utf8',
  );
  inCall(
    {
      fault: 'writes a character in two pieces',
      state: 'connecting → connected',
      agent: '"5 €"',
      recovery: 'none needed',
    },
    'split-utf8',
  );
  inCall(
    {
      fault: 'answers with a wrong id',
      state: 'connecting → connected',
      agent:
        'call-timeout: The call of "call" got no answer within 0.5 s. It may still be running on the server. Try again, or set a longer time-out for this server.',
      recovery: 'none needed',
    },
    'wrong-id',
    500,
  );
  inCall(
    {
      fault: 'answers with the id as a string',
      state: 'connecting → connected',
      agent: '"ok"',
      recovery: 'none needed',
    },
    'string-id',
  );
  inCall(
    {
      fault: 'answers with an error without an id',
      state: 'connecting → connected',
      agent: 'call-failed: The call of "call" failed: what? (-32600).',
      recovery: 'none needed',
    },
    'null-id-error',
  );
  inCall(
    {
      fault: 'answers with neither result nor error',
      state: 'connecting → connected',
      agent:
        'call-failed: The call of "call" failed: the server\'s answer has neither result nor error. It may have run. Try again if that is safe.',
      recovery: 'none needed',
    },
    'no-result',
  );
  inCall(
    {
      fault: 'answers with an error',
      state: 'connecting → connected',
      agent: 'call-failed: The call of "call" failed: no such thing (-32602).',
      recovery: 'none needed',
    },
    'protocol-error',
  );
  inCall(
    { fault: 'answers twice', state: 'connecting → connected', agent: '"first"', recovery: 'none needed' },
    'twice',
  );
  fault(
    {
      group,
      fault: 'answers out of order',
      state: 'connecting → connected',
      agent: '"1", "2"',
      recovery: 'none needed',
    },
    async (bench) => {
      await bench.begin(fixture('faulty', 'out-of-order'));
      const calls = await Promise.all([1, 2].map((n) => bench.call({ args: { n } })));
      return { state: bench.seen(), agent: calls.join(', '), recovery: bench.next() };
    },
  );
  fault(
    {
      group,
      fault: 'answers after the time-out',
      state: 'connecting → connected',
      agent:
        'call-timeout: The call of "call" got no answer within 0.3 s. It may still be running on the server. Try again, or set a longer time-out for this server. The next call: "2"',
      recovery: 'none needed',
    },
    async (bench) => {
      await bench.begin(fixture('faulty', 'late'));
      const late = await bench.call({ timeoutMs: 300, args: { n: 1 } });
      const next = await bench.call({ args: { n: 2 } });
      return { state: bench.seen(), agent: `${late} The next call: ${next}`, recovery: bench.next() };
    },
  );

  fault(
    {
      group,
      fault: 'lists one malformed tool among good ones',
      state: 'connecting → connected, tools: good, odd-hint',
      agent:
        'Tool "no-schema": its inputSchema is not an object. The annotation "readOnlyHint" of tool "odd-hint": it is not a boolean. Tool number 4: it has no name.',
      recovery: 'none needed',
    },
    async (bench) => {
      const server = await bench.begin(fixture('faulty', 'malformed-tool'));
      const names = server.tools.map(({ name }) => name).join(', ');
      return { state: `${bench.seen()}, tools: ${names}`, agent: server.leftOut.join(' '), recovery: bench.next() };
    },
  );
  const listing = (row: Omit<FaultRow, 'group'>, kind: string): void =>
    fault(
      { group, ...row },
      async (bench) => {
        const server = await bench.begin(fixture('faulty', kind));
        return { state: bench.seen(), agent: `${server.tools.length} tools`, recovery: bench.next() };
      },
      { discoveryTimeoutMs: 2000 },
    );
  listing(
    { fault: 'has no tools', state: 'connecting → connected', agent: '0 tools', recovery: 'none needed' },
    'no-tools',
  );
  listing(
    { fault: 'has 10,000 tools', state: 'connecting → connected', agent: '10000 tools', recovery: 'none needed' },
    'many-tools',
  );
  listing(
    {
      fault: 'pages its tools without end',
      state: 'connecting → connected, its list: The list of tools failed: the list has too many pages.',
      agent: '0 tools',
      recovery: 'none needed',
    },
    'endless-pages',
  );
  listing(
    {
      fault: 'fails to list its tools',
      state: 'connecting → connected, its list: The list of tools failed: broken list (-32603).',
      agent: '0 tools',
      recovery: 'none needed',
    },
    'list-fails',
  );
  listing(
    {
      fault: 'never answers the list of tools',
      state: 'connecting → connected, its list: The list of tools got no answer within 2 s.',
      agent: '0 tools',
      recovery: 'none needed',
    },
    'list-hangs',
  );
  inCall(
    {
      fault: 'sends content of an unknown kind',
      state: 'connecting → connected',
      agent: '"[hologram] + {"type":"image"} + ok"',
      recovery: 'none needed',
    },
    'unknown-content',
  );
  inCall(
    {
      fault: "sends what its output schema doesn't allow",
      state: 'connecting → connected',
      agent: '"" structured: {"n":"not a number"}',
      recovery: 'none needed',
    },
    'output-mismatch',
  );
});
