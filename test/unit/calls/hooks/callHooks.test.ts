import { strict as assert } from 'node:assert';
import { HookMatcher, hookNamesOf } from '../../../../src/calls/hooks/hookMatcher.ts';
import { readHooks } from '../../../../src/calls/hooks/hookSettings.ts';
import { readExit } from '../../../../src/calls/hooks/runHook.ts';
import type { CallSettings } from '../../../../src/calls/callSettings.ts';
import { Rig } from '../rig.ts';

const NODE = JSON.stringify(process.execPath);
const script = (code: string): string => `${NODE} -e ${JSON.stringify(code)}`;
const hooks = (
  event: string,
  command: string,
  matcher = '*',
  source: 'user' | 'workspace' = 'user',
): Partial<CallSettings> => ({
  hooks: readHooks({ [event]: [{ matcher, hooks: [{ type: 'command', command, timeout: 1 }] }] }, source),
});
const say = (answer: object): string =>
  script(`console.log(JSON.stringify(${JSON.stringify(answer).replaceAll('"', "'")}))`);
const pre = (more: object): object => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...more } });

describe('hooks', function () {
  this.timeout(20_000);

  it('are read in the shape of Claude Code’s settings, with at most ten seconds each', () => {
    const { PreToolUse } = readHooks(
      {
        PreToolUse: [
          { matcher: 'a|b', hooks: [{ type: 'command', command: 'x', timeout: 600 }, { type: 'prompt' }, 1] },
        ],
        Stop: [],
      },
      'user',
    );
    assert.deepEqual(PreToolUse, [
      { matcher: 'a|b', hooks: [{ command: 'x', timeoutMs: 10_000 }], source: 'user', isPartial: true },
    ]);
  });

  it('fit whole names by regular expressions: the callable, the configured, and the real tool’s', () => {
    const shown = { name: 'add', inputSchema: {}, annotations: {} };
    const tool = {
      name: 'mcp__my-notes-x1__add',
      serverId: 'id',
      serverName: 'My Notes (a)',
      serverPart: 'my-notes-x1',
      configuredName: 'My Notes',
    };
    const fits = (matcher: string, more: object = {}): boolean =>
      new HookMatcher(matcher).fits(hookNamesOf({ ...tool, tool: shown, ...more }));
    for (const matcher of [
      ...['', '*', '.*', 'mcp__.*', 'mcp__my-notes-x1__add', 'mcp__My Notes__add', 'mcp__My_Notes__.*'],
      ...[
        'mcp__.*__add',
        '^mcp__.*__add$',
        'Edit|mcp__My Notes__add',
        '(mcp__a|mcp__My Notes)__(add|write)',
        '.*add.*',
      ],
    ])
      assert.ok(fits(matcher), matcher);
    for (const matcher of [
      'mcp__my-notes-x1__*',
      'mcp__my notes__add',
      'add',
      'mcp__My Notes',
      'mcp__My Notes__ad',
      'Bash',
    ])
      assert.ok(!fits(matcher), matcher);
    const underlying = { ...shown, name: 'create' };
    for (const matcher of ['mcp__my-notes-x1__create', 'mcp__My Notes__create', 'mcp__My Notes__add'])
      assert.ok(fits(matcher, { underlying }), matcher);
  });

  it('block with exit code 2, and the model is told what they wrote on stderr', async () => {
    const rig = new Rig({ settings: hooks('PreToolUse', script("console.error('not on Fridays'); process.exit(2)")) });
    assert.match(await rig.fails('denied', 'list_notes'), /a hook denied it: not on Fridays/);
    assert.deepEqual(rig.ran, []);
  });

  it('get the call as JSON on stdin', async () => {
    const code = `let t='';process.stdin.on('data',d=>t+=d).on('end',()=>{const i=JSON.parse(t);console.error(i.hook_event_name,i.tool_name,i.tool_input.title);process.exit(2)})`;
    const rig = new Rig({ settings: hooks('PreToolUse', script(code)) });
    assert.match(await rig.fails('denied', 'delete_note', { title: 'a' }), /PreToolUse mcp__notes__delete_note a/);
  });

  it('run in a folder of their own or, those of the workspace, in the project’s; both find it where hooks look', async () => {
    const command = `echo "$CLAUDE_PROJECT_DIR in $PWD" >&2; exit 2`;
    const folder = process.cwd();
    const ofWorkspace = new Rig({ settings: hooks('PreToolUse', command, '*', 'workspace') });
    assert.ok((await ofWorkspace.fails('denied', 'list_notes')).includes(`${folder} in ${folder}`));
    const own = await new Rig({ settings: hooks('PreToolUse', command) }).fails('denied', 'list_notes');
    assert.ok(own.includes(`${folder} in `) && !own.includes(`in ${folder}`), own);
  });

  it('get the environment that a server of their scope gets, without the editor’s own variables and, in a workspace, without its secrets', async () => {
    const before = { ...process.env };
    Object.assign(process.env, { VSCODE_IPC_HOOK: 'of-the-editor', SWITCHBOARD_TEST_TOKEN: 'of-the-person' });
    try {
      const command = `echo "[$VSCODE_IPC_HOOK|$SWITCHBOARD_TEST_TOKEN]" >&2; exit 2`;
      const said = async (scope?: 'workspace'): Promise<string> =>
        new Rig({ settings: hooks('PreToolUse', command, '*', scope) }).fails('denied', 'list_notes');
      assert.match(await said(), /\[\|of-the-person\]/);
      assert.match(await said('workspace'), /\[\|\]/);
    } finally {
      for (const name of ['VSCODE_IPC_HOOK', 'SWITCHBOARD_TEST_TOKEN'])
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    }
  });

  it('replace the arguments, which are validated again and shown in the question', async () => {
    const rig = new Rig({ settings: hooks('PreToolUse', say(pre({ updatedInput: { title: 'other' } }))) });
    rig.answer = 'once';
    await rig.call('delete_note', { title: 'a' });
    assert.deepEqual(rig.ran, [['delete_note', { title: 'other' }]]);
    assert.deepEqual(rig.asked[0]?.args, { title: 'other' });
    const wrong = new Rig({ settings: hooks('PreToolUse', say(pre({ updatedInput: { titel: 1 } }))) });
    await wrong.fails('invalid-arguments', 'list_notes');
  });

  it('of the user can allow and ask; of a workspace they can only tighten; rules stay above', async () => {
    const allow = say(pre({ permissionDecision: 'allow' }));
    const own = new Rig({ settings: hooks('PreToolUse', allow) });
    await own.call('delete_note');
    own.settings = { ...own.settings, rules: [{ tool: '*', action: 'ask', source: 'workspace' }] };
    await own.fails('denied', 'delete_note');
    const theirs = new Rig({ settings: hooks('PreToolUse', allow, '*', 'workspace') });
    await theirs.fails('denied', 'delete_note');
    const ask = new Rig({ settings: hooks('PreToolUse', say(pre({ permissionDecision: 'ask' })), '*', 'workspace') });
    await ask.fails('denied', 'list_notes');
    assert.equal(ask.asked.length, 1);
  });

  it('that fail block before a call, or are ignored where that is set', async () => {
    for (const command of [script('process.exit(3)'), script('setInterval(() => {}, 1000)')]) {
      const rig = new Rig({ settings: hooks('PreToolUse', command) });
      assert.match(await rig.fails('denied', 'list_notes'), /a PreToolUse hook failed/);
      rig.settings = { ...rig.settings, hookFailure: 'ignore' };
      await rig.call('list_notes');
    }
  });

  it('after the call replace the result, add to it, and are reported when they fail', async () => {
    const output = { hookSpecificOutput: { updatedMCPToolOutput: 'instead', additionalContext: 'beside' } };
    const rig = new Rig({ settings: hooks('PostToolUse', say(output)) });
    assert.equal(await rig.call('list_notes'), 'instead\nbeside');
    const failing = new Rig({ settings: hooks('PostToolUse', script('process.exit(1)')) });
    assert.match(await failing.call('list_notes'), /ran list_notes\n\(a PostToolUse hook failed/);
    const blocking = new Rig({ settings: hooks('PostToolUse', script("console.error('no'); process.exit(2)")) });
    assert.match(await blocking.call('list_notes'), /ran list_notes\n\(a hook rejected this result: no\)/);
  });

  it('of another extension can tighten, and one that throws blocks', async () => {
    const rig = new Rig();
    const hook = rig.calls.hooks.register({
      event: 'PreToolUse',
      matcher: 'mcp__notes__list_.*',
      run: async () => ({ decision: 'deny', reason: 'by code' }),
    });
    assert.match(await rig.fails('denied', 'list_notes'), /by code/);
    hook.dispose();
    const throwing = rig.calls.hooks.register({
      event: 'PreToolUse',
      matcher: '',
      run: async () => Promise.reject(new Error('oops')),
    });
    assert.match(await rig.fails('denied', 'list_notes'), /oops/);
    throwing.dispose();
    const allowing = rig.calls.hooks.register({
      event: 'PreToolUse',
      matcher: '',
      run: async () => ({ decision: 'allow' }),
    });
    await rig.fails('denied', 'delete_note');
    allowing.dispose();
  });

  it('of another extension are named, see a copy, and fail where they answer in another shape', async () => {
    const rig = new Rig();
    const register = (run: () => unknown): { dispose(): void } =>
      rig.calls.hooks.register({ event: 'PreToolUse', matcher: '', owner: 'some.one', run: run as () => undefined });
    const denying = register(() => ({ decision: 'deny', reason: 'not now' }));
    assert.match(await rig.fails('denied', 'list_notes'), /a hook denied it: not now, extension some\.one/);
    denying.dispose();
    for (const answer of ['yes', { decision: 'yes' }, { input: 'x' }, [1]]) {
      const odd = register(() => answer);
      assert.match(await rig.fails('denied', 'list_notes'), /a PreToolUse hook failed/, JSON.stringify(answer));
      odd.dispose();
    }
    const meddling = rig.calls.hooks.register({
      event: 'PreToolUse',
      matcher: '',
      run: ({ tool_input: input }) => {
        (input as { title: string }).title = 'changed';
      },
    });
    await rig.call('list_notes', { title: 'a' });
    assert.deepEqual(rig.ran.at(-1), ['list_notes', { title: 'a' }]);
    meddling.dispose();
    const renaming = register(() => ({ input: { title: 'other' } }));
    await rig.call('list_notes', { title: 'a' });
    assert.deepEqual(rig.ran.at(-1), ['list_notes', { title: 'other' }]);
    renaming.dispose();
  });

  it('answers in the older form count too', () => {
    const read = (stdout: object): unknown =>
      readExit({ code: 0, stdout: JSON.stringify(stdout), stderr: '' }, 'PreToolUse');
    assert.deepEqual(read({ decision: 'block', reason: 'r' }), {
      kind: 'said',
      verdict: { decision: 'deny', reason: 'r' },
    });
    assert.deepEqual(read({ decision: 'approve' }), { kind: 'said', verdict: { decision: 'allow' } });
    assert.deepEqual(read({ continue: false, stopReason: 's' }), {
      kind: 'said',
      verdict: { decision: 'deny', reason: 's' },
    });
    assert.deepEqual(readExit({ code: 0, stdout: '{', stderr: '' }, 'PreToolUse').kind, 'failed');
  });

  for (const [decision, answer] of [
    ['ask', { decision: 'allow', permission: 'ask' }],
    ['ask', { hookSpecificOutput: { permissionDecision: 'allow' }, permission: 'ask' }],
    ['ask', { hookSpecificOutput: { permissionDecision: 'allow', decision: 'ask' } }],
    ['ask', { permissionDecision: 'defer', decision: 'ask' }],
    ['deny', { permissionDecision: 'defer', decision: 'ask', permission: 'deny' }],
    ['deny', { hookSpecificOutput: { permissionDecision: 'ask' }, decision: 'block' }],
    ['allow', { hookSpecificOutput: { permissionDecision: 'allow' }, decision: 'approve' }],
    [undefined, { permissionDecision: 'defer' }],
    [undefined, { decision: 'approve', permission: 'defer' }],
  ] as const)
    it(`of several decisions in one answer the strictest counts: ${JSON.stringify(answer)}`, () => {
      const outcome = readExit({ code: 0, stdout: JSON.stringify(answer), stderr: '' }, 'PreToolUse');
      assert.deepEqual(outcome, { kind: 'said', verdict: decision === undefined ? {} : { decision } });
    });
});
