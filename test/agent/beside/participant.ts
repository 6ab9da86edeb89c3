import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { sendChat, waitForModel } from '../../../scripts/lib/browser.mjs';
import { root } from '../../../scripts/lib/paths.mjs';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { HOSTILE } from '../../support/besideServers.ts';
import type { ModelRequest, Step } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

/** Of the model in one turn. */
export const MAX_STEPS = 3;

export function participant(useWindow: UseSharedWindow): void {
  describe('@mcp', () => {
    let window: AgentWindow;
    const answer = (text: string | RegExp): Locator =>
      window.page.locator('.interactive-session .interactive-response:visible', { hasText: text }).last();
    const followUp = (text: string | RegExp): Locator =>
      window.page.locator('.interactive-session .interactive-session-followups .monaco-button:visible', {
        hasText: text,
      });

    // The space ends what the editor would complete, so that Enter sends.
    const say = (text: string): Promise<void> => sendChat(window.page, `${text} `);

    /** Sends a message for the model, which plays `steps`, and gives its last request. */
    async function work(text: string, ...steps: Step[]): Promise<ModelRequest> {
      const ending = `end ${Date.now()}.`;
      window.script(...steps, { text: ending });
      await say(text);
      return window.turnEnded(ending);
    }

    /** What the waiting server has written down. */
    const noted = (): string[] => {
      const file = join(window.folder, 'waiting.log');
      return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    };

    useWindow({}, async (opened) => {
      window = opened;
      await waitForModel(window.page, 'Demo');
    });

    it('/servers shows every server with its state, and what can be done with it; a name is only a name', async () => {
      await say('@mcp /servers');
      await answer('6 of 7 servers connected').waitFor();
      await answer(HOSTILE).waitFor();
      const rows = answer('servers connected').locator('tr');
      const targets = await rows
        .locator('[data-href]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('data-href') ?? ''));
      assert.equal(targets.length, 7);
      assert.deepEqual(
        targets.filter((target) => !target.startsWith('command:mcpSwitchboard.')),
        [],
      );
      assert.equal(await rows.locator('img').count(), 0);
      await window.screenshot('participant-servers');
    });

    it('a link in the table acts on its server', async () => {
      const row = answer('servers connected').locator('tr', { hasText: 'memory' });
      await row.getByText('Disconnect').evaluate((link) => (link as unknown as { click(): void }).click());
      await window.until(() => window.serverProcesses()['mcp-server-memory'] === 0);
    });

    it('follow-ups are offered, and send what they say', async () => {
      await say('/servers');
      await answer('5 of 7 servers connected').waitFor();
      await window.screenshot('participant-follow-ups');
      await followUp('/connect memory').first().click();
      await answer('memory: connected').waitFor();
      assert.equal(window.serverProcesses()['mcp-server-memory'], 1);
    });

    it('with many tools the model has the search; /search loads what it finds', async () => {
      const before = await work('hello', { call: { name: 'mcp_tool_search', input: { query: 'wait' } } });
      const names = before.offered.map(({ name }) => name);
      assert.ok(names.includes('mcp_tool_search') && names.includes('mcp_call_tool'));
      assert.ok(!names.includes('mcp__notes__delete_note'));
      await say('/search delete a note');
      await answer(/of \d+ matching tools/).waitFor();
      await window.screenshot('participant-search');
      const { offered } = await work('hello again');
      assert.ok(offered.some(({ name }) => name === 'mcp__notes__delete_note'));
    });

    it('/tools says what a server’s tools may do and what to fix; /stats what they cost', async () => {
      await say('/tools everything');
      await answer('What would make them easier to use well').waitFor();
      await window.screenshot('participant-tools');
      await say('/stats');
      await answer('Context saved').waitFor();
      await window.screenshot('participant-stats');
    });

    it('/disconnect and /connect do what they say, in whatever case', async () => {
      await say('/disconnect NOTES');
      await answer('notes: Disconnected').waitFor();
      assert.equal(window.serverProcesses()['mcp-switchboard-notes'], 0);
      await say('/connect notes');
      await answer('notes: connected').waitFor();
      assert.equal(window.serverProcesses()['mcp-switchboard-notes'], 1);
      await say('/connect nobody');
      await answer('Server “nobody” not found').waitFor();
    });

    it('works with the model and the tools: asks before what destroys, and shows each call with what came back', async () => {
      await window.send(
        { call: { name: 'mcp__notes__list_notes', input: {} } },
        {
          call: { name: 'mcp_call_tool', input: { name: 'mcp__notes__delete_note', arguments: { title: 'Welcome' } } },
        },
      );
      await window.cardButton('Deny').waitFor();
      await window.screenshot('participant-question');
      await window.cardButton('Deny').click();
      const { results, messages } = await window.turnEnded();
      assert.match(results[0]?.text ?? '', /Welcome/);
      assert.match(results[1]?.text ?? '', /^The user denied/);
      assert.ok(window.notes().some((name) => name.includes('Welcome')));
      assert.match(
        messages.join('\n'),
        /- notes \(\d+ tools\)[\s\S]*What the server waiting says of itself:\nWaits for you\./,
      );
      const turn = answer(window.ending);
      await turn.getByText('✓ mcp__notes__list_notes').waitFor({ state: 'attached' });
      await turn.getByText('⊘ mcp__notes__delete_note').waitFor({ state: 'attached' });
      await window.screenshot('participant-calls');
    });

    it('what only reads runs side by side', async () => {
      const slow = { name: 'mcp__waiting__slow', input: {} };
      const { results } = await work('both', { calls: [slow, slow] });
      assert.equal(results.length, 2);
      assert.deepEqual(noted(), ['slow started', 'slow started', 'slow ended', 'slow ended']);
    });

    it('a message that is stopped cancels its call at the server, after its progress was shown', async () => {
      window.script({ call: { name: 'mcp__waiting__wait', input: {} } }, { text: 'never said.' });
      await say('wait');
      // What the server says of it is a text.
      await answer(/waiting for you \[here\]\s\(https:\/\/e\.vil\)/).waitFor();
      await window.screenshot('participant-progress');
      await window.page.locator('.interactive-session [aria-label^="Cancel"]:visible').first().click();
      await window.until(() => noted().includes('cancelled'));
      assert.deepEqual(noted().slice(-2), ['wait started', 'cancelled']);
    });

    it('calls no tool of the editor that it was not given', async () => {
      const input = { query: 'anything' };
      const { results } = await work('look around', {
        calls: [
          { name: 'copilot_findFiles', input },
          { name: 'mcp_tool_search', input },
        ],
      });
      assert.match(results[0]?.text ?? '', /Unknown tool "copilot_findFiles"/);
      assert.match(results[1]?.text ?? '', /tools/);
    });

    it('images reach a model that takes them, and no other', async () => {
      const image = { call: { name: 'mcp__everything__get-tiny-image', input: {} } };
      const seen = await work('a picture', image);
      assert.deepEqual(seen.results[0]?.data, ['image/png']);
      await window.capabilities({ imageInput: false });
      const blind = await work('a picture again', image);
      assert.deepEqual(blind.results[0]?.data, []);
      assert.match(blind.results[0]?.text ?? '', /\(image\/png, \d+ bytes\), which you can't see/);
      await window.capabilities({});
    });

    it('stops at the limit of steps; Continue goes on with what was found', async () => {
      const list: Step = { call: { name: 'mcp__notes__list_notes', input: {} } };
      window.script(list, list, list, list, { text: 'never said.' });
      await say('a long one');
      await answer(`Stopped after ${MAX_STEPS} steps`).waitFor();
      await window.screenshot('participant-limit');
      window.script({ text: 'and on it goes.' });
      await followUp('Continue').first().click();
      const { prompt, earlierResults } = await window.turnEnded('and on it goes.');
      assert.match(prompt, /continue/);
      assert.ok(earlierResults >= MAX_STEPS, `${earlierResults}`);
    });

    it('an attached file and a selection reach the model with their contents', async () => {
      const { page } = window;
      await page.keyboard.press('Control+P');
      await window.fillBox('shopping-list.md');
      await window.pickRow('shopping-list.md').click();
      await page.locator('.editor-group-container .monaco-editor .view-line').first().waitFor();
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('Shift+End');
      await window.runCommand('Chat: Add Selection to Chat');
      await window.runCommand('Chat: Add File to Chat');
      await page.locator('.chat-attached-context-attachment', { hasText: 'shopping-list.md' }).nth(1).waitFor();
      await window.screenshot('participant-references');
      const { prompt, messages } = await work('what is this?');
      const [first = ''] = readFileSync(join(window.folder, 'shopping-list.md'), 'utf8').split('\n');
      const text = messages.at(-1) ?? prompt;
      assert.match(text, /shopping-list\.md, lines 1 to 1:/);
      assert.ok(
        text.includes(first) && text.includes(readFileSync(join(window.folder, 'shopping-list.md'), 'utf8').trim()),
      );
      assert.match(text, /what is this\?/);
    });

    it('/plan says what plan mode holds back', async () => {
      await say('/plan on');
      await answer('Plan mode is on').waitFor();
      const add = { name: 'mcp__notes__add_note', input: { title: 'Planned', text: 'later' } };
      await work('add it', { call: add });
      assert.ok(!window.notes().some((name) => name.includes('Planned')));
      await say('/plan');
      await answer('"title": "Planned"').waitFor();
      await window.screenshot('participant-plan');
      await answer('Discard All')
        .locator('tr', { hasText: 'Planned' })
        .getByText('Discard', { exact: true })
        .evaluate((link) => (link as unknown as { click(): void }).click());
      await say('/plan off');
      await answer('No planned calls').waitFor();
    });

    it('/prompt lists prompts, runs one, and asks for an argument that is missing', async () => {
      await say('/prompt');
      await answer('args-prompt').waitFor();
      await window.screenshot('participant-prompts');
      const given = await work('/prompt args-prompt city=Paris');
      assert.match(given.messages.at(-1) ?? '', /Paris/);
      const ending = 'after the question.';
      window.script({ text: ending });
      await say('/prompt args-prompt');
      await window.fillBox('Oslo');
      await window.page.locator('.quick-input-widget .monaco-list-row.focused[aria-label="Oslo"]').waitFor();
      await window.pressInBox('Enter');
      const asked = await window.turnEnded(ending);
      assert.match(asked.messages.at(-1) ?? '', /Oslo/);
    });

    it('/resource lists resources, shows one, and takes a question about it to the model', async () => {
      await say('/resource');
      await answer('architecture.md').waitFor();
      const uri = 'demo://resource/static/document/architecture.md';
      await say(`/resource ${uri}`);
      await answer('# Everything Server').waitFor();
      await window.screenshot('participant-resource');
      const { messages } = await work(`/resource ${uri} What is it about?`);
      assert.match(messages.at(-1) ?? '', /What is it about\?/);
      assert.match(messages.at(-2) ?? '', /Resource demo:.*architecture\.md:\n# Everything Server/);
    });

    it('/add shows the command, asks for a name and a place, and says what came of it', async () => {
      // By its path: a server of the session starts in a folder of its own, where npx finds nothing.
      await say(`/add node ${join(root, 'node_modules/.bin/mcp-server-memory')}`);
      await window.page.getByText('Command or URL').waitFor();
      await window.pressInBox('Enter');
      await window.page.getByText('Server name').waitFor();
      await window.fillBox('added');
      await window.pressInBox('Enter');
      await window.pickRow('session').click();
      await answer(/added was added/).waitFor();
      await window.screenshot('participant-add');
      await window.until(() => window.serverProcesses()['mcp-server-memory'] === 2);
    });

    it('a model that can’t call tools is told so', async () => {
      await window.capabilities({ toolCalling: false });
      const before = window.requests().length;
      await say('hello');
      await answer(/can’t call tools/).waitFor();
      await window.screenshot('participant-no-tools');
      assert.equal(window.requests().length, before);
    });
  });
}
