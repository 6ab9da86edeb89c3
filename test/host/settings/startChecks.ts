import * as fs from 'node:fs';
import * as path from 'node:path';
import type { ConnectionState } from '../../../src/connection/connectionTypes.ts';
import { eventually, exportsOf } from '../support.ts';
import type { Check, Checks } from './checks.ts';
import { timeIn, type Probe } from './probe.ts';

const HANDSHAKE = ['server/discover', 'initialize'] as const;
const PREFIX = 'mcpSwitchboard';
/** So that a first failure is the last. */
export const ONCE = { [`${PREFIX}.reconnect.maxAttempts`]: 0 };
const TEN_MINUTES_MS = 600_000;

/** When servers are started, how many at a time, and how long each step may take. */
export function startChecks(probe: Probe): Checks {
  const { server } = probe;
  return {
    [`${PREFIX}.startMode`]: [
      {
        // One that starts by itself in any case is there to say when another would have.
        effect: () =>
          probe.beside(
            { fresh: probe.entry('fresh'), eager: probe.entry('eager', { startMode: 'eager' }) },
            async () => {
              await probe.state('eager', 'connected');
              return (await probe.find('fresh'))?.state.kind === 'disconnected' ? 'waits' : 'starts';
            },
          ),
        shows: [
          [undefined, 'starts'],
          ['manual', 'waits'],
        ],
      },
      {
        // A server that is there already goes by it, too.
        with: () => ({
          [`${PREFIX}.startMode`]: 'manual',
          [`${PREFIX}.servers`]: probe.servers({ idle: probe.entry('idle') }),
        }),
        effect: () => whenCalled(probe, 'idle'),
        shows: [
          ['manual', 'refuses'],
          ['onDemand', 'answers'],
        ],
      },
    ],
    [`${PREFIX}.startup.remoteConcurrency`]: {
      effect: () => remoteOrder(probe),
      shows: [
        [1, 'one after the other'],
        [2, 'together'],
      ],
    },
    [`${PREFIX}.startup.localConcurrency`]: {
      effect: () => localOrder(probe),
      shows: [
        [1, 'one after the other'],
        [2, 'together'],
      ],
    },
    [`${PREFIX}.startup.slowStartMs`]: {
      with: () => ({ [`${PREFIX}.startup.remoteConcurrency`]: 1 }),
      effect: () => remoteOrder(probe),
      shows: [
        [undefined, 'one after the other'],
        [0, 'together'],
      ],
    },
    [`${PREFIX}.timeouts.handshakeMs`]: {
      with: () => ONCE,
      effect: () => handshakeTime(probe),
      shows: [
        [100, '0.1 s'],
        [200, '0.2 s'],
      ],
    },
    [`${PREFIX}.timeouts.installMs`]: {
      with: () => ({ ...ONCE, [`${PREFIX}.timeouts.handshakeMs`]: 100 }),
      effect: () => connectOne(probe, { command: runner(probe), args: ['some-package'] }),
      shows: [
        [300, '0.3 s'],
        [400, '0.4 s'],
      ],
    },
    // The name that it had before still counts.
    [`${PREFIX}.timeouts.packageRunnerHandshakeMs`]: {
      with: () => ({ ...ONCE, [`${PREFIX}.timeouts.handshakeMs`]: 100 }),
      effect: () => connectOne(probe, { command: runner(probe), args: ['some-package'] }),
      shows: [
        [300, '0.3 s'],
        [400, '0.4 s'],
      ],
    },
    [`${PREFIX}.timeouts.discoveryMs`]: {
      effect: () =>
        probe.answering(
          'tools/list',
          () => 'no answer',
          () => connectOne(probe, probe.entry('timed')),
        ),
      shows: [
        [100, '0.1 s'],
        [200, '0.2 s'],
      ],
    },
    [`${PREFIX}.needsAuthMemoryMs`]: {
      // Found anew each time, as after a start of the editor: then it isn't asked again by itself.
      effect: () =>
        probe.answering('server/discover', refuse, () =>
          probe.answering('initialize', refuse, async () => {
            const before = server.seen.length;
            await probe.beside({ secret: probe.entry('secret') }, () => probe.state('secret', 'needs-auth'));
            return server.seen.length > before ? 'asked' : 'left alone';
          }),
        ),
      shows: [
        [undefined, 'left alone'],
        [0, 'asked'],
      ],
    },
    [`${PREFIX}.environment`]: {
      effect: () => environmentOf(probe),
      shows: [
        [undefined, 'the editor’s'],
        ['minimal', 'little'],
      ],
    },
  };
}

/** What an attempt to come back is like. The delays have a jitter: they are told apart by their size. */
export function reconnectChecks(probe: Probe): Record<string, Check> {
  const lost = async (): Promise<ConnectionState> => {
    const { host } = await exportsOf();
    // Nobody listens there; ports of other protocols, such as 9, aren’t tried again.
    const entry = { type: 'http', url: 'http://127.0.0.1:4/mcp', startMode: 'manual' };
    return probe.beside({ lost: entry }, async () => host.pool.connect(await probe.id('lost')));
  };
  const delay = async (): Promise<string> => {
    const state = await lost();
    if (state.kind !== 'pending') return state.kind;
    return state.nextAttemptAt - Date.now() > 60_000 ? 'minutes' : 'seconds';
  };
  return {
    [`${PREFIX}.reconnect.initialDelayMs`]: {
      with: () => ({ [`${PREFIX}.reconnect.maxDelayMs`]: TEN_MINUTES_MS }),
      effect: delay,
      shows: [
        [undefined, 'seconds'],
        [TEN_MINUTES_MS, 'minutes'],
      ],
    },
    [`${PREFIX}.reconnect.maxDelayMs`]: {
      with: () => ({ [`${PREFIX}.reconnect.initialDelayMs`]: TEN_MINUTES_MS }),
      effect: delay,
      shows: [
        [undefined, 'seconds'],
        [TEN_MINUTES_MS, 'minutes'],
      ],
    },
    [`${PREFIX}.reconnect.maxAttempts`]: {
      effect: async () => {
        const state = await lost();
        return state.kind === 'pending' ? `${state.attempt} of ${state.maxAttempts}` : state.kind;
      },
      shows: [
        [undefined, '1 of 5'],
        [2, '1 of 2'],
        [0, 'failed'],
      ],
    },
    [`${PREFIX}.reconnect.healthyAfterMs`]: {
      with: () => ({ [`${PREFIX}.reconnect.initialDelayMs`]: 10 }),
      effect: () => attemptsOfTwoLosses(probe),
      shows: [
        [undefined, [1, 2]],
        [0, [1, 1]],
      ],
    },
  };
}

/** Kills a server's process twice and gives which attempt in a row each return counts as. */
async function attemptsOfTwoLosses(probe: Probe): Promise<readonly number[]> {
  const { host } = await exportsOf();
  const script = path.join(process.env['SWITCHBOARD_ROOT'] ?? '', 'test/fixtures/catalog/list-server.mjs');
  const entry = nodeEntry([script, probe.file('tools.json', '[]')]);
  const attempts: number[] = [];
  const watch = host.pool.onDidChangeState(({ name, state }) => {
    if (name === 'mortal' && state.kind === 'pending') attempts.push(state.attempt);
  });
  try {
    return await probe.beside({ mortal: entry }, async () => {
      for (const losses of [1, 2]) {
        const { state } = await probe.state('mortal', 'connected');
        if (state.kind === 'connected') process.kill(state.info.pid ?? 0);
        await eventually('it is lost', () => attempts.length === losses);
      }
      return attempts;
    });
  } finally {
    watch.dispose();
  }
}

function nodeEntry(args: readonly string[], more: object = {}): object {
  return { command: process.execPath, args, env: { ELECTRON_RUN_AS_NODE: '1' }, ...more };
}

/** A process that says that it was started, and nothing else. */
function localEntry(probe: Probe, name: string): object {
  const file = path.join(probe.folder, `started-${name}`);
  return nodeEntry(['-e', `require('fs').writeFileSync(${JSON.stringify(file)}, ''); process.stdin.resume()`]);
}

/** Something that is called as a package runner is, and waits. */
function runner(probe: Probe): string {
  const file = probe.file('npx', '#!/bin/sh\ncat > /dev/null\n');
  fs.chmodSync(file, 0o755);
  return file;
}

/** Servers that never finish the handshake. */
function hanging<T>(probe: Probe, body: () => Promise<T>): Promise<T> {
  const [first, second] = HANDSHAKE;
  const hang = (): string => 'no answer';
  return probe.answering(first, hang, () => probe.answering(second, hang, body));
}

const refuse = (): object => ({ status: 401 });

/** Connects a server and gives the time that it says something took too long after. */
async function connectOne(probe: Probe, entry: object): Promise<string | undefined> {
  const { host } = await exportsOf();
  return probe.beside({ timed: { ...entry, startMode: 'manual' } }, async () => {
    const state = await host.pool.connect(await probe.id('timed'));
    if (state.kind === 'failed') return timeIn(state.failure.message);
    return state.kind === 'connected' ? timeIn(state.listError) : state.kind;
  });
}

/** What becomes of a call while nobody has connected the server. */
async function whenCalled(probe: Probe, name: string): Promise<string> {
  const { host } = await exportsOf();
  await eventually('it is there', () => probe.find(name));
  return host.pool.ready(await probe.id(name), 10_000).then(
    () => 'answers',
    () => 'refuses',
  );
}

/** After which time a server that doesn't answer the handshake is given up. */
export function handshakeTime(probe: Probe): Promise<string | undefined> {
  return hanging(probe, () => connectOne(probe, probe.entry('timed')));
}

/** Whether two remote servers are connected to together. */
export function remoteOrder(probe: Probe): Promise<string> {
  return startOrder(probe, (name) => probe.entry(name));
}

/** Whether two processes are started together. */
export function localOrder(probe: Probe): Promise<string> {
  return startOrder(probe, (name) => localEntry(probe, name));
}

/** Two servers hang; the first is given up after a second. Did the second have to wait for that? */
async function startOrder(probe: Probe, entryOf: (name: string) => object): Promise<string> {
  const { host } = await exportsOf();
  const entries = {
    first: { ...entryOf('first'), handshakeTimeoutMs: 1_000, reconnect: { maxAttempts: 0 }, startMode: 'manual' },
    second: { ...entryOf('second'), startMode: 'manual' },
  };
  const before = probe.server.seen.length;
  for (const name of Object.keys(entries)) fs.rmSync(path.join(probe.folder, `started-${name}`), { force: true });
  const hasBegun = (name: string): boolean =>
    fs.existsSync(path.join(probe.folder, `started-${name}`)) ||
    probe.server.seen.slice(before).some((each) => each.path === name);
  return hanging(probe, () =>
    probe.beside(entries, async () => {
      const first = host.pool.connect(await probe.id('first'));
      await eventually('the first has begun', () => hasBegun('first'));
      let isGivenUp = false;
      void first.then(() => (isGivenUp = true));
      void host.pool.connect(await probe.id('second'));
      return eventually('the second has begun, or the first was given up', () => {
        if (hasBegun('second')) return isGivenUp ? 'one after the other' : 'together';
        return isGivenUp && 'one after the other';
      });
    }),
  );
}

/** What a server of the user's gets of the environment. */
async function environmentOf(probe: Probe): Promise<string> {
  const file = path.join(probe.folder, 'environment.json');
  fs.rmSync(file, { force: true });
  const script = `require('fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env)); process.stdin.resume()`;
  process.env['SWITCHBOARD_TEST'] = 'yes';
  try {
    return await probe.beside({ environs: nodeEntry(['-e', script]) }, async () => {
      const text = await eventually('it was written', () => fs.existsSync(file) && fs.readFileSync(file, 'utf8'));
      return text.includes('SWITCHBOARD_TEST') ? 'the editor’s' : 'little';
    });
  } finally {
    delete process.env['SWITCHBOARD_TEST'];
  }
}
