import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { offeredNames, type ModelRequest, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

const LIST_NOTES = 'mcp__notes__list_notes';
const find = (query: string): Step => ({ call: { name: 'mcp_tool_search', input: { query } } });

export function loading(useWindow: UseSharedWindow): void {
  describe('the agent and tools that join its list', () => {
    let window: AgentWindow;
    /** One turn; the requests that the model was sent in it. */
    const send = async (...steps: Step[]): Promise<readonly ModelRequest[]> => {
      const before = window.requests().length;
      await window.send(...steps);
      await window.turnEnded();
      return window.requests().slice(before);
    };
    const natives = (request: ModelRequest): string[] =>
      offeredNames(request).filter((name) => name.startsWith('mcp__'));

    useWindow({ 'mcpSwitchboard.alwaysLoadTools': null, 'mcpSwitchboard.loadFoundTools': true }, (opened) => {
      window = opened;
    });

    it('a tool that a search finds is called by its name in the next step of the same turn', async () => {
      // Those that were always loaded before have to be gone.
      await window.untilRequest((request) => isDeepStrictEqual(natives(request), ['mcp__switchboard__list_servers']));
      const requests = await send(find('list my notes'), { call: { name: LIST_NOTES, input: {} } });
      assert.deepEqual(
        requests.map((request) => natives(request).includes(LIST_NOTES)),
        [false, true, true],
      );
      assert.match(requests.at(-1)?.results.at(-1)?.text ?? '', /Welcome/);
    });

    it('Show Tool Quality copies its report as JSON', async () => {
      await window.runCommand('MCP Switchboard: Show Tool Quality');
      await window.pickRow('mcp__').waitFor();
      await window.screenshot('list-tools');
      await window.page.locator('.quick-input-widget [aria-label="Copy as JSON"]').click();
      await window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
      const report = JSON.parse(await window.clipboard()) as {
        name: string;
        server: string;
        score: number;
        findings: object[];
      }[];
      assert.equal(report.filter(({ server }) => server === 'notes').length, 4);
      assert.ok(report.length > 40);
      for (const { name, server, score, findings } of report)
        assert.ok(name.startsWith('mcp__') && server && score >= 0 && score <= 100 && Array.isArray(findings), name);
    });

    it('what is added from Search Tools joins, too; nothing joins by being picked', async () => {
      await window.runCommand('MCP Switchboard: Search Tools');
      await window.page.getByPlaceholder('Search the tools').fill('add numbers');
      await window.pickRow('everything').waitFor();
      await window.screenshot('search-tools');
      await window.pickRow('Get Sum Tool').click();
      await window.pickRow('Show in Servers').waitFor();
      await window.pickRow('Add to the Agent').click();
      await window.page.locator('.statusbar', { hasText: 'Added mcp__everything__get-sum' }).waitFor();
      await window.screenshot('search-tools-loaded');
      await window.untilOffered('mcp__everything__get-sum');
    });

    it('what @mcp /search finds joins as well: it is native in the agent’s next turn', async () => {
      const NEW = 'mcp__memory__read_graph';
      const before = window.requests().at(-1);
      assert.ok(before && !natives(before).includes(NEW));
      await window.say('@mcp /search read the knowledge graph ');
      const answer = window.page.locator('.interactive-response:visible', {
        hasText: 'of them are new in the model’s list',
      });
      await answer.last().waitFor();
      await window.screenshot('participant-search-loads');
      // The participant stays in the input for the next message.
      await window.page.locator('.interactive-session .interactive-input-part .monaco-editor').first().click();
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.press('Delete');
      const requests = await send({ call: { name: NEW, input: {} } });
      assert.ok(requests[0] && natives(requests[0]).includes(NEW));
      assert.match(requests.at(-1)?.results[0]?.text ?? '', /"entities"/);
    });
  });
}
