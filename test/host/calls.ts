import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { formWording } from '../../src/bridge/gateway/editor/formWording.ts';
import type { Question } from '../../src/calls/callTypes.ts';
import { eventually, exportsOf, invoke, viewNamed, withSetting, workspaceFile } from './support.ts';

const call = (tool: string, args: object = {}): Promise<string> =>
  invoke('mcp_call_tool', { name: `mcp__notes__${tool}`, arguments: args });

export function callsSuite(): void {
  describe('calls under policy', () => {
    it('a question in a form is made of texts, whatever servers and agents call things', () => {
      const hostile = '[x](command:a) ![i](https://e.vil/i.png) <b> **safe**\n\n# Title';
      const tool = {
        name: 'mcp__a__b',
        serverId: 'a',
        serverName: hostile,
        tool: { name: 'b', title: hostile, description: hostile, inputSchema: { type: 'object' }, annotations: {} },
      };
      const about = {
        tool,
        args: {},
        shownArgs: {},
        reason: 'it may write',
        lasting: false,
        flagged: false,
        warnings: [],
      };
      const question = { ...about, surface: 'outside', caller: hostile.repeat(9) } as unknown as Question;
      const { message } = formWording.choiceOf(question);
      // What stands in a code span is none of it.
      const texts = message.replaceAll(/`[^`]+`/g, '');
      assert.doesNotMatch(texts, /(?<!\\)[[<]|^#|(?<!\\)\*\*safe/m);
      assert.match(message, /agent outside the editor that calls itself/);
      assert.ok(message.length < 2_000);
    });

    it('a user’s rule allows a tool, and one that denies goes before it', async () => {
      const allow = { tool: 'mcp__notes__add_note', action: 'allow' };
      await withSetting('permissions.rules', [allow], async () => {
        assert.match(await call('add_note', { title: 'By rule', text: 'x' }), /Added/);
      });
      await withSetting('permissions.rules', [allow, { tool: 'add_*', action: 'deny', reason: 'no' }], async () => {
        assert.match(await call('add_note', { title: 'By rule', text: 'y' }), /^Denied: .*\(no\)/);
      });
    });

    it('a workspace’s settings can deny and can’t allow', async () => {
      const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
      const rules = [
        { tool: 'mcp__notes__delete_all_notes', action: 'allow' },
        { tool: 'mcp__notes__list_notes', action: 'deny' },
      ];
      await settings.update('permissions.rules', rules, vscode.ConfigurationTarget.Workspace);
      try {
        assert.match(await call('list_notes'), /^Denied: .*a rule in this workspace/);
        const before = fs.readdirSync(workspaceFile('.data/notes').fsPath);
        const pending = call('delete_all_notes');
        let settled = false;
        void pending.finally(() => (settled = true));
        await eventually('the question is closed', async () => {
          await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
          return settled;
        });
        assert.match(await pending, /^The user denied/);
        assert.deepEqual(fs.readdirSync(workspaceFile('.data/notes').fsPath), before);
      } finally {
        await settings.update('permissions.rules', undefined, vscode.ConfigurationTarget.Workspace);
      }
    });

    it('a workspace’s hooks don’t run before they are approved', async () => {
      const marker = workspaceFile('hook-ran').fsPath;
      const settings = vscode.workspace.getConfiguration('mcpSwitchboard');
      const hooks = { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command: `touch '${marker}'` }] }] };
      await settings.update('hooks', hooks, vscode.ConfigurationTarget.Workspace);
      try {
        await call('list_notes');
        assert.ok(!fs.existsSync(marker));
      } finally {
        await settings.update('hooks', undefined, vscode.ConfigurationTarget.Workspace);
      }
    });

    it('a user’s hook blocks with its reason', async () => {
      const command = `echo 'not now' >&2; exit 2`;
      const hooks = { PreToolUse: [{ matcher: 'mcp__notes__list_.*', hooks: [{ type: 'command', command }] }] };
      await withSetting('hooks', hooks, async () => {
        assert.match(await call('list_notes'), /^Denied: a hook denied it: not now/);
      });
      assert.doesNotMatch(await call('list_notes'), /denied/);
    });

    it('a user’s hook after the call is told of it, and the model of what the hook says', async () => {
      const heard = workspaceFile('heard.json').fsPath;
      const command = `cat > '${heard}'; echo 'look at the second note' >&2; exit 2`;
      const hooks = { PostToolUse: [{ matcher: 'mcp__notes__list_.*', hooks: [{ type: 'command', command }] }] };
      await withSetting('hooks', hooks, async () => {
        assert.match(await call('list_notes'), /look at the second note/);
      });
      const input = JSON.parse(fs.readFileSync(heard, 'utf8')) as Readonly<Record<string, unknown>>;
      fs.rmSync(heard);
      assert.deepEqual(
        [input['hook_event_name'], input['tool_name'], 'tool_response' in input],
        ['PostToolUse', 'mcp__notes__list_notes', true],
      );
      assert.doesNotMatch(await call('list_notes'), /second note/);
    });

    it('a server that the user disconnected is out of the lists, and the model is told where it can be started', async () => {
      const { host } = await exportsOf();
      const { id } = (await viewNamed('notes')).definition;
      await host.pool.disconnect(id);
      await assert.rejects(
        call('list_notes'),
        /"notes" is not available. Disconnected. The user can start it: .*Connect/,
      );
      const list = JSON.parse(await invoke('mcp_tool_list', {})) as {
        readonly tools: readonly { readonly server: string }[];
        readonly notReady?: readonly { readonly serverName: string; readonly remedy: string }[];
      };
      assert.ok(list.tools.every(({ server }) => server !== 'notes'));
      assert.match(list.notReady?.find(({ serverName }) => serverName === 'notes')?.remedy ?? '', /Connect/);
      await host.pool.connect(id);
      assert.match(await call('list_notes'), /note/i);
    });

    it('a result over the limit is read in parts', async () => {
      const file = workspaceFile('large-for-test.txt').fsPath;
      const whole = Array.from({ length: 2_000 }, (_, index) => `line ${index}`).join('\n');
      fs.writeFileSync(file, whole);
      await withSetting('maxResultTokens', 500, async () => {
        const text = await invoke('mcp_call_tool', {
          name: 'mcp__filesystem__read_text_file',
          arguments: { path: file },
        });
        const [, uri = '', offset = '0'] = /"uri": "([^"]+)", "offset": (\d+)/.exec(text) ?? [];
        assert.ok(uri, text.slice(0, 300));
        const part = await invoke('mcp_read_resource', { uri, offset: Number(offset), length: 100 });
        assert.ok(part.startsWith(whole.slice(Number(offset), Number(offset) + 100)));
      });
      fs.rmSync(file);
    });

    it('a resource that a result links to is read on demand', async () => {
      const rules = [{ tool: 'mcp__everything__*', action: 'allow' }];
      await withSetting('permissions.rules', rules, async () => {
        const links = await invoke('mcp_call_tool', {
          name: 'mcp__everything__get-resource-links',
          arguments: { count: 1 },
        });
        const [, input] = /mcp_read_resource: (\{[^\n]+\})/.exec(links) ?? [];
        assert.ok(input, links);
        assert.match(await invoke('mcp_read_resource', JSON.parse(input) as object), /resource/i);
      });
      await withSetting('permissions.rules', [{ tool: '*resources/read', action: 'deny' }], async () => {
        assert.match(await invoke('mcp_read_resource', { server: 'everything', uri: 'demo://x' }), /^Denied: /);
      });
      await assert.rejects(invoke('mcp_read_resource', { uri: 'demo://x' }), /no connected server/);
      await assert.rejects(
        invoke('mcp_read_resource', { uri: 'switchboard-result:../../x' }),
        /Stored result .* not found/,
      );
    });

    it('plan mode queues a write, and running the plan runs it', async () => {
      const { host } = await exportsOf();
      await vscode.commands.executeCommand('mcpSwitchboard.togglePlanMode');
      assert.equal(host.calls.plan.on, true);
      assert.match(await call('add_note', { title: 'From the plan', text: 'x' }), /Plan mode is on/);
      await vscode.commands.executeCommand('mcpSwitchboard.togglePlanMode');
      const notes = (): string => fs.readdirSync(workspaceFile('.data/notes').fsPath).join();
      assert.ok(!notes().includes('From the plan'));
      const result = await host.calls.runPlan(host.calls.plan.queue, new AbortController().signal);
      assert.equal(result.ran, 1, String(result.error));
      assert.ok(notes().includes('From'));
    });

    it('the history has every call and why it was decided as it was', async () => {
      const { host } = await exportsOf();
      const reasons = host.calls.history.entries.map(({ decision }) => decision?.reason ?? '');
      for (const part of [
        'a rule in your settings',
        'a rule in this workspace',
        'a hook denied it',
        'marked read-only',
      ])
        assert.ok(
          reasons.some((reason) => reason.includes(part)),
          part,
        );
    });
  });
}
