import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../../../../scripts/lib/paths.mjs';
import { deferred } from '../../../../src/base/async.ts';
import type { Reply } from '../../../../src/calls/callTypes.ts';
import { QUESTION_LIMIT_MS } from '../../../../src/calls/policy/askUser.ts';
import { ScriptProcess } from '../../../../src/calls/script/scriptProcess.ts';
import { SCRIPT_LIMITS, type ScriptState, type ScriptTask } from '../../../../src/calls/script/scriptTypes.ts';
import { eventually, isAlive } from '../../connection/harness.ts';
import { ScriptRig } from './scriptRig.ts';

const ADD = 'tools.mcp__notes__add_note';
const LIST = 'tools.mcp__notes__list_notes';
/** One step of the interpreter, in which nothing can stop it, for many seconds. */
const LONG = '"a".repeat(1 << 22).indexOf("a".repeat(1 << 21) + "b");';

describe('a script ends', () => {
  it('ten minutes after its question was shown, however long its calls waited for that', async () => {
    const rig = await ScriptRig.on();
    rig.serve = async (name) => {
      if (name === 'list_notes') {
        const waits = (): boolean => rig.calls.inProgress.all.some(({ phase }) => phase === 'asking');
        await eventually(waits, 'a call that waits for the user');
        rig.clock.advance(2 * QUESTION_LIMIT_MS);
      }
      return { content: [{ type: 'text', text: name }] };
    };
    const source = `const added = ${ADD}({ title: 'a' }); await ${LIST}(); return await added;`;
    equal(await rig.script(source), 'add_note\n(2 calls)');
    equal(rig.asked.length, 1);
    rig.answer = () => {
      rig.clock.advance(QUESTION_LIMIT_MS);
      // Whatever shows the question may not notice that it is closed.
      return new Promise(() => undefined);
    };
    match(await rig.script(`try { await ${ADD}({ title: 'b' }); } catch {}`), /did not answer within 10 minutes/);
    rig.wrote('a');
  });

  it('at once where it is cancelled, also while the interpreter works', async () => {
    const rig = await ScriptRig.on();
    const ending = new AbortController();
    const restore = onBegun((begun) => {
      ending.abort();
      return begun;
    });
    try {
      equal(await rig.script(LONG, { signal: ending.signal }), 'The script was cancelled.');
    } finally {
      restore();
    }
  });

  it('without the calls of the step in which it was cancelled', async () => {
    const rig = await ScriptRig.on();
    const ending = new AbortController();
    const restore = onBegun(async (begun) => {
      const state = await begun;
      equal(state.calls.length, 1);
      ending.abort();
      return state;
    });
    try {
      equal(await rig.script(`await ${LIST}()`, { signal: ending.signal }), 'The script was cancelled.');
    } finally {
      restore();
    }
    deepEqual(
      rig.calls.history.entries.map(({ tool }) => tool),
      ['mcp_run_script'],
    );
  });

  it('with its process where the host is killed while the interpreter works', async () => {
    const worker = path.join(root, 'src/calls/script/scriptWorker.ts');
    const task = { source: LONG.repeat(20), names: [], at: 0, rounds: [], calls: [], limits: SCRIPT_LIMITS };
    const host = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { startScriptWorker } = await import(${JSON.stringify(pathToFileURL(worker).href)});
       const child = startScriptWorker();
       child.once('message', () => child.send(${JSON.stringify({ task })}, () => console.log(child.pid)));`,
    ]);
    const [printed] = (await once(host.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    ok(isAlive(pid));
    host.kill('SIGKILL');
    await eventually(() => !isAlive(pid), 'the end of the process');
  });
}).timeout(60_000);

describe('scripts at the same time', () => {
  it('have four processes; one more waits, and can be cancelled meanwhile', async () => {
    const rig = await ScriptRig.on();
    const held = deferred<void>();
    rig.serve = async () => {
      await held.promise;
      return {};
    };
    let started = 0;
    const count = (): void => void (started += 1);
    subscribe('child_process', count);
    try {
      const running = Array.from({ length: 4 }, () => rig.script(`await ${LIST}(); return 1;`));
      await eventually(() => rig.ran.length === 4, 'four scripts that run');
      const ending = new AbortController();
      const waiting = [ending.signal, undefined].map((signal) =>
        rig.script('return 2', signal === undefined ? {} : { signal }),
      );
      ending.abort();
      equal(await waiting[0], 'The script was cancelled.');
      equal(started, 4);
      held.resolve();
      deepEqual(
        await Promise.all(running),
        Array.from({ length: 4 }, () => '1\n(1 call)'),
      );
      equal(await waiting[1], '2\n(0 calls)');
      equal(started, 5);
    } finally {
      unsubscribe('child_process', count);
    }
  });

  it('don’t wait for those that the user is asked about', async () => {
    const rig = await ScriptRig.on();
    const answer = deferred<Reply>();
    rig.answer = () => answer.promise;
    const asked = Array.from({ length: 4 }, (_, n) => rig.script(`await ${ADD}({ title: '${n}' }); return 1;`));
    await eventually(() => rig.asked.length === 4, 'four questions');
    equal(await rig.script('return 2'), '2\n(0 calls)');
    answer.resolve('once');
    deepEqual(
      await Promise.all(asked),
      Array.from({ length: 4 }, () => '1\n(1 call)'),
    );
  });
}).timeout(60_000);

/** Looks on, and at what comes of it, when a process was told to begin a script. @returns ends that */
function onBegun(look: (begun: Promise<ScriptState>) => Promise<ScriptState>): () => void {
  const own = Object.getOwnPropertyDescriptor(ScriptProcess.prototype, 'begin');
  const begin = own?.value as (this: ScriptProcess, task: ScriptTask) => Promise<ScriptState>;
  ScriptProcess.prototype.begin = function (task) {
    return look(begin.call(this, task));
  };
  return () => void (ScriptProcess.prototype.begin = begin);
}
