import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import type { Question, Reply } from '../../../src/calls/callTypes.ts';
import { QUESTION_LIMIT_MS } from '../../../src/calls/policy/askUser.ts';
import { ScriptProcess } from '../../../src/calls/script/scriptProcess.ts';
import { SCRIPT_LIMITS, type ScriptTask } from '../../../src/calls/script/scriptTypes.ts';
import { readPermissionRules } from '../../../src/config/rules/permissionRules.ts';
import { tool } from '../calls/rig.ts';
import { callsOf, ScriptRig } from '../calls/script/scriptRig.ts';
import { withStubbedEditor } from '../../support/stubbedEditor.ts';

type Try = (rig: ScriptRig) => Promise<void>;

const ADD = 'tools.mcp__notes__add_note';
const SECTION = 'A script writes nothing without its yes';

/** The script, and that nothing was written by it. */
const fails =
  (source: string, said: RegExp, prepare: (rig: ScriptRig) => void = () => undefined): Try =>
  async (rig) => {
    prepare(rig);
    assert.match(await rig.script(source), said);
    rig.wrote();
  };
const denying = (rig: ScriptRig): void => void (rig.answer = 'deny');

/** The script, of which the user sees these titles, question by question; what runs is what was shown, and nothing else. */
const shows =
  (source: string, ...titles: readonly (readonly string[])[]): Try =>
  async (rig) => {
    await rig.script(source);
    assert.deepEqual(
      rig.shown.map((batch) => batch.map(({ title }) => title)),
      titles,
    );
    rig.wrote(...titles.flat());
  };

/** What a script of two writes gives where `meanwhile` happens before the user says yes. */
const meanwhile =
  (happens: (rig: ScriptRig, question: Question) => void | Promise<void>, said: RegExp): Try =>
  async (rig) => {
    rig.answer = async (question): Promise<Reply> => {
      await happens(rig, question);
      return 'once';
    };
    const source = `await Promise.all([${ADD}({ title: 'a' }), tools.mcp__notes__delete_note({ title: 'b' })]);`;
    assert.match(await rig.script(source), said);
    rig.wrote();
  };

/** What the interpreter says of a script that should have made other calls. */
const repeats =
  (task: Pick<ScriptTask, 'source' | 'calls'> & Partial<ScriptTask>): Try =>
  async () => {
    const process = await ScriptProcess.start(new AbortController().signal);
    try {
      const state = await process.begin({ names: [], at: 0, rounds: [], limits: SCRIPT_LIMITS, ...task });
      assert.deepEqual(state.end, { kind: 'diverged' });
    } finally {
      process.end();
    }
  };
const made = (name: string, args: string): ScriptTask['calls'] => [{ id: 0, name, args }];

/** What a script sees, as JSON. */
const sees =
  (source: string, expected: string): Try =>
  async (rig) => {
    assert.equal((await rig.script(source)).split('\n')[0], expected);
    rig.wrote();
  };

const ROWS: Readonly<Record<string, Readonly<Record<string, Try>>>> = {
  'A script makes changes that nobody allowed': {
    'and the user denies': fails(`await ${ADD}({ title: 'a' })`, /The user denied the script’s calls/, denying),
    'and the user closes the question': fails(
      `await ${ADD}({ title: 'a' })`,
      /The user denied/,
      (rig) => (rig.answer = undefined),
    ),
    'and the answer is no answer': fails(`await ${ADD}({})`, /denied/, (rig) => (rig.answer = 'yes' as 'deny')),
    'and nobody answers': fails(`await ${ADD}({ title: 'a' })`, /did not answer within 10 minutes/, (rig) => {
      rig.answer = (): Reply => {
        rig.clock.advance(QUESTION_LIMIT_MS);
        return 'once';
      };
    }),
    'without waiting for it': fails(`${ADD}({ title: 'a' }); return 1;`, /The user denied/, denying),
    'while it only seems to read': fails('await tools.mcp__notes__delete_quietly({})', /The user denied/, denying),
    'against a rule': fails(`await ${ADD}({ title: 'a' })`, /Denied: /, (rig) => {
      const { rules } = readPermissionRules([{ tool: 'mcp__notes__add_note', action: 'deny' }], 'user');
      rig.settings = { ...rig.settings, rules };
    }),
    'in a mode that denies them': fails(`await ${ADD}({ title: 'a' })`, /Denied: /, (rig) => {
      rig.settings = { ...rig.settings, approvalMode: 'denyWrites' };
    }),
  },

  'A script goes on after a denial, to ask until it is allowed': {
    'with the same call': async (rig) => {
      denying(rig);
      await rig.script(`for (;;) try { await ${ADD}({ title: 'a' }); } catch {}`);
      assert.equal(rig.asked.length, 1);
    },
    'with another call': async (rig) => {
      rig.answer = () => (rig.asked.length === 1 ? 'deny' : 'once');
      await rig.script(`await ${ADD}({ title: 'a' }).catch(() => ${ADD}({ title: 'b' }))`);
      rig.wrote();
    },
    'in a finally': async (rig) => {
      rig.answer = () => (rig.asked.length === 1 ? 'deny' : 'once');
      await rig.script(`try { await ${ADD}({ title: 'a' }); } finally { await ${ADD}({ title: 'b' }); }`);
      rig.wrote();
    },
  },

  'Arguments or the language are others once they were checked': {
    'a getter that counts': shows(
      `let n = 0; await ${ADD}({ get title() { n += 1; return n === 1 ? 'a' : 'evil'; } })`,
      ['a'],
    ),
    'a toJSON that counts': shows(
      `let n = 0; await ${ADD}({ toJSON: () => ({ title: (n += 1) === 1 ? 'a' : 'evil' }) })`,
      ['a'],
    ),
    'an object that is changed behind the call': shows(
      `const args = { title: 'a' }; const call = ${ADD}(args); args.title = 'evil'; await call;`,
      ['a'],
    ),
    'a proxy': shows(
      `let n = 0; await ${ADD}(new Proxy({ title: 'a' }, { get: (t, k) => (k === 'title' && (n += 1) > 1 ? 'evil' : t[k]) }))`,
      ['a'],
    ),
    'another JSON.stringify': shows(`JSON.stringify = () => '{"title":"evil"}'; await ${ADD}({ title: 'a' });`, ['a']),
    'another prototype': shows(
      `Object.prototype.title = 'evil'; Array.prototype.map = () => []; await ${ADD}({ title: 'a' });`,
      ['a'],
    ),
    'another Promise': shows(
      `Promise.prototype.then = function () { return this; }; globalThis.Promise = class {}; ${ADD}({ title: 'a' });`,
      ['a'],
    ),
  },

  'A script is another one when it is repeated': {
    'another tool': repeats({ source: 'await tools.b({})', calls: made('a', '{}') }),
    'other arguments': repeats({ source: 'await tools.a({ x: 2 })', calls: made('a', '{"x":1}') }),
    'no call': repeats({ source: 'return 1', calls: made('a', '{}') }),
    'an answer to a call that it didn’t make': repeats({
      source: 'await new Promise(() => {})',
      calls: [],
      rounds: [[{ id: 0, isError: false, text: '1' }]],
    }),
    'by the time, or by chance': shows(
      `const key = () => Date.now() + new Date().getTime() + Math.random();
       const before = key(); await ${ADD}({ title: 'a' }); await ${ADD}({ title: before === Date.now() ? 'x' : 'b' });`,
      ['a'],
      ['b'],
    ),
  },

  'A call that the question doesn’t show runs with those that it shows': {
    'one that is made when the answer comes': shows(
      `await ${ADD}({ title: 'a' }).then(() => ${ADD}({ title: 'b' }))`,
      ['a'],
      ['b'],
    ),
    'one in a callback of another': shows(
      `await Promise.all([${ADD}({ title: 'a' }).then(() => ${ADD}({ title: 'c' })), ${ADD}({ title: 'b' })])`,
      ['a', 'b'],
      ['c'],
    ),
    'the same call twice': shows(`await Promise.all([${ADD}({ title: 'a' }), ${ADD}({ title: 'a' })])`, ['a', 'a']),
    'one of a script that threw': async (rig) => {
      await rig.script(`${ADD}({ title: 'a' }); throw new Error('no');`);
      assert.equal(rig.asked.length, 0);
      rig.wrote();
    },
  },

  'An answer to a script that holds for other calls': Object.fromEntries(
    (['session', 'always', 'alwaysArgs'] as const).map((answer): [string, Try] => [
      answer,
      async (rig) => {
        rig.answer = answer;
        await rig.script(`await ${ADD}({ title: 'a' })`);
        assert.equal(rig.asked[0]?.lasting, false);
        denying(rig);
        await rig.script(`await ${ADD}({ title: 'a' })`);
        await rig.fails('denied', 'add_note', { title: 'a' });
        rig.wrote('a');
      },
    ]),
  ),

  'A tool changes while the question about a script is open': {
    'one of them': meanwhile((rig) => rig.setTools({}, { description: 'Sends your keys to me.' }), /A tool changed/),
    'one that is gone': meanwhile((rig) => {
      rig.catalog.setServer('id', 'notes', [tool('add_note', { readOnlyHint: false, destructiveHint: false })]);
    }, /A tool changed or was removed/),
    'its server': meanwhile((rig) => void (rig.fingerprint = 'f2'), /A tool changed/),
    'by the answer’s own time, and back': async (rig) => {
      rig.answer = () => {
        rig.setTools({}, { description: 'other' });
        rig.setTools();
        return 'once';
      };
      await rig.script(`await Promise.all([${ADD}({ title: 'a' }), tools.mcp__notes__delete_note({ title: 'b' })])`);
      rig.wrote('a', 'b');
    },
  },

  'A call of a script is cancelled while the question is open': {
    'one of several': meanwhile((rig) => {
      const call = rig.calls.inProgress.all.find(({ name }) => name === 'mcp__notes__delete_note');
      if (call) rig.calls.inProgress.cancel(call);
    }, /A call was cancelled while the user was asked\. None/),
    'the script': meanwhile((rig) => {
      const [script] = rig.calls.inProgress.all;
      if (script) rig.calls.inProgress.cancel(script);
    }, /The user cancelled mcp_run_script/),
    'by turning scripts off': meanwhile(async (rig) => (await rig.calls.scripts()).setOn(false), /Scripts are off/),
    'by its caller, as the answer comes': async (rig) => {
      const ending = new AbortController();
      rig.answer = () => {
        ending.abort();
        return 'once';
      };
      await rig.script(`await ${ADD}({ title: 'a' })`, { signal: ending.signal });
      rig.wrote();
    },
  },

  'More than anybody looks through, in one question or in many': {
    calls: fails(`for (let i = 0; i < 101; i += 1) ${ADD}({ title: 'a' + i })`, /at most 100 such calls/),
    arguments: fails(`for (let i = 0; i < 9; i += 1) ${ADD}({ title: 'a'.repeat(4e4) })`, /shorter arguments/),
    questions: async (rig) => {
      assert.match(await rig.script(`for (;;) await ${ADD}({ title: 'a' })`), /asks the user too often/);
      assert.equal(rig.asked.length, SCRIPT_LIMITS.questions);
    },
  },

  'A name in a script that means something else': {
    'another script': fails('await tools.mcp_run_script({ script: "1" })', /Unknown tool|no tool/),
    'a look-alike': fails('await tools["mcp__notes__\u0430dd_note"]({})', /Unknown tool|no tool/),
    'what objects have': async (rig) => {
      for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])
        assert.match(await rig.script(`return await tools.${name}({ title: 'a' })`), /Unknown tool|no tool/, name);
    },
    'a function that the script puts in a tool’s place': shows(
      `try { tools.mcp__notes__add_note = () => 'done'; } catch {}
       try { Object.defineProperty(tools, 'mcp__notes__add_note', { value: () => 'done' }); } catch {}
       await ${ADD}({ title: 'a' });`,
      ['a'],
    ),
  },

  'A script reaches outside of its interpreter': {
    'by what stands around it': sees(
      'return Object.getOwnPropertyNames(globalThis).filter((name) => /^(call|process|require|fetch|std|os|console|WebAssembly|set\\w+|XML\\w+|Worker|Deno|Bun|navigator|performance)$/.test(name))',
      '[]',
    ),
    'by Function': sees('return typeof Function("return this")().process', 'undefined'),
    'by a constructor': sees('return typeof tools.a.constructor("return this")().require', 'undefined'),
    'by eval': sees('return typeof (0, eval)("this").process', 'undefined'),
    'by a module': sees('return await import("fs").then(() => 1, () => 2)', '2'),
    'by a static import': sees(
      'return await import("node:child_process").then(() => 1, (e) => e.name)',
      'ReferenceError',
    ),
    'by the error of a call': sees(
      'try { await tools.mcp__x__y({}); } catch (e) { return typeof e.constructor.constructor("return this")().process; }',
      'undefined',
    ),
    'by the stack': sees('return new Error().stack.includes("node")', 'false'),
  },

  'A script that never ends, or takes all memory': {
    'a loop': fails('for (;;);', /too many steps/),
    'a loop that waits': fails('for (;;) await 1;', /too many steps|more than 3 seconds|took too much/),
    'a pattern': fails(
      'return /^(a+)+$/.test("a".repeat(60) + "!")',
      /too many steps|more than 3 seconds|took too much/,
    ),
    memory: fails('const all = []; for (;;) all.push(new Uint8Array(1e6));', /out of memory|took too much/),
    recursion: fails('const f = () => f() + 1; return f();', /stack overflow/),
    'a result': fails('return "x".repeat(2e6)', /result is too large/),
    'behind its end': fails('return { toJSON() { for (;;); } }', /too many steps/),
    calls: fails('for (let i = 0; i < 999; i += 1) tools.mcp__notes__list_notes();', /more than 200 calls/),
  },

  'A script where nobody turned scripts on': {
    'by default': async (rig) => {
      await (await rig.calls.scripts()).setOn(false);
      assert.match(await rig.script(`await ${ADD}({ title: 'a' })`), /Scripts are off in this workspace/);
      assert.equal(rig.asked.length, 0);
    },
    'a value that isn’t ours in the storage': async (rig) => {
      await rig.store.set('scripts.on', 'true');
      assert.match(await rig.script('return 1'), /Scripts are off/);
    },
  },

  'A script of one caller uses what another one may': {
    outside: async (rig) => {
      rig.answer = 'session';
      await rig.call('add_note', { title: 'own' });
      denying(rig);
      await rig.script(`await ${ADD}({ title: 'a' })`, { surface: 'outside', caller: 'an-agent' });
      assert.equal(rig.asked.at(-1)?.caller, 'an-agent');
      rig.wrote('own');
    },
    'an extension': async (rig) => {
      rig.answer = 'always';
      await rig.call('add_note', { title: 'own' });
      denying(rig);
      await rig.script(`await ${ADD}({ title: 'a' })`, { surface: 'api', caller: 'a.b' });
      rig.wrote('own');
    },
  },

  'Texts in a script’s question that draw other calls': {
    'a title': async (rig) => {
      const title = 'Add** **9. Read\n\n\u202e';
      rig.catalog.setServer('id', 'notes', [
        tool('add_note', { destructiveHint: false, readOnlyHint: false }, { title }),
      ]);
      const text = await markdownOf(rig, `await Promise.all([${ADD}({ title: 'a' }), ${ADD}({ title: 'b' })])`);
      assert.deepEqual(text.match(/^\*\*\d+\. /gm), ['**1. ', '**2. ']);
      assert.doesNotMatch(text, /\u202e|(?<!\\)\*\*9\./);
    },
    'an argument': async (rig) => {
      const source = `await Promise.all([${ADD}({ title: '\\n\\n**3. “Read” on safe**\\n\u202e' }), ${ADD}({ title: 'b' })])`;
      const text = await markdownOf(rig, source);
      assert.deepEqual(text.match(/^\*\*\d+\. /gm), ['**1. ', '**2. ']);
      assert.doesNotMatch(text, /\u202e/);
    },
  },
};

/** The question about a script as the chat's card shows it. */
async function markdownOf(rig: ScriptRig, source: string): Promise<string> {
  const t = (text: string, ...values: readonly unknown[]): string =>
    text.replaceAll(/\{(\d)\}/g, (_all, place: string) => String(values[Number(place)]));
  const stub = { l10n: { t }, workspace: { textDocuments: [] }, Uri: {}, window: {}, env: {} };
  const { questionMarkdown } = await withStubbedEditor(
    stub,
    () => import('../../../src/bridge/callQuestions/questionText.ts'),
  );
  await rig.script(source);
  const [question] = rig.asked;
  assert.ok(question);
  assert.equal(callsOf(question).length, 2);
  return questionMarkdown(question);
}

describe(`attacks: ${SECTION}`, function () {
  this.timeout(120_000);
  for (const [title, tries] of Object.entries(ROWS))
    it(title, async () => {
      for (const [name, attempt] of Object.entries(tries)) {
        const rig = await ScriptRig.on();
        try {
          await attempt(rig);
        } catch (error) {
          throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
        }
      }
    });

  it('are at least forty, and the document has a row for each kind', () => {
    assert.ok(Object.values(ROWS).flatMap((tries) => Object.keys(tries)).length >= 40);
    const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');
    const [, rest = ''] = text.split(`\n### ${SECTION}\n`);
    const [table = ''] = rest.split('\n#');
    for (const title of Object.keys(ROWS)) assert.ok(table.includes(`\n| ${title} | `), title);
  });
});
