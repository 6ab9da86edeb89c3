import { strict as assert } from 'node:assert';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { KEY } from '../../support/besideServers.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

const RULES = [
  { tool: '*', args: { path: '/etc/**' }, action: 'deny' },
  { tool: '*', args: { command: 'rm -rf *' }, action: 'deny' },
  { tool: 'mcp__attacker__resources/read', action: 'allow' },
];

/** Attacks of docs/security.md, as a server and a model make them in the real editor. */
export function attacks(useWindow: UseSharedWindow): void {
  describe('attacks in the editor', () => {
    let window: AgentWindow;
    const attack = (tool: string, args: object = {}): Step => callTool(`attacker__${tool}`, args);

    useWindow({ 'mcpSwitchboard.permissions.rules': RULES, 'chat.agent.maxRequests': null }, async (opened) => {
      window = opened;
      await window.capabilities({});
    });

    it('arguments in disguise are denied without a question, and the window lives on', async () => {
      const inside = JSON.stringify({ path: '/etc/passwd' });
      const denied: readonly object[] = [
        { data: JSON.stringify(inside) },
        { 'options[path]': '/etc/passwd' },
        { path: '/etc%c0%afpasswd' },
        { command: 'r$()m -rf x' },
        { command: 'rm 2>/dev/null -rf x' },
      ];
      await window.send(...denied.map((args) => attack('echo', args)), attack('echo', { path: 'src/a' }));
      const { results } = await window.turnEnded();
      const texts = results.map(({ text }) => text);
      assert.equal(texts.length, denied.length + 1);
      for (const [at, text] of texts.slice(0, -1).entries())
        assert.match(text, /^Denied: a rule in your settings denies/, JSON.stringify(denied[at]).slice(0, 80));
      assert.equal(texts.at(-1), 'ran echo');
    });

    it('names and patterns that take for ever are refused', async () => {
      const search = (query: string): Step => ({ call: { name: 'mcp_tool_search', input: { query, regex: true } } });
      await window.send(search('(a|b)?c?'.repeat(20)), attack('x'.repeat(1_000)), attack('echo'));
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /takes too long/);
      assert.match(results[1]?.text ?? '', /Unknown tool/);
      assert.equal(results[2]?.text, 'ran echo');
    });

    it('a tool that is named like an allowed request asks', async () => {
      const search: Step = {
        call: { name: 'mcp_tool_search', input: { query: 'resources read', server: 'attacker' } },
      };
      await window.send(search);
      const [, name = ''] = /mcp__(attacker__resources_read\w*)/.exec(await window.result()) ?? [];
      await window.send(callTool(name));
      await window.cardButton('Deny').click();
      assert.match(await window.result(), /^The user denied/);
    });

    it('what a result says opens nothing, and nothing of a question is forged', async () => {
      await window.send(attack('claim'), attack('forge'));
      await window.cardButton('Deny').waitFor();
      const card = (await window.page.locator('.interactive-session').innerText()).replaceAll('\u00a0', ' ');
      assert.ok(!card.includes('\u202e'));
      assert.equal(
        await window.page.locator('.interactive-session a[href^="command:workbench.action.quit"]').count(),
        0,
      );
      await window.screenshot('attack-forged-question');
      await window.cardButton('Deny').click();
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /\\u\{200b\}/);
      assert.match(results[1]?.text ?? '', /^The user denied/);
    });

    it('the server’s own key is in no form and no error', async () => {
      await window.send(attack('leak'), attack('form'));
      await window.cardButton('Decline').waitFor();
      const shown = await window.page.locator('.interactive-session').innerText();
      assert.ok(!shown.includes(KEY.part), shown);
      assert.ok(shown.includes('•••'), shown);
      await window.screenshot('attack-masked-form');
      await window.cardButton('Decline').click();
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /the key ••• is wrong/);
      assert.ok(!JSON.stringify(results).includes(KEY.part));
    });
  });
}
