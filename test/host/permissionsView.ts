import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { PermissionNode } from '../../src/ui/permissions/permissionsTree.ts';
import { withShown } from './shown.ts';
import { closeQuestions, eventually, exportsOf, viewNamed, withSetting } from './support.ts';
import { groupOf } from './viewText.ts';

const run = (id: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(`mcpSwitchboard.${id}`, ...args);

async function permissionNode(text: string): Promise<PermissionNode> {
  const { permissions } = await exportsOf();
  const groups = await permissions.getChildren();
  const nodes = (await Promise.all(groups.map((group) => permissions.getChildren(group)))).flat();
  const node = nodes.find(({ row }) => row?.spoken.includes(text));
  assert.ok(node, `there is a row ${text}`);
  return node;
}

export function permissionsViewSuite(): void {
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

    it('a row opens where it is set', async () => {
      await run('openPermission', await permissionNode('Server memory'));
      const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('it is open');
      assert.match(document.uri.path, /\.mcp\.json$/);
      assert.match(document.lineAt(selection.active.line).text, /"memory"/);
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
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
      const rows = await groupOf('permissions', 'Approved Tools, Prompts and Skills');
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
