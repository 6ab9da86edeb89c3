import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { approveDemo, DEMO_SERVERS, exportsOf, itemOf, nodeOf, viewNamed } from './support.ts';

export function treeSuite(): void {
  describe('tree', () => {
    it('shows that a server waits for approval', async () => {
      const item = await itemOf(await nodeOf('notes'));
      assert.equal(item.description, 'Needs approval');
      assert.equal((item.iconPath as vscode.ThemeIcon).id, 'shield');
      assert.match(item.contextValue ?? '', /\bapprovable\b/);
      assert.doesNotMatch(item.contextValue ?? '', /\bconnectable\b/);
    });

    it('shows the servers of the folder, connected once approved', async () => {
      await approveDemo();
      const { tree } = await exportsOf();
      const items = await Promise.all(tree.getChildren().map(itemOf));
      const labels = items.map(({ label }) => label);
      assert.deepEqual(labels.map(String).sort(), DEMO_SERVERS);
      for (const item of items) {
        assert.match(String(item.description), /^\d+ tools$/);
        assert.equal((item.iconPath as vscode.ThemeIcon).id, 'pass-filled');
        assert.match(item.contextValue ?? '', /\bdisconnectable\b.*\brestartable\b/);
        assert.match(item.accessibilityInformation?.label ?? '', /^MCP server \w+, Connected/);
      }
    });

    it('says in the tooltip where a server comes from and what it runs', async () => {
      const tooltip = (await itemOf(await nodeOf('notes'))).tooltip as vscode.MarkdownString;
      const { state } = await viewNamed('notes');
      assert.ok(state.kind === 'connected');
      const expected = [
        ['State', 'Connected'],
        ['Scope', 'project'],
        ['File', '.mcp.json'],
        ['Protocol', state.info.protocolVersion.replaceAll('-', '\\-')],
        ['Process', String(state.info.pid)],
        ['Tools', '4'],
      ];
      for (const [label] of expected) assert.match(tooltip.value, new RegExp(`\\*\\*${label}:\\*\\*.*`));
      for (const [, value] of expected) assert.ok(unescape(tooltip.value).includes(unescape(value ?? '')), value);
    });

    it('marks each tool with what it may do', async () => {
      const { tree } = await exportsOf();
      const items = await Promise.all(tree.getChildren(await nodeOf('notes')).map(itemOf));
      const marks = items.map((item) => [item.label, item.description, (item.iconPath as vscode.ThemeIcon).id]);
      assert.deepEqual(
        marks.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
        [
          ['add_note', 'writes', 'edit'],
          ['delete_all_notes', 'destructive', 'flame'],
          ['delete_note', 'destructive', 'flame'],
          ['list_notes', 'read-only', 'eye'],
        ],
      );
    });
  });
}

/** Without the escapes and hard spaces that Markdown text gets. */
function unescape(markdown: string): string {
  return markdown.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
}
