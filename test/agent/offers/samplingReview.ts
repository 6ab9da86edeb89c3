import { strict as assert } from 'node:assert';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

export function samplingReview(useWindow: UseSharedWindow): void {
  describe('a request to a model that is to be reviewed', () => {
    let window: AgentWindow;

    useWindow({ 'mcpSwitchboard.sampling.review': 'both' }, async (opened) => {
      window = opened;
      // What the suite before has never allowed.
      await window.runCommand('MCP Switchboard: Manage Permissions…');
      await window.pickRow('offers uses Demo Model').click();
    });

    it('is sent as the user changed it, and the answer goes on as they changed it', async () => {
      const messages = [{ role: 'user', content: { type: 'text', text: 'my secret plan' } }];
      const params = { messages, maxTokens: 50, modelPreferences: { hints: [{ name: 'demo' }] } };
      await window.send(callTool('offers__think', { params }), { sampled: { text: 'the model says so' } });
      await window.pickRow('Allow Once').click();
      const editor = window.page.locator('.editor-group-container .monaco-editor .view-lines');
      const sending = window.page.locator('.quick-input-widget').getByText('Send', { exact: true });
      // Below the list, which lies over the first lines.
      const focusEditor = (): Promise<void> => editor.first().click({ position: { x: 200, y: 500 } });
      await editor.getByText('my secret plan').waitFor();
      await window.screenshot('sampling-review');
      const secret = editor.getByText('my secret plan');
      const harmless = editor.getByText('my harmless plan');
      await window.until(async () => {
        // A double click in the middle takes the middle word. The list above can take the focus in between.
        await secret.dblclick({ timeout: 1_000 }).catch(() => undefined);
        if (!(await harmless.isVisible())) await window.page.keyboard.insertText('harmless');
        return harmless.isVisible();
      });
      await window.page.keyboard.press('Control+End');
      await window.page.keyboard.type('x');
      await editor.getByText('}x').waitFor();
      await sending.click();
      await window.pickRow('must be JSON').waitFor();
      await focusEditor();
      await window.page.keyboard.press('Control+End');
      await window.page.keyboard.press('Backspace');
      await sending.click();
      await editor.getByText('the model says so').waitFor();
      await window.page.getByPlaceholder('Send the document to the server').waitFor();
      await focusEditor();
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.insertText('the user says so');
      await sending.click();
      assert.match(await window.result(), /"text":"the user says so"/);
      const prompts = window.requests().map(({ prompt }) => prompt);
      assert.ok(prompts.includes('my harmless plan'));
      assert.ok(!prompts.includes('my secret plan'));
      assert.equal(await window.page.locator('.tabs-container .tab').count(), 0);
    });
  });
}
