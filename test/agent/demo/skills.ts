import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/lib/paths.mjs';
import type { AgentWindow } from '../../support/agentWindow.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pane } from '../../support/viewRows.ts';
import { pageNamed } from '../../support/webPages.ts';

const TEXT =
  '---\nname: refunds\ndescription: Processes refund requests by the policy.\n---\n\n# Refunds\n\nAsk for the order first.\n';

export function skills(useWindow: UseSharedWindow): void {
  describe('skills of a server', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      const folder = join(window.editor.dataDir, 'skills');
      mkdirSync(join(folder, 'refunds'), { recursive: true });
      writeFileSync(join(folder, 'refunds', 'SKILL.md'), TEXT);
      const args = [join(root, 'test/fixtures/servers/skills.mjs'), folder];
      await window.changeSettings({ 'mcpSwitchboard.servers': { shop: { command: process.execPath, args } } });
      await window.showTree();
    });

    /** The view may be drawn anew while a key is on its way. */
    const expand = (name: string, child: string): Promise<void> =>
      window.until(async () => {
        await focusRow(window, 'Servers', name);
        await window.page.keyboard.press('ArrowRight');
        return pane(window, 'Servers').locator('.monaco-list-row', { hasText: child }).first().isVisible();
      });

    it('are in the view Servers, and one is read there as text', async () => {
      await expand('shop', 'Skills');
      await expand('Skills', 'skill://refunds/SKILL.md');
      await focusRow(window, 'Servers', 'skill://refunds/SKILL.md');
      await window.screenshot('skills-tree');
      await window.page.keyboard.press('Enter');
      await window.page.locator('.tab.active', { hasText: 'refunds.md' }).waitFor();
      await window.page.locator('.view-lines', { hasText: 'Ask for the order first.' }).first().waitFor();
      await window.screenshot('skills-text');
      await window.runCommand('View: Close All Editors');
      await window.runCommand('MCP Switchboard: Open Skill…');
      await window.pickRow('skill://refunds/SKILL.md').click();
      await window.page.locator('.tab.active', { hasText: 'refunds.md' }).waitFor();
    });

    it('are loaded by the model, which is told whose they are', async () => {
      await window.send(
        { call: { name: 'mcp_tool_search', input: { query: 'refund policy' } } },
        { call: { name: 'mcp_load_skill', input: { skill: 'refunds', server: 'shop' } } },
      );
      const { results } = await window.turnEnded();
      assert.match(results.at(0)?.text ?? '', /"name":"refunds","server":"shop"/);
      assert.match(
        results.at(-1)?.text ?? '',
        /^From the MCP server “shop”, not from the user[^]*Ask for the order first/,
      );
    });

    it('are in the inspector with what is stated, and whether it is approved', async () => {
      await window.runCommand('MCP Switchboard: Open Inspector');
      const frame = await pageNamed(window, 'Inspector');
      await frame.getByRole('tab', { name: 'Skills', exact: true }).click();
      await frame.getByText('State: approved').waitFor();
      await frame.getByText(/SKILL\.md {2}\d+ {2}sha256:/).waitFor();
      await frame.getByRole('button', { name: /^Read/ }).click();
      await frame.getByText('Ask for the order first.').waitFor();
      await window.screenshot('inspector-skills');
      assert.equal(await pane(window, 'Servers').count(), 1);
    });
  });
}
