import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool, offeredNames } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { clickAction, pane } from '../../support/viewRows.ts';

const PRESETS = {
  Review: { description: 'Reads notes, and remembers', tools: ['notes/list_*', 'memory'] },
  Nothing: { tools: ['not-there'] },
};

export function presets(useWindow: UseSharedWindow): void {
  describe('presets', () => {
    let window: AgentWindow;
    useWindow({ 'mcpSwitchboard.presets': PRESETS }, (opened) => {
      window = opened;
    });

    after(async () => {
      await window.runCommand('MCP Switchboard: Use All Servers');
      await status('MCP 4/4').waitFor();
    });

    const status = (text: string): Locator => window.page.locator('.statusbar-item', { hasText: text });
    const answer = (text: string): Locator =>
      window.page.locator('.interactive-session .interactive-response:visible', { hasText: text }).last();
    const runs = (name: string): number => window.serverProcesses()[name] ?? 0;

    it('one is selected in the status bar’s menu: other servers end, and the view says why', async () => {
      await window.showTree();
      await status('MCP 4/4').click();
      await window.pickRow('Select Preset').waitFor();
      await window.screenshot('preset-menu');
      await window.pickRow('Select Preset').click();
      await window.pickRow('Reads notes, and remembers').waitFor();
      await window.screenshot('preset-list');
      await window.pickRow('Reads notes, and remembers').click();
      await status('MCP 2/2').waitFor();
      await window.until(() => runs('mcp-server-filesystem') === 0 && runs('mcp-server-memory') === 1);
      await pane(window, 'Servers').locator('.pane-header', { hasText: 'Preset “Review”' }).waitFor();
      await window.serverRow('filesystem').filter({ hasText: 'not in the preset “Review”' }).waitFor();
      await window.serverRow('notes').filter({ hasText: '1 tool' }).waitFor();
      const label = await status('MCP 2/2').locator('a').first().getAttribute('aria-label');
      assert.match(label ?? '', /2 of 2 MCP servers connected, Preset “Review”/);
      await clickAction(window.serverRow('filesystem'), 'Select Preset');
      await window.pickRow('Reads notes, and remembers').waitFor();
      await window.page.keyboard.press('Escape');
      await window.screenshot('preset-view');
    });

    it('the agent doesn’t find what it lacks, and is told why it can’t call it', async () => {
      const before = window.requests().length;
      await window.send(
        { call: { name: 'mcp_tool_search', input: { query: 'write a file or delete a note' } } },
        callTool('notes__delete_note', { title: 'Ideas' }),
        callTool('filesystem__list_allowed_directories'),
        callTool('notes__list_notes'),
      );
      const { results } = await window.turnEnded();
      const texts = results.map(({ text }) => text);
      assert.doesNotMatch(texts[0] ?? '', /mcp__filesystem|delete_note/);
      assert.match(texts[1] ?? '', /mcp__notes__delete_note is not in the active preset “Review”.*Select Preset…/s);
      assert.match(texts[2] ?? '', /filesystem.*not in the preset “Review”.*Select Preset…/is);
      assert.match(texts[3] ?? '', /Welcome/);
      const offered = window.requests().slice(before).flatMap(offeredNames);
      assert.deepEqual(
        offered.filter(
          (name) => name.startsWith('mcp__') && !/^mcp__(?:notes__list_notes|memory__|switchboard__)/.test(name),
        ),
        [],
      );
      assert.ok(window.notes().some((name) => name.includes('Ideas')));
    });

    it('@mcp /preset shows them, and uses one or all', async () => {
      await window.say('@mcp /preset ');
      await answer('The preset “Review” is active. Servers: memory, notes').waitFor();
      await window.screenshot('preset-participant');
      // The participant stays in the input for the next message.
      await window.say('/preset nothing ');
      await answer('The preset “Nothing” is active. It has no server that can run.').waitFor();
      await pane(window, 'Servers').getByText('No server is in the preset “Nothing”.').waitFor();
      await window.screenshot('preset-nothing');
      await window.say('/preset all ');
      await answer('No preset is active: all servers are used.').waitFor();
      await status('MCP 4/4').waitFor();
    });

    it('a new one has what is enabled now', async () => {
      await window.runOnServer('Disable', 'Select a server to disable', 'everything');
      await status('MCP 3/3').waitFor();
      await window.runCommand('MCP Switchboard: New Preset from What Is Enabled Now…');
      await window.page.getByPlaceholder('Name of the preset').fill('Review');
      await window.pressInBox('Enter');
      await window.page.getByText('There is a preset of this name.').waitFor();
      await window.fillBox('Without Everything');
      await window.screenshot('preset-new');
      await window.pressInBox('Enter');
      await window.pickRow('Workspace Settings').click();
      await pane(window, 'Servers').locator('.pane-header', { hasText: 'Preset “Without Everything”' }).waitFor();
      await window.runOnServer('Enable', 'Select a server to enable', 'everything');
      await window.serverRow('everything').filter({ hasText: 'not in the preset' }).waitFor();
      await status('MCP 3/3').waitFor();
      await window.runCommand('MCP Switchboard: Edit Presets');
      const settings = window.page.locator('.monaco-editor[data-uri$="/.vscode/settings.json"]');
      const written = readFileSync(join(window.folder, '.vscode', 'settings.json'), 'utf8').split('\n');
      const place = written.findIndex((line) => line.includes('"mcpSwitchboard.presets"')) + 1;
      await settings.locator('.active-line-number', { hasText: `${place}` }).waitFor();
      await settings.filter({ hasText: '"Without Everything"' }).waitFor();
      await window.screenshot('preset-edit');
      assert.equal(await settings.locator('.view-line').count(), written.length, 'shown as they are, with no new line');
      // The editor shows settings above its other editors.
      await window.page.getByRole('button', { name: 'Close Modal Editor' }).click();
      await settings.waitFor({ state: 'detached' });
      await window.runCommand('MCP Switchboard: Use All Servers');
      await status('MCP 4/4').waitFor();
    });
  });
}
