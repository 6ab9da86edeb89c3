import { strict as assert } from 'node:assert';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { ONE_EACH } from '../../support/demoServers.ts';
import { TOOLS_WITH_DEMO } from '../../support/manifest.ts';
import { callTool, offeredNames } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

export function agent(useWindow: UseSharedWindow): void {
  describe('the agent in the editor', () => {
    let window: AgentWindow;

    useWindow({}, (opened) => {
      window = opened;
    });

    it('shows the four servers in the tree, and what each tool may do', async () => {
      for (const name of ['everything', 'filesystem', 'memory', 'notes']) {
        await window.treeRow(name).first().waitFor();
      }
      await window.expandTools('notes');
      await window.treeRow('delete_note').filter({ hasText: 'destructive' }).waitFor();
      await window.treeRow('list_notes').filter({ hasText: 'read-only' }).waitFor();
      await window.treeRow('add_note').filter({ hasText: 'writes' }).waitFor();
      await window.screenshot('tree');
    });

    it('is offered our tools and no copy of the built-in MCP; four server processes run', async () => {
      await window.send();
      const names = offeredNames(await window.turnEnded());
      // Beside our own, the overview of the servers, which is there where their tools aren't.
      const expected = [...TOOLS_WITH_DEMO, 'mcp__switchboard__list_servers'].sort();
      assert.deepEqual(names.filter((name) => name.startsWith('mcp_')).sort(), expected);
      assert.deepEqual(
        names.filter((name) => /delete_note|get-tiny-image|create_entities|read_text_file/.test(name)),
        [],
      );
      assert.deepEqual(window.serverProcesses(), ONE_EACH);
    });

    it('searches, then calls a read-only tool and gets its result with no question', async () => {
      await window.send(
        { call: { name: 'mcp_tool_search', input: { query: 'list my notes' } } },
        callTool('notes__list_notes'),
      );
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /"name":"mcp__notes__list_notes"/);
      assert.match(results[1]?.text ?? '', /Welcome/);
    });

    it('is told what to fix when its arguments are wrong', async () => {
      await window.send(callTool('notes__delete_note', { titel: 'Welcome' }));
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /is missing the required property "title" \("titel" is not a property\)/);
    });

    it('asks before a destructive tool, naming server, tool, arguments and why; denied, the note is still there', async () => {
      await window.send(callTool('notes__delete_note', { title: 'Welcome' }));
      await window.cardButton('Deny').waitFor();
      const card = await window.page.locator('.interactive-session').innerText();
      for (const part of ['notes', 'delete_note', 'title: "Welcome"', 'destructive'])
        assert.ok(card.includes(part), part);
      await window.screenshot('question');
      await window.cardButton('Deny').click();
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /^The user denied .*because this tool is marked destructive/);
      assert.ok(window.notes().some((name) => name.includes('Welcome')));
    });

    it('allowed once, the note is gone, the model has the result, and the next call asks again', async () => {
      await window.send(callTool('notes__delete_note', { title: 'Welcome' }));
      await window.cardButton('Allow Once').click();
      const { results } = await window.turnEnded();
      assert.doesNotMatch(results[0]?.text ?? '', /denied/);
      assert.ok(!window.notes().some((name) => name.includes('Welcome')));
      await window.screenshot('result');
      await window.send(callTool('notes__delete_note', { title: 'Ideas' }));
      await window.cardButton('Deny').click();
      await window.turnEnded();
    });

    it('a card that is closed counts as a denial', async () => {
      await window.send(callTool('notes__delete_all_notes'));
      await window.cardButton('Deny').waitFor();
      await window.page.locator('.interactive-session [aria-label="Skip All"]:visible').click();
      const { results } = await window.turnEnded();
      await window.screenshot('closed-card');
      assert.match(results[0]?.text ?? '', /^The user denied/);
      assert.ok(window.notes().length > 0);
    });

    it('"always" for one destructive tool opens no other', async () => {
      await window.send(callTool('notes__delete_note', { title: 'no such note' }));
      await window.pickFromMenu('Always Allow This Tool');
      await window.turnEnded();
      // The allowed one runs with no question; the other asks.
      await window.send(callTool('notes__delete_note', { title: 'no such note' }), callTool('notes__delete_all_notes'));
      await window.cardButton('Deny').click();
      const { results } = await window.turnEnded();
      assert.doesNotMatch(results[0]?.text ?? '', /denied/);
      assert.match(results[1]?.text ?? '', /^The user denied/);
      assert.ok(window.notes().length > 0);
      await window.runCommand('MCP Switchboard: Manage Permissions');
      await window.pickRow('delete_note on notes').click();
    });

    it('asks with global auto-approve on', async () => {
      await window.changeSettings({ 'chat.tools.global.autoApprove': true });
      await window.send(callTool('notes__delete_all_notes'));
      // The editor warns once that it approves everything by itself now.
      await window.dialogButton('Enable').click();
      await window.cardButton('Deny').click();
      assert.match(await window.result(), /^The user denied/);
      await window.changeSettings({ 'chat.tools.global.autoApprove': null });
    });

    for (const mode of ['Allow all', 'Autopilot']) {
      it(`asks under "${mode}", where the editor answers its own cards by itself`, async () => {
        await window.choosePermissions(mode);
        await window.send(callTool('notes__delete_all_notes'));
        await window.pickRow('Deny').waitFor();
        await window.screenshot(`question-${mode.replace(' ', '-').toLowerCase()}`);
        await window.pickRow('Deny').click();
        assert.match(await window.result(), /^The user denied/);
        assert.ok(window.notes().length > 0);
      });
    }

    it('still has exactly one process tree per server', () => assert.deepEqual(window.serverProcesses(), ONE_EACH));

    it('with few tools for its context, the model of @mcp has all of them, and the search', async () => {
      window.script({ text: 'that was all.' });
      await window.say('@mcp hello ');
      const names = offeredNames(await window.turnEnded('that was all.'));
      assert.ok(names.includes('mcp_tool_search'));
      for (const name of ['mcp__filesystem__read_text_file', 'mcp__notes__add_note', 'mcp__everything__echo'])
        assert.ok(names.includes(name), name);
      // It has one more where it knows in time that models can be asked.
      const ours = names.filter(
        (name) => name.startsWith('mcp__') && name !== 'mcp__everything__trigger-sampling-request',
      );
      assert.equal(ours.length, 43);
    });

    it('a click on a tool shows all that its server says of it, and its name can be copied', async () => {
      const row = window.treeRow('add_note', 'writes');
      await row.hover();
      await row.locator('.action-label[aria-label^="Copy Tool Name"]').click();
      await window.until(async () => (await window.clipboard()) === 'mcp__notes__add_note');
      await row.click();
      await window.page.locator('.tab', { hasText: 'mcp__notes__add_note.txt' }).waitFor();
      await window.page.locator('.view-line', { hasText: 'Input schema' }).first().waitFor();
      await window.screenshot('tool');
    });
  });
}
