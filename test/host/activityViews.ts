import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { systemClock } from '../../src/base/clock.ts';
import type { ActivityNode } from '../../src/ui/activity/activityNodes.ts';
import type { PermissionNode } from '../../src/ui/permissions/permissionsTree.ts';
import { withShown } from './shown.ts';
import { treeText } from './viewText.ts';
import { closeQuestions, eventually, exportsOf, viewNamed, withSetting } from './support.ts';

const run = (id: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`mcpSwitchboard.${id}`, ...args);

/** The rows of one group, without their indentation. */
async function groupOf(view: 'activity' | 'permissions', label: string): Promise<string[]> {
  const { activity, permissions } = await exportsOf();
  const text = view === 'activity' ? await treeText(activity) : await treeText(permissions);
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.includes(`${label} | `) && !line.startsWith(' '));
  if (start < 0) return [];
  const rows = lines.slice(start + 1);
  const end = rows.findIndex((line) => !line.startsWith(' '));
  return rows.slice(0, end < 0 ? undefined : end).map((line) => line.trim());
}

async function activityNode(isIt: (node: ActivityNode) => boolean): Promise<ActivityNode> {
  const { activity } = await exportsOf();
  const groups = await activity.getChildren();
  const nodes = (await Promise.all(groups.map((group) => activity.getChildren(group)))).flat();
  const node = nodes.find(isIt);
  assert.ok(node, 'there is such a row');
  return node;
}

async function permissionNode(text: string): Promise<PermissionNode> {
  const { permissions } = await exportsOf();
  const groups = await permissions.getChildren();
  const nodes = (await Promise.all(groups.map((group) => permissions.getChildren(group)))).flat();
  const node = nodes.find(({ row }) => row?.spoken.includes(text));
  assert.ok(node, `there is a row ${text}`);
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
        String.raw`[comment] notes | Which\nnote? ““notes” asks you something: Which\nnote?”`,
      ]);
      gate.resolve();
      await asked;
      assert.deepEqual(await groupOf('activity', 'Waiting for You'), []);
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
        again();
        await eventually('it is drawn', () => drawn.length > 0);
        assert.deepEqual(drawn, ['recent']);
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

  describe('the view Permissions', () => {
    before(async () => {
      const { host } = await exportsOf();
      for (const { id } of host.grants.all) await host.grants.revoke(id);
      for (const each of host.grants.openWorld) await host.grants.revokeOpenWorld(each);
    });

    async function grant(args?: Record<string, string>): Promise<void> {
      const { host } = await exportsOf();
      const { definition } = await viewNamed('notes');
      const { GrantPins } = await import('../../src/calls/policy/grantPins.ts');
      const tool = host.catalog.find('mcp__notes__add_note');
      assert.ok(tool);
      const { id: serverId, fingerprint } = definition;
      const key = { serverId, fingerprint, tool: 'add_note', pin: new GrantPins().pinOf(tool) };
      await host.grants.grantAlways({ key, serverName: 'notes', at: 0, ...(args ? { args } : {}) });
    }

    it('a grant is named by its tool and server, not by its arguments alone', async () => {
      await grant({ title: 'Alpha' });
      assert.deepEqual(await groupOf('permissions', 'Allowed by You'), [
        '[pass] add_note on notes | always, in this workspace · only with { "title": "Alpha" } {revocable openable} “Allowed: add_note on notes, always, in this workspace, only with the arguments { "title": "Alpha" }”',
      ]);
    });

    it('revoked from its row and undone by a command, it is as it was', async () => {
      const { host } = await exportsOf();
      const before = host.grants.all;
      await withShown(async ({ messages }) => {
        await run('revokePermission', await permissionNode('Alpha'));
        assert.deepEqual(messages, [{ text: 'Revoked: add_note on notes', buttons: ['Undo'] }]);
        assert.deepEqual(host.grants.all, []);
        await run('undoRevoke');
        assert.deepEqual(host.grants.all, before);
        await run('undoRevoke');
        assert.equal(messages.at(-1)?.text, 'Nothing was revoked in this window.');
        await vscode.commands.executeCommand('notifications.clearAll');
      });
    });

    it('a grant that does nothing says so: the approval mode asks anyway', () =>
      withSetting('approvalMode', 'askAlways', async () => {
        const [row = ''] = await groupOf('permissions', 'Allowed by You');
        assert.match(row, /^\[warning\] add_note on notes .*no effect: the approval mode asks for every call/);
      }));

    it('rules with their source and reason, and what is wrong with them', async () => {
      const rules = [
        { tool: 'mcp__notes__get_*', action: 'allow' },
        { tool: '*', args: { path: '*.env' }, action: 'deny', reason: 'secrets' },
        { tool: '*', action: 'allow' },
      ];
      await withSetting('permissions.rules', rules, async () => {
        assert.deepEqual(await groupOf('permissions', 'Rules'), [
          '[pass] Allow mcp__notes__get_* | your settings {openable} “Rule: Allow mcp__notes__get_*, your settings”',
          '[circle-slash] Deny * | only with {"path":"*.env"} · your settings · secrets {openable} “Rule: Deny *, only with {"path":"*.env"}, your settings, secrets”',
        ]);
        const [problem = ''] = await groupOf('permissions', 'Problems');
        assert.match(problem, /^\[warning\] Rule 3: An "allow" rule must name its server in full\. \| your settings/);
      });
    });

    it('approvals with their source; revoked, the server stops; undone, it runs again without a question', async () => {
      const { host } = await exportsOf();
      const rows = await groupOf('permissions', 'Server Approvals');
      assert.ok(
        rows.includes(
          '[pass] memory | approved · project, .mcp.json {revocable openable} “Server memory, approved, project, .mcp.json”',
        ),
        rows.join('\n'),
      );
      await run('revokePermission', await permissionNode('Server memory'));
      assert.equal((await viewNamed('memory')).definition.status.kind, 'needs-approval');
      await run('undoRevoke');
      const { id } = (await viewNamed('memory')).definition;
      await eventually('it is connected', () => host.view(id)?.state.kind === 'connected');
      await vscode.commands.executeCommand('notifications.clearAll');
    });

    it('what was approved of tools is listed by server', async () => {
      const rows = await groupOf('permissions', 'Approved Tools and Prompts');
      assert.ok(
        rows.some((row) => /^\[pinned\] notes \| \d tools? \{openable\} “Approved definitions of notes, /.test(row)),
        rows.join('\n'),
      );
    });

    it('hooks of the workspace: they wait, are approved, revoked, and undone', async () => {
      const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
      const hooks = { PreToolUse: [{ matcher: 'nothing', hooks: [{ type: 'command', command: 'true' }] }] };
      await settings.update('hooks', hooks, vscode.ConfigurationTarget.Workspace);
      try {
        const waiting = await groupOf('permissions', 'Hooks');
        assert.deepEqual(waiting, [
          '[shield] Hooks of this workspace | need approval {openable} “Hooks of this workspace, need approval”',
        ]);
        assert.match((await groupOf('activity', 'Waiting for You'))[0] ?? '', /^\[terminal\] Hooks of this workspace/);
      } finally {
        await settings.update('hooks', undefined, vscode.ConfigurationTarget.Workspace);
      }
    });

    it('Manage Permissions, Manage Approvals and Revoke offer a list', () =>
      withShown(async (shown) => {
        for (const id of ['managePermissions', 'manageApprovals', 'revokePermission', 'showMenu']) {
          const lists = shown.lists;
          const pending = run(id);
          await eventually(`${id} shows a list`, () => shown.lists > lists);
          await closeQuestions(pending);
        }
      }));
  });
}
