import { strict as assert } from 'node:assert';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { offeredNames } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

const PRESETS = { Review: { description: 'Reads notes, and remembers', tools: ['notes/list_*', 'memory/read_*'] } };
/** The editor makes names of what a server is called, cut at its thirteenth character. */
const OF_PRESET = ['mcp_preset_review_memory__read_graph', 'mcp_preset_review_notes__list_notes'];

export function customAgents(useWindow: UseSharedWindow): void {
  describe('custom agents', () => {
    let window: AgentWindow;
    useWindow({ 'mcpSwitchboard.presets': PRESETS }, (opened) => {
      window = opened;
    });

    after(() => rmSync(join(window.folder, '.github'), { recursive: true, force: true }));

    const toast = (text: string): Locator => window.page.locator('.notification-toast', { hasText: text }).first();
    const ofServers = (names: readonly string[]): readonly string[] => names.filter((name) => name.startsWith('mcp_'));

    /** Picks an agent for the next message. */
    async function pickAgent(now: string, next: string): Promise<void> {
      const picker = window.page.locator('.interactive-session .chat-input-toolbars').getByText(now, { exact: true });
      await picker.last().click();
      await window.page.locator('.action-widget .monaco-list-row', { hasText: next }).first().click();
    }

    it('a preset is given to a new one: what is written is shown before', async () => {
      await window.runAndAnswer('MCP Switchboard: Use Preset in a Custom Agent…', async (timeout) => {
        await window.pickRow('Reads notes, and remembers').click({ timeout });
        await window.pickRow('New Custom Agent…').click({ timeout });
        await window.page.getByPlaceholder('Name of the agent').fill('reviewer', { timeout });
        await window.pressInBox('Enter');
      });
      await window.page.getByText('Use the preset “Review” in “reviewer”?').waitFor();
      await window.screenshot('preset-in-agent-shown');
      await window.dialogButton('Use').click();
      await toast('“reviewer” uses the preset “Review”.').waitFor();
      const text = readFileSync(join(window.folder, '.github', 'agents', 'reviewer.agent.md'), 'utf8');
      assert.match(text, /^tools: \['read', 'search', 'preset-review\/\*'\]$/m);
      await window.screenshot('preset-in-agent-written');
    });

    it('it has the preset’s tools and no other server’s, and calls them', async () => {
      await pickAgent('Agent', 'reviewer');
      await window.screenshot('custom-agent-picked');
      const before = window.requests().length;
      await window.untilOffered(...OF_PRESET);
      const offered = ofServers(window.requests().slice(before).flatMap(offeredNames));
      assert.deepEqual([...new Set(offered)].sort(), OF_PRESET);
      await window.send({ call: { name: 'mcp_preset_review_notes__list_notes', input: {} } });
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /Welcome/);
      await pickAgent('reviewer', 'Agent');
    });

    it('as a sub-agent, too', async () => {
      window.scriptByPrompt({
        'look at my notes': [
          { call: { name: 'mcp_preset_review_notes__list_notes', input: {} } },
          { text: 'end of the sub-agent.' },
        ],
        go: [
          {
            call: {
              name: 'runSubagent',
              input: { agentName: 'reviewer', prompt: 'look at my notes', description: 'Read the notes' },
            },
          },
          { text: 'end of the agent.' },
        ],
      });
      await window.say('go');
      await window.turnEnded('end of the agent.');
      const inner = window.requests().filter(({ prompt }) => prompt.includes('look at my notes'));
      assert.match(inner.at(-1)?.results[0]?.text ?? '', /Welcome/);
      assert.deepEqual([...new Set(ofServers(inner.flatMap(offeredNames)))].sort(), OF_PRESET);
    });
  });
}
