// Records what one real server answers, and asks its recording the same.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { STOP_GRACE } from '../../src/connection/process/stopGrace.ts';
import { describeState } from '../../src/connection/connectionState.ts';
import { Recorder, DEFAULT_RING } from '../../src/connection/recording/recorder.ts';
import { saveRecording } from '../../src/connection/recording/recordingWriter.ts';
import { node24, root } from '../lib/paths.mjs';
import { openPool, prepare, settled } from './survey-server.mjs';

const CALL_MS = 60_000;
const REPLAY = join(root, 'src', 'connection', 'recording', 'replay', 'replay.ts');

/** What came of it, a row of the table. */
export async function replayServer({ command, args, env = {}, calls }, { dir, env: hostEnvironment, home, say }) {
  prepare(dir, hostEnvironment);
  const surroundings = { dir, hostEnvironment, home, log: [] };
  const file = join(home, 'recording.mcprec.jsonl');
  const recorder = new Recorder(() => ({ ...DEFAULT_RING, maxBytes: 256 * 2 ** 20 }));
  const live = await answersOf({ type: 'stdio', command, args, env, cwd: dir }, calls, surroundings, recorder, file);
  recorder.dispose();
  if (live.failure) return { failure: live.failure };
  const { events, bytes } = { events: readFileSync(file, 'utf8').split('\n').length - 2, bytes: statSync(file).size };
  const replayed = await answersOf(
    { type: 'stdio', command: node24, args: [REPLAY, file, '--fast'], env: {}, cwd: dir },
    calls,
    surroundings,
  );
  if (replayed.failure) return { failure: `its recording: ${replayed.failure}` };
  const parts = [
    ...['info', 'tools'].map((part) => [part, live[part], replayed[part]]),
    ...calls.map(([tool], at) => [`${tool} (${at + 1})`, live.answers[at], replayed.answers[at]]),
  ];
  const different = parts.filter(([, one, other]) => !isDeepStrictEqual(one, other));
  for (const [part, one, other] of different)
    say(`  ${part}: ${firstDifference(JSON.stringify(one), JSON.stringify(other))}`);
  const differences = different.map(([part]) => part);
  return {
    protocol: live.info.protocolVersion,
    tools: live.tools.length,
    calls: calls.length,
    events,
    bytes,
    differences,
  };
}

/** What a server says of itself, its tools, and what it answers to each call: its result, or the error’s text. */
async function answersOf(spec, calls, { dir, hostEnvironment, home, log }, recorder, file) {
  const pool = openPool({ dir, hostEnvironment, home, log, recorder: recorder && (async () => recorder) });
  try {
    pool.reconcile([{ id: 's', name: 's', scope: 'user', key: 's', autoStart: false, resolve: async () => spec }]);
    const state = await settled(pool, await pool.connect('s'));
    if (state.kind !== 'connected') return { failure: state.failure?.message ?? describeState(state) };
    const { pid: _, transport: __, ...info } = state.info;
    const tools = pool.get('s').tools;
    const answers = [];
    for (const [tool, args] of calls) {
      const session = await pool.ready('s', 5_000);
      answers.push(
        await session.callTool(tool, args, { timeoutMs: CALL_MS }).then(
          ({ meta: ___, ...result }) => result,
          (error) => error.message,
        ),
      );
    }
    if (file) {
      const by = { name: 'survey', version: '0' };
      await saveRecording(file, recorder.recent(), {
        by,
        platform: process.platform,
        nameOf: (id) => id,
        mask: pool.mask,
      });
    }
    return { info, tools, answers };
  } finally {
    await pool.stopAll(STOP_GRACE.orderly);
    pool.dispose();
  }
}

function firstDifference(one, other) {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return `${one.slice(Math.max(0, at - 40), at + 80)} ≠ ${other.slice(Math.max(0, at - 40), at + 80)}`;
}
