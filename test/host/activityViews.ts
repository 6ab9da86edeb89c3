import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { systemClock } from '../../src/base/clock.ts';
import type { ActivityNode } from '../../src/ui/activity/activityNodes.ts';
import { withShown } from './shown.ts';
import { groupOf } from './viewText.ts';
import { closeQuestions, eventually, exportsOf, withSetting } from './support.ts';

const run = (id: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`mcpSwitchboard.${id}`, ...args);

async function activityNode(isIt: (node: ActivityNode) => boolean): Promise<ActivityNode> {
  const { activity } = await exportsOf();
  const groups = await activity.getChildren();
  const nodes = (await Promise.all(groups.map((group) => activity.getChildren(group)))).flat();
  const node = nodes.find(isIt);
  assert.ok(node, 'there is such a row');
  return node;
}

export function activityViewsSuite(): void {
  describe('the view Activity', () => {
    const call = async (tool: string, args: object, ending = new AbortController()): Promise<string> => {
      const { host } = await exportsOf();
      const name = `mcp__notes__${tool}`;
      const asked = { name, args: args as Record<string, never>, surface: 'editor', signal: ending.signal } as const;
      const { parts } = await host.broker.call(asked);
      return parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
    };

    before(async () => {
      const { host } = await exportsOf();
      host.calls.history.clear();
      await host.calls.failedCalls.clear();
      await host.calls.plan.clear();
    });

    it('a call that ran, with its server, duration and time, and who asked for it', async () => {
      await call('list_notes', {});
      assert.deepEqual(await groupOf('activity', 'Recent Calls'), [
        '[check] list_notes | notes · <duration> · <time> {explainable repeatable} “list_notes on notes, Succeeded, <time>”',
      ]);
    });

    it('a call that was denied differs from one that ran in icon, text and speech', async () => {
      await withSetting('permissions.rules', [{ tool: 'delete_*', action: 'deny' }], () =>
        assert.rejects(call('delete_note', { title: 'x' })),
      );
      assert.equal(
        (await groupOf('activity', 'Recent Calls'))[0],
        '[circle-slash] delete_note | notes · Denied · <time> {explainable repeatable} “delete_note on notes, Denied, <time>”',
      );
    });

    it('a call that asks waits for the user; cancelled, it is gone, the question is closed, and nothing ran', async () => {
      const { host } = await exportsOf();
      const ended = call('delete_all_notes', {}).catch((error: unknown) => String(error));
      await eventually('it asks', async () => (await groupOf('activity', 'Waiting for You')).length > 0);
      assert.deepEqual(await groupOf('activity', 'Waiting for You'), [
        '[question] delete_all_notes | notes · waiting for your answer {cancellable} “delete_all_notes on notes, waiting for your answer, since <time>”',
      ]);
      await run('cancelCall', await activityNode(({ kind }) => kind === 'live'));
      assert.match(await ended, /The user cancelled mcp__notes__delete_all_notes\. It did not run\./);
      assert.deepEqual(host.calls.inProgress.all, []);
      assert.deepEqual(await groupOf('activity', 'Waiting for You'), []);
      assert.match(
        (await groupOf('activity', 'Recent Calls'))[0] ?? '',
        /^\[stop-circle\] delete_all_notes .* Cancelled/,
      );
    });

    it('a running call is seen with the time since it runs, and its cancelling reaches the server', async () => {
      const rules = [{ tool: 'mcp__everything__*', action: 'allow' }];
      await withSetting('permissions.rules', rules, async () => {
        const { host } = await exportsOf();
        const name = 'mcp__everything__trigger-long-running-operation';
        const { signal } = new AbortController();
        const args = { duration: 60, steps: 2 };
        const ended = host.broker.call({ name, args, surface: 'editor', signal }).then(String, String);
        await eventually('it runs', async () => (await groupOf('activity', 'Running'))[0]?.includes('sync~spin'));
        assert.deepEqual(await groupOf('activity', 'Running'), [
          '[sync~spin] trigger-long-running-operation | everything · since <time> {cancellable} “trigger-long-running-operation on everything, running, since <time>”',
        ]);
        await run('cancelCall', await activityNode(({ kind }) => kind === 'live'));
        assert.match(await ended, /The user cancelled .*It may have run in part/);
      });
    });

    it('a question of a server waits for the user, in its words', async () => {
      const { host } = await exportsOf();
      const gate = Promise.withResolvers<void>();
      const question = {
        server: { id: 'x', name: 'notes' },
        params: { message: 'Which\nnote?' },
        signal: new AbortController().signal,
      } as unknown as Parameters<typeof host.calls.inProgress.asked>[0];
      const asked = host.calls.inProgress.asked(question, () => gate.promise);
      assert.deepEqual(await groupOf('activity', 'Waiting for You'), [
        String.raw`[comment] notes | Which\nnote? {question} ““notes” asks you something: Which\nnote?”`,
      ]);
      // Nothing of ours shows it: it is asked where its call came from.
      await withShown(async ({ messages }) => {
        await run('showQuestion', await activityNode(({ kind }) => kind === 'question'));
        assert.deepEqual(
          messages.map(({ text }) => text),
          ['“notes” asks in the chat. Answer there.'],
        );
      });
      await vscode.commands.executeCommand('notifications.clearAll');
      gate.resolve();
      await asked;
      assert.deepEqual(await groupOf('activity', 'Waiting for You'), []);
      await withShown(async ({ messages }) => {
        await run('showQuestion');
        assert.equal(messages[0]?.text, 'No server asks anything.');
      });
      await vscode.commands.executeCommand('notifications.clearAll');
    });

    it('the plan: shown while plan mode is on or a call waits; run and discarded from its row', async () => {
      const { host } = await exportsOf();
      assert.deepEqual(await groupOf('activity', 'Plan'), []);
      await run('togglePlanMode');
      await call('add_note', { title: 'Later', text: 'x' });
      await run('togglePlanMode');
      assert.deepEqual(await groupOf('activity', 'Plan (plan mode is off)'), [
        '[circle-outline] add_note | {"title":"Later","text":"x"} {planned} “Planned call of add_note on notes”',
      ]);
      await run('planDiscard', await activityNode(({ kind }) => kind === 'planned'));
      assert.deepEqual(host.calls.plan.queue, []);
    });

    it('a planned call’s arguments open in an editor; all are discarded after a question, and where there are none, that is said', async () => {
      const { host } = await exportsOf();
      const planned = { at: 0, tool: 'mcp__notes__add_note', serverName: 'notes' };
      for (const title of ['One', 'Two']) await host.calls.plan.add({ ...planned, args: { title } });
      await run('planEdit', await activityNode(({ kind }) => kind === 'planned'));
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /"title": "One"/);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await withShown(async (shown) => {
        const answers = [undefined, 'Discard All'];
        shown.answer = ({ buttons }) =>
          buttons.includes('Discard All') ? Promise.resolve(answers.shift()) : undefined;
        await run('planDiscardAll');
        assert.equal(host.calls.plan.queue.length, 2, 'closed: nothing is discarded');
        await run('planDiscardAll');
        assert.deepEqual(host.calls.plan.queue, []);
        await run('planDiscardAll');
        assert.deepEqual(
          shown.messages.map(({ text }) => text),
          ['Discard 2 planned calls?', 'Discard 2 planned calls?', 'No planned calls.'],
        );
        await vscode.commands.executeCommand('notifications.clearAll');
      });
    });

    it('all failed calls are discarded after a question, and where there are none, that is said', async () => {
      const { host } = await exportsOf();
      const failed = { at: 0, tool: 'mcp__notes__add_note', serverName: 'notes', args: {}, attempts: 1, error: 'x' };
      for (let each = 0; each < 2; each++) await host.calls.failedCalls.add(failed);
      await withShown(async (shown) => {
        const answers = [undefined, 'Discard All'];
        shown.answer = ({ buttons }) =>
          buttons.includes('Discard All') ? Promise.resolve(answers.shift()) : undefined;
        await run('discardFailedCalls');
        assert.equal(host.calls.failedCalls.all.length, 2, 'closed: nothing is discarded');
        await run('discardFailedCalls');
        assert.deepEqual(host.calls.failedCalls.all, []);
        await run('discardFailedCalls');
        assert.deepEqual(
          shown.messages.map(({ text }) => text),
          ['Discard 2 failed calls?', 'Discard 2 failed calls?', 'No failed calls.'],
        );
        await vscode.commands.executeCommand('notifications.clearAll');
      });
    });

    it('what became of a call is said in words, those of the other views', async () => {
      const { host } = await exportsOf();
      const { history } = host.calls;
      await call('list_notes', {});
      const last = history.entries.at(-1) ?? assert.fail();
      const results = { 'needs-auth': 'Needs sign-in', 'http-status': 'HTTP error', exited: 'Server exited' } as const;
      for (const [result, words] of Object.entries(results)) {
        history.add({ ...last, result: result as keyof typeof results });
        const [row = ''] = await groupOf('activity', 'Recent Calls');
        assert.match(row, new RegExp(`list_notes \\| notes · ${words} · .*, ${words}, `));
      }
    });

    it('a failed call: with its error, run again and discarded from its row', async () => {
      const { host } = await exportsOf();
      const args = { title: 'x' };
      const failed = { at: systemClock.now(), tool: 'mcp__notes__add_note', serverName: 'notes', args, attempts: 2 };
      await host.calls.failedCalls.add({ ...failed, error: 'the server\u202e fell' });
      assert.deepEqual(await groupOf('activity', 'Failed Calls'), [
        String.raw`[error] add_note | notes · the server\u{202e} fell {failedCall repeatable} “add_note on notes, failed, 2 attempts, the server\u{202e} fell”`,
      ]);
      await run('discardFailedCall', await activityNode(({ kind }) => kind === 'failed'));
      assert.deepEqual(await groupOf('activity', 'Failed Calls'), []);
    });

    it('hostile names and arguments stay text', async () => {
      const { activity, host } = await exportsOf();
      const add = { at: 0, tool: 'mcp__notes__a\nb', serverName: '[x](command:y)', args: { a: '$(eye)\u202e' } };
      await host.calls.plan.add(add);
      const item = await activity.getTreeItem(await activityNode(({ kind }) => kind === 'planned'));
      assert.equal(item.label, String.raw`a\nb`);
      assert.match(String(item.description), /\\u\{202e\}/);
      const { value, isTrusted } = item.tooltip as vscode.MarkdownString;
      assert.ok(!isTrusted && !/(?<!\\)\[x\]\(/.test(value), value);
      await host.calls.plan.clear();
    });

    it('draws anew only the group with another row, and nothing while it is hidden', async () => {
      const { activity, host } = await exportsOf();
      const { history } = host.calls;
      const again = (): void => void history.add(history.entries.at(-1) ?? assert.fail());
      await vscode.commands.executeCommand('mcpSwitchboard.activity.focus');
      await eventually('it is visible', () => activity.view.visible);
      await activity.getChildren();
      const drawn: string[] = [];
      const listening = activity.onDidChangeTreeData((nodes) => {
        const all = nodes === undefined ? [] : [nodes].flat();
        drawn.push(all.map((node) => (node.kind === 'group' ? node.group : node.kind)).join() || 'all');
      });
      try {
        // The editor may read the rows by itself just then.
        await eventually('it is drawn', () => {
          if (drawn.length === 0) again();
          return drawn.length > 0;
        });
        assert.deepEqual([...new Set(drawn)], ['recent']);
        await vscode.commands.executeCommand('workbench.view.explorer');
        await eventually('it is hidden', () => !activity.view.visible);
        drawn.length = 0;
        again();
        await vscode.commands.executeCommand('mcpSwitchboard.activity.focus');
        await eventually('it is shown as it is now', () => drawn.length > 0);
        assert.deepEqual(drawn, ['recent']);
      } finally {
        listening.dispose();
      }
    });

    it('is bounded: fifty calls, and a row for the rest that opens the history', async () => {
      const { host } = await exportsOf();
      for (let each = 0; each < 60; each++) await call('list_notes', {});
      const rows = await groupOf('activity', 'Recent Calls');
      assert.equal(rows.length, 51);
      assert.match(rows.at(-1) ?? '', new RegExp(`^\\[ellipsis\\] ${host.calls.history.entries.length - 50} more…`));
    });

    it('the reason of a decision is said, and the record of a call is a read-only tab', async () => {
      const node = await activityNode((each) => each.kind === 'entry');
      await withShown(async ({ messages }) => {
        void run('explainCall', node);
        await eventually('it is said', () =>
          messages.some(({ text }) => text.startsWith('list_notes: Allowed: this tool')),
        );
        assert.deepEqual(messages[0]?.buttons, ['Show Details', 'Manage Permissions…']);
        await vscode.commands.executeCommand('notifications.clearAll');
      });
      await run('showCall', node);
      const shown = vscode.window.activeTextEditor?.document;
      assert.match(shown?.getText() ?? '', /^# mcp__notes__list_notes\n\n- Why: Allowed: /);
      assert.ok(shown && !shown.isDirty && !shown.isUntitled);
    });

    it('from the palette each command offers the calls, or says that there are none', async () => {
      await withShown(async (shown) => {
        for (const id of ['showCall', 'explainCall', 'runAgain']) {
          const lists = shown.lists;
          const pending = run(id);
          await eventually(`${id} lists the calls`, () => shown.lists > lists);
          await closeQuestions(pending);
        }
        const none = {
          cancelCall: 'No calls are running.',
          planRun: 'No planned calls.',
          planDiscard: 'No planned calls.',
        };
        for (const [id, text] of Object.entries(none)) {
          await run(id);
          assert.equal(shown.messages.at(-1)?.text, text);
        }
        await vscode.commands.executeCommand('notifications.clearAll');
      });
    });
  });
}
