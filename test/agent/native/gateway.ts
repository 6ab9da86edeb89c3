import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { eventually } from '../../support/eventually.ts';
import { keptByEditor } from '../../support/keptByEditor.ts';
import { callTool, type Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

const call = (tool: string, input: object = {}): Step => ({ call: { name: `mcp__notes__${tool}`, input } });
const NOTES_TOOLS = ['add_note', 'delete_all_notes', 'delete_note', 'list_notes'].map((name) => `mcp__notes__${name}`);

const ASK = 'mcp__everything__trigger-elicitation-request';
/** The one that says which servers there are. */
const OVERVIEW = 'mcp__switchboard__list_servers';

export function gateway(useWindow: UseSharedWindow): void {
  describe('the agent with native tools', () => {
    let window: AgentWindow;
    /** An answer in the form that a question is. */
    const answer = (label: string): Locator =>
      window.page.locator('.interactive-session').getByText(label, { exact: true }).last();
    const submit = (): Locator => window.cardButton('Submit');

    useWindow({}, (opened) => {
      window = opened;
    });

    it('has each tool once, by exactly its callable name, with its schema, and no second process', async () => {
      const { offered } = await window.untilOffered(ASK, OVERVIEW, ...NOTES_TOOLS);
      const native = offered.filter(({ name }) => name.startsWith('mcp__'));
      assert.deepEqual(native.map(({ name }) => name).sort(), [ASK, ...NOTES_TOOLS, OVERVIEW]);
      assert.equal(offered.filter(({ name }) => /(?:^|_)(?:delete|add|list)_(?:all_)?notes?$/.test(name)).length, 4);
      const schema = native.find(({ name }) => name.endsWith('delete_note'))?.inputSchema as { required?: string[] };
      assert.deepEqual(schema.required, ['title']);
      assert.equal(window.serverProcesses()['mcp-switchboard-notes'], 1);
    });

    it('what the editor keeps of an endpoint has no token, where Agent Host sessions aren’t served', async () => {
      const text = await eventually(
        'the editor has written its state',
        async () => {
          const kept = await keptByEditor(window.page);
          return /127\.0\.0\.1:\d+\/mcp\//.test(kept) && kept;
        },
        90_000,
      );
      assert.doesNotMatch(text, /Bearer/i);
    });

    it('runs a read-only tool with no question', async () => {
      await window.send(call('list_notes'));
      assert.match(await window.result(), /Welcome/);
    });

    it('asks once about a destructive one, in place, with the denial preselected; denied, nothing ran', async () => {
      await window.send(call('delete_note', { title: 'Welcome' }));
      await submit().waitFor();
      const card = await window.page.locator('.interactive-session').innerText();
      for (const part of ['notes', 'delete_note', 'title: "Welcome"', 'destructive', 'Allow Once'])
        assert.ok(card.includes(part), part);
      await window.screenshot('native-question');
      await submit().click();
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /^The user denied .*because this tool is marked destructive/);
      assert.ok(window.notes().some((name) => name.includes('Welcome')));
    });

    it('allowed once, the note is gone, and the next call asks again', async () => {
      await window.send(call('delete_note', { title: 'Welcome' }));
      // A click on an answer gives it.
      await answer('Allow Once').click();
      const { results } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /Deleted the note/);
      assert.ok(!window.notes().some((name) => name.includes('Welcome')));
      await window.send(call('delete_note', { title: 'Ideas' }));
      await submit().click();
      assert.match(await window.result(), /^The user denied/);
    });

    it('asks under "Allow all", where the editor answers its own questions by itself', async () => {
      await window.choosePermissions('Allow all');
      await window.send(call('delete_all_notes'));
      await submit().waitFor();
      await window.screenshot('native-question-allow-all');
      await submit().click();
      assert.match(await window.result(), /^The user denied/);
      assert.ok(window.notes().length > 0);
    });

    it('a server’s question during a native call comes up in the chat, with the server named', async () => {
      await window.send({ call: { name: ASK, input: {} } });
      await answer('Allow Once').click();
      const chat = window.page.locator('.interactive-session');
      await chat
        .getByText(/“everything” asks: /)
        .last()
        .waitFor();
      await window.screenshot('native-server-question');
      await chat.getByPlaceholder('Enter your answer').last().fill('Ada Lovelace');
      // The rest have defaults or may stay empty.
      const next = window.page.locator('.interactive-session .codicon-chevron-right:visible').last();
      while (!(await submit().isVisible())) {
        const before = await chat.innerText();
        await next.click();
        await window.until(async () => (await chat.innerText()) !== before);
      }
      await submit().click();
      assert.match(await window.result(), /Ada Lovelace/);
    });

    it('a server’s prompts are slash commands of the chat', async () => {
      await window.page.locator('.interactive-session .interactive-input-part .monaco-editor').first().click();
      await window.page.keyboard.type('/mcp.everything');
      const rows = window.page.locator('.suggest-widget .monaco-list-row');
      await rows.filter({ hasText: 'simple-prompt' }).first().waitFor();
      await window.screenshot('native-prompts');
      await window.page.keyboard.press('Escape');
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.press('Delete');
    });

    it('a server’s resources can be attached', async () => {
      await window.page.locator('.interactive-session [aria-label^="Add Context"]').first().click();
      await window.pickRow('MCP Resources').click();
      // Narrowed: servers that list later move the rows.
      await window.pickRow('architecture.md').waitFor();
      await window.fillBox('architecture');
      await window.pickRow('extension.md').waitFor({ state: 'hidden' });
      await window.pickRow('architecture.md').click();
      await window.page.locator('.chat-attached-context', { hasText: 'architecture.md' }).waitFor();
      await window.screenshot('native-resource');
    });

    const askMe = callTool('everything__trigger-elicitation-request');

    it('a server’s question names the server; declined, the server is told', async () => {
      await window.send(askMe);
      await window.pickRow('Allow Once').click();
      await window.pickRow('Decline').waitFor();
      assert.match(await window.page.locator('.quick-input-widget').innerText(), /“everything” asks for information/);
      await window.screenshot('server-question');
      await window.pickRow('Decline').click();
      assert.match(await window.result(), /declined/i);
    });

    it('a server’s form is filled in field by field, with what is wrong said at once', async () => {
      await window.send(askMe);
      await window.pickRow('Allow Once').click();
      await window.pickRow('Answer…').click();
      const input = window.page.locator('.quick-input-widget');
      await input.getByText(/everything asks: .*\(1\/\d+\)/).waitFor();
      await window.pressInBox('Enter');
      await input.getByText('Enter a value.').waitFor();
      await window.screenshot('server-form');
      await window.fillBox('Ada Lovelace');
      // The rest have defaults or may stay empty.
      const ended = window.page.locator('.interactive-response:visible', { hasText: window.ending });
      while ((await ended.count()) === 0) {
        const before = await input.innerText();
        await window.page.keyboard.press('Enter');
        const isNext = async (): Promise<boolean> => (await input.isVisible()) && (await input.innerText()) !== before;
        await window.until(async () => (await ended.count()) > 0 || (await isNext()));
      }
      assert.match(await window.result(), /Ada Lovelace/);
    });
  });
}
