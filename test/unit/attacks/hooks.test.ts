import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import { SwitchboardError } from '../../../src/base/errors.ts';
import { fitsDialog } from '../../../src/bridge/dialogs/dialogLines.ts';
import { MemoryStore } from '../../../src/base/keyValueStore.ts';
import { PLAN_LIMITS, type PlannedCall } from '../../../src/calls/plan/planMode.ts';
import { planText } from '../../../src/calls/plan/planText.ts';
import type { CallSettings } from '../../../src/calls/callSettings.ts';
import { readHooks } from '../../../src/calls/hooks/hookSettings.ts';
import { readCustomTools } from '../../../src/config/rules/customTools.ts';
import { Rig, tool, type RigOptions } from '../calls/rig.ts';

const { signal } = new AbortController();
const rigs: Rig[] = [];

function rigWith(options: RigOptions = {}): Rig {
  const rig = new Rig(options);
  rigs.push(rig);
  return rig;
}

/** Settings with a hook of the user before calls. */
function hooked(command: string, matcher = '', more: Partial<CallSettings> = {}): Partial<CallSettings> {
  return { hooks: readHooks({ PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] }, 'user'), ...more };
}

/** A command that runs JavaScript, which has the hook's input as `i`, and `say` for its answer. */
function script(code: string): string {
  const whole =
    `let t='';process.stdin.on('data',d=>t+=d).on('end',()=>{const i=JSON.parse(t);` +
    `const say=x=>console.log(JSON.stringify({hookSpecificOutput:x}));${code}})`;
  return `${JSON.stringify(process.execPath)} -e ${JSON.stringify(whole)}`;
}

async function planning(store = new MemoryStore()): Promise<Rig> {
  const rig = rigWith({ store });
  await rig.calls.plan.setOn(true);
  return rig;
}

/** Sections of docs/security.md: every row has a test of its title, and every test a row. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, () => Promise<void> | void>>>> = {
  'What was shown is what is done': {
    'A call joins the plan while the question whether to run it is open': async () => {
      const rig = await planning();
      await rig.call('add_note', { title: 'shown' });
      const shown = rig.calls.plan.queue;
      await rig.call('delete_all');
      assert.deepEqual(await rig.calls.runPlan(shown, signal), { ran: 1 });
      assert.deepEqual(rig.ran, [['add_note', { title: 'shown' }]]);
      assert.deepEqual(
        rig.calls.plan.queue.map(({ tool }) => tool),
        ['mcp__notes__delete_all'],
      );
    },

    'A planned call is changed, removed or started again after it was shown': async () => {
      const rig = await planning();
      await rig.call('add_note', { title: 'shown' });
      const shown = rig.calls.plan.queue;
      const [first] = shown;
      assert.ok(first);
      await rig.calls.plan.update(first.id, { args: { title: 'other' } });
      assert.match(String((await rig.calls.runPlan(shown, signal)).error), /changed or removed after it was shown/);
      const edited = rig.calls.plan.queue;
      await rig.calls.plan.clear();
      assert.match(String((await rig.calls.runPlan(edited, signal)).error), /changed or removed after it was shown/);
      assert.deepEqual(rig.ran, []);
      await rig.call('add_note', { title: 'twice' });
      const { queue } = rig.calls.plan;
      const [one, other] = await Promise.all([rig.calls.runPlan(queue, signal), rig.calls.runPlan(queue, signal)]);
      assert.equal(one.ran + other.ran, 1);
      assert.equal(rig.ran.length, 1);
    },

    'The end of a planned call’s arguments is out of sight': () => {
      const planned = (args: PlannedCall['args']): PlannedCall => ({
        id: '1',
        at: 1,
        tool: 'mcp__notes__add_note',
        serverName: 'no\u202Etes',
        args,
      });
      const long = { title: `${'a'.repeat(100_000)} rm -rf ~`, token: 'ghp_'.padEnd(40, 'x'), last: '\u200B' };
      const text = planText([planned({ title: 'a' }), planned(long)]);
      for (const part of ['rm -rf ~', long.token, '\\u{200b}', '\\u{202e}', '2. mcp__notes__add_note'])
        assert.ok(text.toLowerCase().includes(part), part);
      assert.ok(!fitsDialog(text), 'it is shown in a document');
      assert.ok(!fitsDialog(planText(Array.from({ length: 20 }, () => planned({ title: 'a' })))));
      assert.ok(fitsDialog(planText([planned({ title: 'a' })])));
    },

    'A stored call doesn’t say what its tool was': async () => {
      const store = new MemoryStore();
      const call = { id: '1', at: 1, tool: 'mcp__notes__delete_note', serverName: 'notes', args: {} };
      await store.set('plan.queue', [call]);
      const rig = rigWith({ store });
      const { ran, error } = await rig.calls.runPlan(rig.calls.plan.queue, signal);
      assert.equal(ran, 0);
      assert.match(String(error), /doesn’t say what this tool was/);
      assert.equal(rig.asked[0]?.lasting, false);
      assert.deepEqual(rig.ran, []);
      rig.answer = 'once';
      rig.serve = async () => Promise.reject(new SwitchboardError('call-timeout', 'no answer'));
      await rig.fails('call-timeout', 'delete_note');
      rig.answer = 'deny';
      const [failed] = rig.calls.failedCalls.all;
      assert.ok(failed);
      const { stamp: _, ...unstamped } = failed;
      await assert.rejects(rig.calls.retryFailed(unstamped, signal), /doesn’t say what this tool was/);
      assert.equal(rig.ran.length, 1);
    },

    'An agent fills the plan': async () => {
      const rig = await planning();
      for (let count = 0; count < PLAN_LIMITS.calls; count++) await rig.call('add_note', { title: String(count) });
      assert.match(await rig.fails('denied', 'add_note', { title: 'more' }), /the plan is full.*ask the user/s);
      assert.equal(rig.calls.plan.queue.length, PLAN_LIMITS.calls);
      const large = await planning();
      await large.fails('denied', 'add_note', { title: 'a'.repeat(PLAN_LIMITS.bytes) });
      assert.deepEqual(large.calls.plan.queue, []);
      const store = new MemoryStore();
      const [one] = rig.calls.plan.queue;
      await store.set(
        'plan.queue',
        Array.from({ length: 1_000 }, (_, id) => ({ ...one, id: String(id) })),
      );
      assert.equal(rigWith({ store }).calls.plan.queue.length, PLAN_LIMITS.calls);
    },
  },

  'Hooks can’t be missed': {
    'A matcher that can’t be read, or that fits nothing': async () => {
      const none = script('process.exit(0)');
      for (const matcher of [
        ...['[', '(', 'a)|(?:b', '*add*', '+', '(?<x', '\\'],
        ...['mcp__notes__*', 'mcp__notes', 'notes', 'MCP__Notes__.*', 'mcp__notse__.*', 'mcp__note__list_notes'],
        ...['mcp__(nots|gone)__.*', 'mcp__notes__lst_notes', 'list_notes', 'mcp__not*', 'Bash|mcp__notes__lis'],
      ]) {
        const rig = rigWith({ settings: hooked(none, matcher) });
        await rig.fails('denied', 'list_notes');
        assert.match(rig.asked[0]?.reason ?? '', /a hook requires confirmation: a hook/, matcher);
        const [problem, ...more] = await rig.calls.hooks.problems(rig.known);
        assert.ok(problem?.message.includes(`"${matcher}"`) && problem.fix, matcher);
        assert.deepEqual(more, []);
      }
      // What names another server guards nothing of this one, and what fits any tool is as it was meant.
      for (const [matcher, problems] of [
        ['mcp__elsewhere__.*', 1],
        ['Bash', 1],
        ['mcp__notes__delete_.*', 0],
        ['mcp__notes__resources/read', 0],
        ['', 0],
      ] as const) {
        const rig = rigWith({ settings: hooked(none, matcher) });
        await rig.call('list_notes');
        assert.equal((await rig.calls.hooks.problems(rig.known)).length, problems, matcher);
      }
      // Of a server whose tools aren't known yet, nothing is said.
      const rig = rigWith({ settings: hooked(none, 'mcp__later__write') });
      assert.equal((await rig.calls.hooks.problems({ ...rig.known, servers: () => ['notes', 'later'] })).length, 0);
    },

    'A matcher whose pattern takes for ever': async () => {
      const rig = rigWith({ settings: hooked(script('process.exit(0)'), '(.+)+x|(\\w+_?)*!') });
      rig.catalog.setServer('id', 'notes', [
        tool('l'.repeat(45), { readOnlyHint: true, openWorldHint: false }),
        tool('m'.repeat(45), { readOnlyHint: true, openWorldHint: false }),
      ]);
      const began = performance.now();
      await rig.fails('denied', 'l'.repeat(45));
      await rig.fails('denied', 'm'.repeat(45));
      assert.match(rig.asked[1]?.reason ?? '', /takes too long/);
      // Only to compile the first takes many seconds.
      for (const [matcher, why] of [
        [`${'l?'.repeat(40)}${'l'.repeat(40)}`, /too complex/],
        [`.*__${'l{0,9}'.repeat(20)}`, /too complex/],
        [`.*__${'(l|ll)'.repeat(40)}x`, /takes too long/],
        [`mcp__notes__(${'a|'.repeat(2_000)})`, /too complex/],
      ] as const) {
        const other = rigWith({ settings: hooked(script('process.exit(0)'), matcher) });
        other.catalog.setServer('id', 'notes', [tool('l'.repeat(45), { readOnlyHint: true, openWorldHint: false })]);
        await other.fails('denied', 'l'.repeat(45));
        assert.match(other.asked[0]?.reason ?? '', why);
      }
      assert.ok(performance.now() - began < 5_000);
    },

    'A hook is for the tool that a custom or renamed one calls': async () => {
      const see = script('console.error(i.tool_name, JSON.stringify(i.tool_input));process.exit(2)');
      const rules = {
        overrides: new Map([['add_note', { name: 'jot', fixedArguments: { token: 'bound' } }]]),
        customTools: readCustomTools({
          wipe: {
            description: 'Wipes',
            tool: 'delete_note',
            inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
            arguments: { title: 'all of {{what}}' },
          },
        }).tools,
      };
      for (const [name, args, matcher, seen, configuredName] of [
        ['jot', { title: 'a' }, 'mcp__notes__add_note', 'mcp__notes__add_note {"title":"a","token":"bound"}'],
        ['wipe', { what: 'it' }, '.*__delete_.*', 'mcp__notes__delete_note {"title":"all of it"}'],
        ['wipe', { what: 'it' }, 'mcp__notes__wipe', 'mcp__notes__delete_note {"title":"all of it"}'],
        // By the callable name, where its server's part is another than the configured name.
        [
          'wipe',
          { what: 'it' },
          'mcp__notes__delete_note',
          'mcp__notes__delete_note {"title":"all of it"}',
          'notes-mcp',
        ],
      ] as const) {
        const rig = rigWith({ settings: hooked(see, matcher) });
        rig.answer = 'once';
        const configured = configuredName === undefined ? {} : { configuredName };
        rig.catalog.setServer('id', 'notes', [tool('add_note', {}), tool('delete_note', {})], { rules, ...configured });
        assert.ok((await rig.fails('denied', name, args)).includes(seen), seen);
        assert.deepEqual(rig.ran, []);
        rig.settings = { ...rig.settings, ...hooked(script("say({updatedInput:{title:'changed'}})"), matcher) };
        await rig.call(name, args);
        assert.deepEqual(rig.ran[0]?.[1], { title: 'changed' }, 'it changes what the server gets');
      }
    },

    'A hook allows a call, and another changes it': async () => {
      const allow = {
        type: 'command',
        command: script("if(i.tool_input.title==='a')say({permissionDecision:'allow'})"),
      };
      const deny = { type: 'command', command: script("if(i.tool_input.title==='b')say({permissionDecision:'deny'})") };
      const change = { type: 'command', command: script("say({updatedInput:{title:'b'}})") };
      const run = (hooks: readonly object[]): Rig =>
        rigWith({ settings: { hooks: readHooks({ PreToolUse: [{ hooks }] }, 'user') } });
      await run([allow]).call('delete_note', { title: 'a' });
      const asked = run([allow, change]);
      await asked.fails('denied', 'delete_note', { title: 'a' });
      assert.deepEqual(asked.asked[0]?.args, { title: 'b' });
      assert.match(await run([deny, change]).fails('denied', 'delete_note', { title: 'a' }), /a hook denied it/);
      assert.match(await run([allow, change, deny]).fails('denied', 'delete_note', { title: 'a' }), /a hook denied it/);
      // The one that changes it may allow what it made of it.
      const both = { type: 'command', command: script("say({permissionDecision:'allow',updatedInput:{title:'b'}})") };
      const own = run([both]);
      await own.call('delete_note', { title: 'a' });
      assert.deepEqual(own.ran, [['delete_note', { title: 'b' }]]);
    },

    'Hooks that change a call back and forth': async () => {
      let runs = 0;
      const changing = (rig: Rig, titleOf: () => string): { dispose(): void } =>
        rig.calls.hooks.register({
          event: 'PreToolUse',
          matcher: '',
          run: () => {
            runs += 1;
            return { input: { title: titleOf() } };
          },
        });
      const rig = rigWith();
      const hooks = ['a', 'b'].map((title) => changing(rig, () => title));
      assert.match(await rig.fails('denied', 'list_notes'), /hooks change the arguments again and again/);
      assert.equal(runs, 10);
      for (const hook of hooks) hook.dispose();
      // One that makes something else of it each time has seen what it made.
      const single = changing(rig, () => String(runs));
      await rig.call('list_notes');
      assert.deepEqual(rig.ran, [['list_notes', { title: '11' }]]);
      single.dispose();
    },

    'A hook changes a call that the user started': async () => {
      const rig = await planning();
      await rig.call('add_note', { title: 'shown' });
      rig.settings = { ...rig.settings, ...hooked(script("say({updatedInput:{title:'other'}})")) };
      const { queue } = rig.calls.plan;
      assert.match(String((await rig.calls.runPlan(queue, signal)).error), /The user denied/);
      assert.deepEqual(rig.asked[0]?.args, { title: 'other' });
      assert.deepEqual(rig.ran, []);
    },

    'A hook puts another address into a request': async () => {
      const rig = rigWith({ settings: hooked(script("say({updatedInput:{uri:'https://evil.example/?x'}})")) });
      const read = { serverId: 'id', method: 'resources/read', surface: 'test', signal } as const;
      await assert.rejects(rig.calls.broker.request({ ...read, params: { uri: 'file:///a' } }), /The user denied/);
      assert.equal(rig.asked[0]?.openWorld, true);
    },

    'A hook whose script is missing': async () => {
      const node = JSON.stringify(process.execPath);
      for (const command of [
        'no-such-command-at-all',
        './no-such-script.sh',
        `${node} no-such-script.mjs`,
        `${node} "$CLAUDE_PROJECT_DIR/no such script.mjs" --x`,
        `${node} ~/no-such-folder/check.ts`,
      ])
        for (const hookFailure of ['block', 'ignore'] as const) {
          const rig = rigWith({ settings: hooked(command, '', { hookFailure }) });
          await rig.fails('denied', 'list_notes');
          assert.match(rig.asked[0]?.reason ?? '', /a hook requires confirmation: a PreToolUse hook failed/, command);
          rig.answer = 'once';
          await rig.call('list_notes');
        }
      // One that is there and fails is what the setting says.
      const rig = rigWith({ settings: hooked(`${node} ${JSON.stringify(import.meta.filename)} x`) });
      await rig.fails('denied', 'list_notes');
      assert.deepEqual(rig.asked, []);
    },

    'A hook’s answer that can’t be read, or that stands beside other text': async () => {
      const no =
        '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}';
      const write = (text: string, code = 0): string =>
        script(`process.stdout.write(${JSON.stringify(text).replaceAll("'", '\\u0027')});process.exitCode=${code}`);
      const rules = [{ tool: 'mcp__notes__*', action: 'allow', source: 'user' }] as const;
      const run = async (command: string, more: Partial<CallSettings> = {}): Promise<string> => {
        const rig = rigWith({ settings: hooked(command, '', { rules, ...more }) });
        const text = await rig.call('delete_note', { title: 'a' }).catch(String);
        return rig.ran.length > 0 ? 'ran' : text;
      };
      for (const text of [no, `BLOCKED\n${no}`, `${no}\ndone`, `[log] ok\n${no}`, `\ufeff${no}`])
        assert.match(await run(write(text)), /a hook denied it: no/, text);
      const both = '{"decision":"block","hookSpecificOutput":{"permissionDecision":"allow"}}';
      // Of fields that disagree, whichever denies.
      for (const text of [
        '{"permissionDecision":"allow","decision":"deny"}',
        '{"permissionDecision":"deny","decision":"approve"}',
      ])
        assert.match(await run(write(text)), /a hook denied it/, text);
      for (const text of ['{"permissionDecision":"deny"}', '{"decision":"deny"}', '{"decision":"block"}', both])
        assert.match(await run(write(text)), /a hook denied it/, text);
      // Said, and then failed.
      assert.match(await run(write(no, 1), { hookFailure: 'ignore' }), /a hook denied it: no/);
      for (const text of [
        ...[no.replace('"deny"', '"DENY"'), no.replace('"deny"', 'true'), no.slice(0, -1), `{}\n${no}`, `[${no},1]`],
        ...['{"decision":"reject"}', '{"decision":"allow","permissionDecision":"dney"}', `"decision": deny`],
      ])
        assert.match(await run(write(text)), /a PreToolUse hook failed: its (output isn’t|decision must)/, text);
      for (const text of ['', 'all is well', '{}', 'checked {a}', '{"decision":null}', '{"decision":"defer"}', '[]'])
        assert.equal(await run(write(text)), 'ran', text);
      assert.match(await run(write('{"decision":"approve","continue":false}')), /a hook denied it/);
    },

    'A hook that says no in another host’s words, or nearly in ours': async () => {
      const run = async (answer: object): Promise<string> => {
        const rules = [{ tool: 'mcp__notes__*', action: 'allow', source: 'user' }] as const;
        const rig = rigWith({
          settings: hooked(script(`console.log(${JSON.stringify(JSON.stringify(answer))})`), '', { rules }),
        });
        const text = await rig.call('delete_note', { title: 'a' }).catch(String);
        return rig.ran.length > 0 ? 'ran' : text;
      };
      assert.match(await run({ permission: 'deny' }), /a hook denied it/);
      for (const answer of [
        { permission: 'no' },
        { continue: 'false' },
        { ok: false },
        { allow: false },
        { approved: false },
        { blocked: true },
        { PermissionDecision: 'deny' },
        { permission_decision: 'deny' },
        { hookSpecificOutput: { Decision: 'block' } },
        { decision: 'allow', denied: true },
      ])
        assert.match(
          await run(answer),
          /a PreToolUse hook failed: its (output has|decision must)/,
          JSON.stringify(answer),
        );
      for (const answer of [{ systemMessage: 'x' }, { continue: true, suppressOutput: true }, { permission: 'allow' }])
        assert.equal(await run(answer), 'ran', JSON.stringify(answer));
    },

    'A hook that isn’t a command': async () => {
      const matcher = 'mcp__notes__.*';
      for (const groups of [
        ...[{ type: 'prompt', prompt: 'Is it safe?' }, { type: 'http', url: 'http://h' }, { type: 'command' }, 1].map(
          (hook) => [{ matcher, hooks: [hook] }],
        ),
        ...[[{ matcher }], [{ matcher, hooks: 'check' }], 'check', [1], { matcher, hooks: { command: 1 } }],
      ]) {
        const hooks = readHooks({ PreToolUse: groups }, 'user');
        const rig = rigWith({ settings: { hooks } });
        await rig.fails('denied', 'list_notes');
        assert.match(rig.asked[0]?.reason ?? '', /a hook can’t be run/);
        assert.equal((await rig.calls.hooks.problems(rig.known)).length, 1);
      }
    },
  },
};

for (const [section, attacks] of Object.entries(SECTIONS)) {
  describe(`attacks: ${section}`, function () {
    this.timeout(20_000);
    afterEach(() => {
      for (const rig of rigs.splice(0)) rig.calls.dispose();
    });
    for (const [title, attack] of Object.entries(attacks)) it(title, async () => attack());

    it('the document has a row for each', () => {
      const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
      const [, rest = ''] = text.split(`\n### ${section}\n`);
      const [table = ''] = rest.split('\n#');
      for (const title of Object.keys(attacks)) assert.ok(table.includes(`\n| ${title} | `), title);
    });
  });
}
