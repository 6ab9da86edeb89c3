import { strict as assert } from 'node:assert';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { openWorkbench } from '../../scripts/lib/browser.mjs';
import type { AgentWindow } from '../support/agentWindow.ts';
import { editServers, NONE } from '../support/demoServers.ts';
import { useAgentWindow } from '../support/useAgentWindow.ts';
import { clickAction, isWhole, pane } from '../support/viewRows.ts';

describe('approving servers, as a user does', () => {
  describe('in a trusted workspace', () => {
    let window: AgentWindow;
    const shown = (text: string): Promise<void> =>
      window.page.locator('.quick-input-widget', { hasText: text }).first().waitFor();

    const step = (title: string): Locator => window.page.locator('.getting-started-step', { hasText: title });

    useAgentWindow({}, async (opened) => {
      window = opened;
      await window.answerNotification('Review…');
      await shown('Review MCP Servers');
    });

    it('shows what would run and which variable goes where, and rejects one server', async () => {
      await window.screenshot('approval-list');
      await window.page
        .locator('.quick-input-widget .monaco-list-row', { hasText: /^.?\s*notes/ })
        .last()
        .click();
      await shown('Allow server “notes” to run?');
      await shown('Runs: npx');
      await window.screenshot('approval-one');
      await window.pickRow('Reject').click();
      await shown('Review MCP Servers');
      await window.page.keyboard.press('Escape');
      await window.showTree();
      await window.treeRow('notes', 'you rejected it').waitFor();
      assert.equal(window.serverProcesses()['mcp-switchboard-notes'], 0);
    });

    it('the walkthrough has a step for each thing that a newcomer does', async () => {
      await window.runCommand('Welcome: Open Walkthrough...');
      await window.pickRow('Get Started with MCP Switchboard').click();
      for (const title of [
        'Add or Import Servers',
        'Approve What Runs',
        'Use It in the Chat',
        'Set Permissions',
        'Sign In',
      ])
        await step(title).waitFor();
      await step('Approve What Runs').click();
      await window.page.getByText('Choose MCP Host…').first().waitFor();
      await window.screenshot('walkthrough');
    });

    it('approves all others of the file at once, after showing what would run', async () => {
      await window.runCommand('MCP Switchboard: Review Servers…');
      await shown('Review MCP Servers');
      await window.pickRow('Approve All in This File').click();
      await window.whatRuns();
      await window.screenshot('approval-file');
      await window.approveAndStart();
      for (const name of ['everything', 'filesystem', 'memory']) await window.treeRow(name, 'tools').waitFor();
      await window.treeRow('notes', 'you rejected it').waitFor();
      await step('Approve What Runs').locator('.codicon-getting-started-step-checked').waitFor();
    });

    it('after an edit asks again, with old and new side by side, and runs nothing meanwhile', async () => {
      editServers(window.folder, ({ memory }) => {
        assert.ok(memory);
        memory.env = { ...memory.env, NODE_OPTIONS: '--require ./evil.js', TOKEN: '${HOME}' };
      });
      await window.treeRow('memory', 'Changed; needs approval').waitFor();
      // It stays to be seen: in the view, at its icon, and in the status bar.
      const waiting = window.treeRow('1 server needs approval', 'Review…');
      await window.page.locator('.statusbar-item', { hasText: '1 to approve' }).waitFor();
      const icon = window.page.locator('.activitybar .action-item', {
        has: window.page.getByLabel(/^MCP Switchboard/),
      });
      await icon.locator('.badge-content', { hasText: '1' }).waitFor();
      await window.screenshot('waiting-for-approval');
      await waiting.click();
      await shown('Review MCP Servers');
      await window.page.keyboard.press('Escape');
      await clickAction(window.serverRow('memory'), 'Approve');
      await window.page.locator('.monaco-diff-editor .view-line', { hasText: 'NODE_OPTIONS' }).first().waitFor();
      const difference = await window.page.locator('.monaco-diff-editor').first().innerText();
      assert.match(difference.replaceAll('\u00a0', ' '), /NODE_OPTIONS="--require \.\/evil\.js"/);
      assert.match(difference, /npx.receives.\$\{HOME\}.\(env\.TOKEN\)/);
      await window.notificationButton('Reject').waitFor();
      await window.screenshot('approval-difference');
      await window.answerNotification('Reject');
      await window.treeRow('memory', 'you rejected it').waitFor();
      await waiting.waitFor({ state: 'detached' });
      assert.equal(window.serverProcesses()['mcp-server-memory'], 0);
      await window.treeRow('everything', 'tools').waitFor();
    });

    it('lists what was judged; what is revoked asks again, and an undo lets it run', async () => {
      await window.runCommand('MCP Switchboard: Manage Approvals…');
      await shown('Approvals in This Workspace');
      await window.pickRow('everything').waitFor();
      await window.screenshot('approvals-managed');
      await window.fillBox('everything');
      await window.pressInBox('Enter');
      await window.treeRow('everything', 'Needs approval').waitFor();
      await window.until(() => window.serverProcesses()['mcp-server-everything'] === 0);
      await window.screenshot('approval-revoked');
      await window.answerNotification('Undo');
      await window.treeRow('everything', 'tools').waitFor();
      // Its tools are remembered while it connects.
      await window.until(() => window.serverProcesses()['mcp-server-everything'] === 1);
    });
  });

  describe('in a workspace that is not trusted', () => {
    let window: AgentWindow;

    useAgentWindow({ trust: true }, (opened) => {
      window = opened;
    });

    it('lists every server as blocked and starts none', async () => {
      await window.page
        .getByText(/I don.t trust the authors|Restricted Mode/)
        .first()
        .waitFor();
      const refuse = window.page.getByText(/No, I don.t trust the authors/).first();
      if (await refuse.isVisible()) await refuse.click();
      await window.showTree();
      for (const name of ['everything', 'filesystem', 'memory', 'notes'])
        await window.treeRow(name, 'Untrusted workspace').waitFor();
      // The word that matters isn't cut off in a view as wide as it is at first.
      for (const row of [window.treeRow('Untrusted workspace', 'Manage…'), window.serverRow('everything')])
        assert.ok(await isWhole(row));
      await window.screenshot('untrusted-workspace');
      assert.deepEqual(window.serverProcesses(), NONE);
      assert.ok(!existsSync(join(window.folder, '.data')));
    });

    /** Of a view without rows: what its text begins with, and the buttons below it. */
    async function offers(view: string, text: string, buttons: readonly string[]): Promise<void> {
      const welcome = pane(window, view);
      await welcome.getByText(text).waitFor();
      for (const label of buttons) await welcome.locator('.monaco-button', { hasText: label }).waitFor();
      await window.screenshot(`welcome-${text.replaceAll(/\W+/g, '-').toLowerCase()}`);
    }

    it('without servers says that the workspace isn’t trusted, with the button that changes it', async () => {
      rmSync(join(window.folder, '.mcp.json'));
      await offers('Servers', 'The workspace isn’t trusted', ['Manage Workspace Trust', 'Add Server…']);
      await pane(window, 'Servers').locator('.monaco-button', { hasText: 'Manage Workspace Trust' }).click();
      await window.page.locator('.workspace-trust-editor').waitFor();
    });

    it('without a folder offers to open one, or servers of one’s own; each view says what comes there', async () => {
      await openWorkbench(window.page, `http://127.0.0.1:${window.editor.port}/?ew=true`);
      await window.page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click();
      const ways = ['Open Folder', 'Add Server…', 'Open User Configuration', 'Get Started'];
      await offers('Servers', 'No folder is open', ways);
      await offers('Activity', 'No tool calls yet.', ['Open Chat', 'Toggle Plan Mode']);
      await window.runCommand('MCP Switchboard: Focus on Permissions View');
      await offers('Permissions', 'No permissions, rules or hooks yet.', ['Edit Rules']);
      await pane(window, 'Servers').locator('.monaco-button', { hasText: 'Open Folder' }).click();
      await window.page.locator('.quick-input-widget', { hasText: 'Open Folder' }).waitFor();
      await window.page.keyboard.press('Escape');
    });
  });
});
