import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

export function resources(useWindow: UseSharedWindow): void {
  describe('resources and prompts in the editor', () => {
    let window: AgentWindow;
    const input = (): Locator => window.page.locator('.quick-input-widget');
    const tab = (label: string): Locator => window.page.locator('.tabs-container .tab', { hasText: label });
    const editorText = (text: string | RegExp): Locator =>
      window.page.locator('.editor-group-container .monaco-editor .view-lines', { hasText: text });
    const press = (key: string): Promise<void> => window.pressInBox(key);
    const type = (text: string): Promise<void> => window.fillBox(text);
    /** Runs one of our commands and picks a row of the list that it shows: narrowed to it, since only its first rows are drawn. */
    const pickFrom = (title: string, text: string, shown = async (): Promise<void> => {}): Promise<void> =>
      window.runAndAnswer(`MCP Switchboard: ${title}`, async (timeout) => {
        await input().getByText(title.replace('…', ''), { exact: true }).waitFor({ timeout });
        await shown();
        await window.fillBox(text, timeout);
        await window.pickRow(text).waitFor({ timeout });
        await window.pressInBox('Enter', timeout);
      });
    /** What a call of a read-only tool says. */
    const call = async (tool: string): Promise<string> => {
      await window.send(callTool(`offers__${tool}`));
      return window.result();
    };

    useWindow({}, (opened) => {
      window = opened;
    });

    it('Open Resource… lists what servers have, and opens a text in its language, read-only', async () => {
      await pickFrom('Open Resource…', 'offers://docs/guide', async () => {
        await window.pickRow('architecture.md').waitFor({ timeout: 20_000 });
        await window.screenshot('open-resource');
      });
      await tab('guide.md').waitFor();
      await editorText('Read *this* first.').waitFor();
      await window.page.locator('.statusbar-item', { hasText: 'Markdown' }).waitFor();
      await window.screenshot('resource-text');
    });

    it('a link to a command in a text runs nothing, however it is clicked', async () => {
      await pickFrom('Open Resource…', 'offers://docs/links');
      await tab('links').waitFor();
      // As soon as the editor finds links: the only one is that of the web.
      const lines = window.page.locator('.editor-group-container .monaco-editor .view-line');
      await window.page.locator('.monaco-editor .detected-link', { hasText: 'example.com' }).first().waitFor();
      for (const line of [lines.filter({ hasText: 'Continue' }), lines.filter({ hasText: '<command' })]) {
        await window.page.keyboard.down('Control');
        for (const x of [120, 160, 250]) await line.first().click({ position: { x, y: 8 } });
        await window.page.keyboard.up('Control');
      }
      assert.equal(await window.page.locator('.monaco-editor .detected-link', { hasText: 'command' }).count(), 0);
      await window.screenshot('resource-command-link');
      // What is done after it is there, and what it would have opened isn't.
      await pickFrom('Open Resource…', 'offers://docs/guide');
      await tab('guide.md').waitFor();
      assert.equal(await tab('Untitled').count(), 0);
    });

    it('a picture opens in the editor’s viewer', async () => {
      await pickFrom('Open Resource…', 'offers://pictures/icon');
      await tab('icon.png').waitFor();
      const frame = window.page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
      const image = frame.locator('img');
      await image.waitFor();
      assert.ok((await image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)) > 0);
      await window.screenshot('resource-picture');
    });

    it('a template’s arguments are proposed by the server, and back leads back', async () => {
      await pickFrom('Open Resource…', 'offers://cities');
      await input().getByText('city: city * (1/2)').waitFor();
      await window.pickRow('Oslo').waitFor();
      await type('Ber');
      await window.pickRow('Berlin').waitFor();
      await window.pickRow('Oslo').waitFor({ state: 'detached' });
      await window.screenshot('template-argument');
      await window.pickRow('Bergen').click();
      await input().getByText('city: lang (2/2)').waitFor();
      await window.page.locator('.quick-input-titlebar .codicon-quick-input-back').click();
      await input().getByText('city: city * (1/2)').waitFor();
      await press('Enter');
      await input().getByText('city: lang (2/2)').waitFor();
      await window.pickRow('no').click();
      await editorText('{"city":"Bergen","lang":"no"}').waitFor();
    });

    it('an open resource follows its server, and is unsubscribed from when it is closed', async () => {
      await pickFrom('Open Resource…', 'offers://counter');
      await editorText('The count is 0.').waitFor();
      assert.match(await call('count'), /^count 1, subscribed: .*offers:\/\/counter/);
      await editorText('The count is 1.').waitFor();
      await window.screenshot('resource-updated');
      await tab('counter').click({ button: 'middle' });
      await tab('counter').waitFor({ state: 'detached' });
      assert.doesNotMatch(await call('count'), /offers:\/\/counter/);
    });

    it('Run Prompt… fills in the arguments by keyboard and puts the prompt into the chat’s input, not sent', async () => {
      await pickFrom('Run Prompt…', 'Plan a Trip');
      await input().getByText('Plan a Trip: city * (1/2)').waitFor();
      await type('Os');
      // Oslo was there before, too: what was typed has to be the first by now.
      await input().locator('.monaco-list-row.focused[aria-label="Os"]').waitFor();
      await window.pickRow('Oslo').waitFor();
      await press('ArrowDown');
      await input().locator('.monaco-list-row.focused', { hasText: 'Oslo' }).waitFor();
      await press('Enter');
      await input().getByText('Plan a Trip: tone (2/2)').waitFor();
      await type('briefly');
      await window.pickRow('briefly').waitFor();
      await press('Enter');
      const chat = window.page.locator('.interactive-session .interactive-input-part .view-lines:visible');
      await chat.filter({ hasText: 'Plan a trip to Oslo, briefly.' }).waitFor();
      await chat.filter({ hasText: 'Resource offers://docs/guide:' }).waitFor();
      await window.screenshot('prompt-in-chat');
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.press('Delete');
    });
  });
}
