import { deepEqual, equal, match } from 'node:assert/strict';
import { exactNumber } from '../../../../src/base/json/exactNumber.ts';
import type { ToolCallResult } from '../../../../src/connection/connectionTypes.ts';
import { ScriptRig } from './scriptRig.ts';

const ADD = 'tools.mcp__notes__add_note';

describe('a script', () => {
  it('returns what its calls gave, and says how many there were', async () => {
    const rig = await ScriptRig.on();
    rig.serve = async () => ({ content: [{ type: 'text', text: '{"notes":[{"n":1},{"n":2}]}' }] });
    const source = 'const { notes } = await tools.mcp__notes__list_notes(); return notes.map(({ n }) => n * 2);';
    equal(await rig.script(source), '[2,4]\n(1 call)');
    equal(rig.asked.length, 0, 'what only reads runs');
  });

  it('gets structured content, whatever the text beside it says, and the digits of ids', async () => {
    const rig = await ScriptRig.on();
    const source = 'return await tools.mcp__notes__list_notes();';
    const gets = async (result: Partial<ToolCallResult>): Promise<unknown> => {
      rig.serve = async () => result;
      const [first = ''] = (await rig.script(source)).split('\n(1 call');
      return JSON.parse(first);
    };
    const text = (said: string): ToolCallResult['content'] => [{ type: 'text', text: said }];
    const structuredContent = { items: [1, 2.5], id: exactNumber('12345678901234567890'), at: exactNumber('1.0') };
    const value = { items: [1, 2.5], id: '12345678901234567890', at: 1 };
    for (const said of ['', 'There are two.', '{"items":[1,2.5],"id":12345678901234567890,"at":1.0}'])
      deepEqual(await gets({ content: text(said), structuredContent }), value, said);
    const exact = '[{"id":12345678901234567890,"size":0.12345678901234567890,"n":9007199254740991,"e":1e3}]';
    deepEqual(await gets({ content: text(exact) }), [
      { id: '12345678901234567890', size: 0.12345678901234568, n: 9007199254740991, e: 1000 },
    ]);
  });

  it('is asked about once, with all calls that wait, and goes on where it stopped', async () => {
    const rig = await ScriptRig.on();
    const source = `
      const before = await tools.mcp__notes__list_notes({});
      const results = await Promise.all(['a', 'b', 'c'].map((title) => ${ADD}({ title })));
      return [before, results.length, await tools.mcp__notes__list_notes({}), Math.random() === Math.random()];`;
    equal(await rig.script(source), '["ran list_notes",3,"ran list_notes",false]\n(5 calls)');
    deepEqual(rig.shown, [[{ title: 'a' }, { title: 'b' }, { title: 'c' }]]);
    rig.wrote('a', 'b', 'c');
    equal(rig.ran.length, 5, 'nothing that was answered is called again');
  });

  it('reads on while a write waits, so that the question is about as much as it can be', async () => {
    const rig = await ScriptRig.on();
    const source = `
      const first = ${ADD}({ title: 'first' });
      for (let i = 0; i < 3; i += 1) await tools.mcp__notes__list_notes({});
      return await Promise.all([first, ${ADD}({ title: 'second' })]);`;
    equal(await rig.script(source), '["ran add_note","ran add_note"]\n(5 calls)');
    deepEqual(rig.shown, [[{ title: 'first' }, { title: 'second' }]]);
  });

  it('has two questions where the second call depends on the first', async () => {
    const rig = await ScriptRig.on();
    rig.serve = async (name, { title }) => ({ content: [{ type: 'text', text: `${name} ${title as string}` }] });
    const source = `const one = await ${ADD}({ title: 'one' }); return await ${ADD}({ title: one + '!' });`;
    equal(await rig.script(source), 'add_note add_note one!\n(2 calls)');
    deepEqual(rig.shown, [[{ title: 'one' }], [{ title: 'add_note one!' }]]);
  });

  it('ends with a denial, and what the user says reaches the model', async () => {
    const rig = await ScriptRig.on();
    rig.answer = { deny: 'not in this folder' };
    const source = `try { await ${ADD}({ title: 'a' }); } catch {} return 'went on';`;
    match(
      await rig.script(source),
      /denied the script’s calls\. None .* No call of it ran\. The user says: not in this/,
    );
    rig.wrote();
  });

  it('catches what a tool throws, and reads why', async () => {
    const rig = await ScriptRig.on();
    rig.serve = async () => ({ content: [{ type: 'text', text: 'no such note' }], isError: true });
    const source = 'try { await tools.mcp__notes__list_notes(); } catch (error) { return error.message; }';
    match(await rig.script(source), /list_notes failed: no such note\n\(1 call, 1 failed\)/);
  });

  it('waits for what it didn’t await', async () => {
    const rig = await ScriptRig.on();
    equal(await rig.script(`${ADD}({ title: 'a' }); return 'done';`), 'done\n(1 call)');
    rig.wrote('a');
  });

  it('gets wrong arguments back as an error that says what to correct', async () => {
    const rig = await ScriptRig.on();
    match(await rig.script(`await ${ADD}({ titel: 'a' })`), /The script failed: Error: [^]*titel/);
    match(await rig.script(`await ${ADD}('a')`), /must be one object/);
    match(await rig.script('await tools.mcp__notes__add_notes({})'), /mcp__notes__add_note/);
  });

  it('says where it is wrong', async () => {
    const rig = await ScriptRig.on();
    match(await rig.script('const a = 1;\nlet b = ;'), /SyntaxError: .*script\.js:2/);
    match(await rig.script('const a = 1;\nthrow new TypeError("odd");'), /TypeError: odd \(script\.js:2/);
    match(await rig.script('await new Promise(() => {})'), /waits for something that never happens/);
  });

  it('plans in plan mode what makes changes', async () => {
    const rig = await ScriptRig.on();
    await rig.calls.plan.setOn(true);
    match(await rig.script(`return await ${ADD}({ title: 'a' })`), /Plan mode is on: mcp__notes__add_note did not run/);
    deepEqual(rig.calls.plan.queue.map(({ args }) => args), [{ title: 'a' }]); // prettier-ignore
    equal(rig.asked.length, 0);
  });

  it('is in the history with its calls, and is a call in progress', async () => {
    const rig = await ScriptRig.on({ settings: { historyContent: true } });
    let live: readonly string[] = [];
    rig.answer = () => {
      live = rig.calls.inProgress.all.map(({ name, phase }) => `${name} ${phase}`);
      return 'once';
    };
    await rig.script(`await ${ADD}({ title: 'a' }); return 'done'`);
    deepEqual(live, ['mcp_run_script running', 'mcp__notes__add_note asking']);
    const [call, script] = rig.calls.history.entries;
    equal(script?.tool, 'mcp_run_script');
    match(script?.args ?? '', /add_note/);
    equal(script?.content, 'done\n(1 call)');
    equal(call?.script, script?.script);
    match(call?.script ?? '', /^script-\d+$/);
  });

  it('ends when the user cancels it', async () => {
    const rig = await ScriptRig.on();
    rig.answer = () => {
      const [script] = rig.calls.inProgress.all;
      if (script) rig.calls.inProgress.cancel(script);
      return 'once';
    };
    match(await rig.script(`await ${ADD}({ title: 'a' })`), /The user cancelled mcp_run_script/);
    rig.wrote();
  });

  it('has limits, and says which one it met', async () => {
    const rig = await ScriptRig.on();
    const limits: readonly (readonly [string, RegExp])[] = [
      [`await ${ADD}({ title: 'x'.repeat(2e6) })`, /the arguments of a call, or of all of them, were too large/],
      [`for (let n = 0; n < 17; n += 1) ${ADD}({ title: 'x'.repeat(1e6) })`, /or of all of them, were too large/],
      ['x'.repeat(65 * 1024), /at most 65536 characters/],
    ];
    for (const [source, said] of limits) match(await rig.script(source), said);
  }).timeout(60_000);
});
