import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { approveDemo, DEMO_SERVERS, exportsOf, itemOf, nodeOf, toolNodesOf, viewNamed } from './support.ts';

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
      const items = await Promise.all((await tree.getChildren()).map(itemOf));
      const labels = items.map(({ label }) => label);
      assert.deepEqual(labels.map(String).sort(), DEMO_SERVERS);
      for (const item of items) {
        assert.match(String(item.description), /^\d+ tools$/);
        assert.equal((item.iconPath as vscode.ThemeIcon).id, 'pass-filled');
        assert.match(item.contextValue ?? '', /\bdisconnectable\b.*\brestartable\b/);
        assert.match(item.accessibilityInformation?.label ?? '', /^MCP server \w+, Connected/);
      }
    });

    it('says in the tooltip where a server comes from, what it runs, and what it uses', async () => {
      const { tree } = await exportsOf();
      const node = await nodeOf('notes');
      const item = await itemOf(node);
      assert.equal(item.tooltip, undefined, 'nothing is measured before it is shown');
      const tooltip = (await tree.resolveTreeItem(item, node)).tooltip as vscode.MarkdownString;
      const { state } = await viewNamed('notes');
      assert.ok(state.kind === 'connected');
      const rows = unescape(tooltip.value);
      const expected = [
        /\| State \| Connected \|/,
        /\| Scope \| project \|/,
        /\| Defined in \| \S+\.mcp\.json:\d+ \|/,
        new RegExp(`\\| Server \\| .* · protocol ${state.info.protocolVersion} \\|`),
        new RegExp(`\\| Process \\| ${state.info.pid} \\|`),
        /\| Up \| [\d.]+ (?:s|min), since .* \|/,
        /\| Tools \| 4 · \d+ tokens \|/,
        ...(process.platform === 'linux'
          ? [/\| Memory \| \d+ MB.*\|/, /\| CPU \| [\d.]+ s, [\d.]+% on average \|/]
          : []),
      ];
      for (const row of expected) assert.match(rows, row);
      assert.deepEqual(
        [...tooltip.value.matchAll(/\(command:([\w.]+)/g)].map(([, command]) => command),
        ['mcpSwitchboard.openDefinition', 'mcpSwitchboard.showLog', 'mcpSwitchboard.doctor'],
      );
      assert.ok(typeof tooltip.isTrusted === 'object' && tooltip.isTrusted.enabledCommands.length === 7);
    });

    it('marks each tool with what it may do', async () => {
      const items = await Promise.all((await toolNodesOf('notes')).map(itemOf));
      const marks = items.map((item) => [item.label, withoutNumbers(item), (item.iconPath as vscode.ThemeIcon).id]);
      assert.deepEqual(
        marks.sort((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
        [
          ['add_note', 'writes · <n> tokens', 'edit'],
          ['delete_all_notes', 'destructive · <n> tokens', 'flame'],
          ['delete_note', 'destructive · <n> tokens', 'flame'],
          ['list_notes', 'read-only · <n> tokens', 'eye'],
        ],
      );
    });
  });
}

/** What a row says beside its name. */
function withoutNumbers({ description }: vscode.TreeItem): string {
  return String(description).replaceAll(/\d+/g, '<n>');
}

/** Without the escapes that Markdown text gets. */
function unescape(markdown: string): string {
  return markdown.replaceAll('&nbsp;', ' ').replaceAll('\\', '');
}
