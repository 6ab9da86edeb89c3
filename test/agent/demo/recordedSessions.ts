import { strict as assert } from 'node:assert';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { readRecording } from '../../../src/connection/recording/replay/readRecording.ts';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { giveFile } from '../../support/fileDialog.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pickFromRowMenu } from '../../support/viewRows.ts';

export function recordedSessions(useWindow: UseSharedWindow): void {
  describe('recorded sessions', () => {
    let window: AgentWindow;
    let folder: string;
    useWindow(
      {
        'mcpSwitchboard.permissions.rules': [{ tool: '*', action: 'allow' }],
        'mcpSwitchboard.reconnect.maxAttempts': 0,
      },
      async (opened) => {
        window = opened;
        folder = join(window.folder, '.data', 'recordings');
        mkdirSync(folder, { recursive: true });
      },
    );
    after(async () => {
      await window.changeSettings({ 'mcpSwitchboard.servers': null });
      rmSync(folder, { recursive: true, force: true });
    });

    const status = (): Locator => window.page.locator('.statusbar-item', { hasText: 'Recording MCP' });
    const toast = (text: string): Locator => window.page.locator('.notification-toast', { hasText: text });

    async function asked(tool: string): Promise<string> {
      await window.send(callTool(tool));
      return (await window.turnEnded()).results.at(-1)?.text ?? '';
    }

    it('a session is recorded from its server’s row and stopped in the status bar; its recording answers the agent as it did', async () => {
      const file = join(folder, 'session.mcprec.jsonl');
      await window.showTree();
      await focusRow(window, 'Servers', 'notes');
      await pickFromRowMenu(window, 'Record Session…');
      await giveFile(window, 'Save Recording', file);
      await status().waitFor();
      await window.screenshot('recording-status');
      const answer = await asked('notes__list_notes');
      assert.match(answer, /\w/);
      await status().click();
      await status().waitFor({ state: 'detached' });
      await toast('events saved').waitFor();
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const { lines } = await readRecording(file);
      assert.deepEqual([...new Set(lines.map(({ server }) => server))], ['notes']);
      await window.runCommand('MCP Switchboard: Replay as Server…');
      await giveFile(window, 'Select a Recording', file);
      await window.pickRow('As Fast as Possible').click();
      await window.pickRow('Local').click();
      await window.pickRow('Connect and Save').click();
      await window.treeRow('notes-replay', '4 tools').waitFor();
      await window.screenshot('recording-replays');
      await window.send({ call: { name: 'mcp_tool_search', input: { query: 'list notes', server: 'notes-replay' } } });
      const found = await window.result();
      const [, tool] = /mcp__(\w[\w-]*__list_notes)/.exec(found) ?? [];
      assert.ok(tool !== undefined && !tool.startsWith('notes__'), found);
      assert.equal(await asked(tool), answer);
    });

    it('what just happened is saved after a server ended, with why', async () => {
      const file = join(folder, 'recent.mcprec.jsonl');
      const script = "console.error('out of paper'); process.exit(3)";
      await window.changeSettings({
        'mcpSwitchboard.servers': { printer: { command: process.execPath, args: ['-e', script] } },
      });
      await window.treeRow('printer').waitFor();
      await window.runCommand('MCP Switchboard: Save What Just Happened…');
      await giveFile(window, 'Save Recording', file);
      await window.until(() => readdirSync(folder).includes('recent.mcprec.jsonl'));
      await toast('events saved').first().waitFor();
      const { lines } = await readRecording(file);
      const own = lines.filter(({ server }) => server === 'printer');
      assert.ok(own.some((line) => line.kind === 'stderr' && line.line === 'out of paper'));
      assert.ok(
        own.some((line) => line.kind === 'state' && line.state === 'failed' && /code 3/.test(line.reason ?? '')),
      );
    });
  });
}
