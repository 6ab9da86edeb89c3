import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import * as vscode from 'vscode';
import { withShown } from './shown.ts';
import { closeQuestions, eventually, invoke, workspaceFile } from './support.ts';

interface SearchAnswer {
  readonly tools: readonly { readonly name: string; readonly effect: string; readonly inputSchema?: object }[];
  readonly total?: number;
  readonly nextCursor?: string;
}

export function lmToolsSuite(): void {
  describe('language model tools', () => {
    it('are registered with the editor', () => {
      const names = vscode.lm.tools.map(({ name }) => name);
      for (const name of ['mcp_tool_search', 'mcp_tool_list', 'mcp_call_tool']) assert.ok(names.includes(name), name);
    });

    it('mcp_tool_search finds a tool and gives its schema', async () => {
      const answer = JSON.parse(await invoke('mcp_tool_search', { query: 'delete a note' })) as SearchAnswer;
      assert.equal(answer.tools[0]?.name, 'mcp__notes__delete_note');
      assert.equal(answer.tools[0]?.effect, 'destructive');
      assert.ok(answer.tools[0]?.inputSchema);
      assert.ok(answer.tools.filter((tool) => tool.inputSchema).length <= 5);
    });

    it('mcp_tool_search takes a pattern, and answers a broken one with why', async () => {
      const answer = JSON.parse(await invoke('mcp_tool_search', { query: '^list_', regex: true })) as SearchAnswer;
      assert.ok(answer.tools.some(({ name }) => name === 'mcp__notes__list_notes'));
      await assert.rejects(invoke('mcp_tool_search', { query: '(', regex: true }), /regular expression|pattern/i);
    });

    it('mcp_tool_list gives all tools, and those of one server', async () => {
      const all = JSON.parse(await invoke('mcp_tool_list', {})) as SearchAnswer;
      assert.ok((all.total ?? 0) > 30);
      const notes = JSON.parse(await invoke('mcp_tool_list', { server: 'notes' })) as SearchAnswer;
      assert.equal(notes.total, 4);
    });

    it('a server is named as it is configured, in any case; one that there isn’t is said to be none', async () => {
      for (const server of ['notes', 'NOTES']) {
        const list = JSON.parse(await invoke('mcp_tool_list', { server })) as SearchAnswer;
        assert.equal(list.total, 4, server);
        const found = JSON.parse(await invoke('mcp_tool_search', { query: 'file', server })) as SearchAnswer;
        assert.ok(found.tools.every(({ name }) => name.startsWith('mcp__notes__')));
      }
      for (const name of ['mcp_tool_list', 'mcp_tool_search'])
        await assert.rejects(
          invoke(name, { ...(name.endsWith('search') ? { query: 'x' } : {}), server: 'nots' }),
          /no MCP server "nots".*Servers with tools are: .*notes/,
        );
    });

    it('mcp_call_tool calls a read-only tool with no question', async () => {
      assert.match(await invoke('mcp_call_tool', { name: 'mcp__notes__list_notes', arguments: {} }), /note/i);
    });

    it('says what to fix when it is called wrongly', async () => {
      await assert.rejects(invoke('mcp_call_tool', { arguments: {} }), /required property "name"/);
      await assert.rejects(
        invoke('mcp_call_tool', { name: 'mcp__notes__list_note' }),
        /Did you mean mcp__notes__list_notes/,
      );
      await assert.rejects(
        invoke('mcp_call_tool', { name: 'mcp__notes__delete_note', arguments: { titel: 'x' } }),
        /required property "title" \("titel" is not a property\)/,
      );
    });

    it('asks in a quick pick where there is no chat; closing it denies', async () => {
      const notes = workspaceFile('.data/notes').fsPath;
      const before = fs.readdirSync(notes);
      assert.ok(before.length > 0);
      const call = invoke('mcp_call_tool', { name: 'mcp__notes__delete_all_notes', arguments: {} });
      await closeQuestions(call);
      assert.match(await call, /^The user denied .*destructive/);
      assert.deepEqual(fs.readdirSync(notes), before);
    });

    it('a cancelled call closes its question, and nothing runs', async () => {
      const before = fs.readdirSync(workspaceFile('.data/notes').fsPath);
      const cancellation = new vscode.CancellationTokenSource();
      await withShown(async (shown) => {
        const call = vscode.lm.invokeTool(
          'mcp_call_tool',
          { input: { name: 'mcp__notes__delete_all_notes', arguments: {} }, toolInvocationToken: undefined },
          cancellation.token,
        );
        await eventually('it asks', () => shown.lists > 0);
        cancellation.cancel();
        await Promise.allSettled([call]);
      });
      assert.deepEqual(fs.readdirSync(workspaceFile('.data/notes').fsPath), before);
      cancellation.dispose();
    });

    it('gives an image as data', async () => {
      const result = await vscode.lm
        .invokeTool('mcp_call_tool', {
          input: { name: 'mcp__everything__get-tiny-image', arguments: {} },
          toolInvocationToken: undefined,
        })
        .then(
          (value) => value,
          (error: unknown) => Promise.reject(error),
        );
      assert.ok(result.content.some((part) => part instanceof vscode.LanguageModelDataPart));
    });
  });
}
