import { strict as assert } from 'node:assert';
import type { AgentWindow } from '../../support/agentWindow.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';

export function api(useWindow: UseSharedWindow): void {
  describe('another extension through the API', () => {
    let window: AgentWindow;

    useWindow({}, (opened) => {
      window = opened;
    });

    const said = (text: string): Promise<void> =>
      window.page.locator('.notification-toast', { hasText: text }).last().waitFor();

    it('is named in the question about its call, and a no is a no', async () => {
      const before = window.notes();
      await window.runCommand('Sample: Delete All Notes');
      await window.page.getByText('Called by the extension sample.switchboard-sample').first().waitFor();
      await window.screenshot('api-question');
      await window.page.keyboard.press('Escape');
      await said('Sample: denied: The user denied');
      assert.deepEqual(window.notes(), before);
    });

    it('writes nothing to the user’s own servers that they decline', async () => {
      await window.runCommand('Sample: Add a Server of Mine');
      await window.page.getByText('to write MCP servers to your configuration').first().waitFor();
      await window.page.getByText('Runs: sample-server --now').first().waitFor();
      await window.screenshot('api-write');
      // It may come up while the user types.
      await window.page.keyboard.press('Enter');
      await said('Sample: denied: The user denied the change');
      assert.equal(await window.treeRow('of-sample').count(), 0);
      await window.runCommand('Sample: Add a Server of Mine');
      await window.dialogButton('Write Servers').click();
      await window.treeRow('of-sample').waitFor();
    });
  });
}
