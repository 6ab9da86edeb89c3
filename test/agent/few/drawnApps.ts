import { strict as assert } from 'node:assert';
import type { Frame, Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { axeFaults, pageNamed } from '../../support/webPages.ts';

const RESULT = 'result of show_chart';

export function drawnApps(useWindow: UseSharedWindow): void {
  describe('an app that we draw', () => {
    let window: AgentWindow;

    useWindow({ 'mcpSwitchboard.toolExposure': 'search' }, (opened) => {
      window = opened;
    });

    /** The frames that have this, the app's own and the document around it among them. */
    async function frameWith(selector: string, text: string): Promise<Frame> {
      let found: Frame | undefined;
      await window.until(async () => {
        for (const frame of window.page.frames()) {
          const place = frame.locator(selector, { hasText: text });
          if ((await place.count().catch(() => 0)) > 0 && (await place.first().isVisible())) found = frame;
        }
        return found !== undefined;
      });
      assert.ok(found);
      return found;
    }
    const app = (): Promise<Frame> => frameWith('#fetched', 'result of chart_data');
    const around = (): Promise<Frame> => frameWith('#heading', 'App of show_chart on apps');
    const tab = (): Locator => window.page.locator('.tab', { hasText: 'show_chart' });

    async function closeAll(): Promise<void> {
      await window.runCommand('View: Close All Editors');
      await window.until(async () => (await tab().count()) === 0);
    }

    it('is beside what there is after mcp_call_tool, without the focus, in the colours of the theme', async () => {
      await window.untilOffered('mcp_call_tool');
      await window.send(callTool('apps__show_chart'));
      assert.match(await window.result(), /result of show_chart/);
      const frame = await app();
      assert.equal(await frame.locator('#given').innerText(), RESULT);
      assert.match(await frame.locator('#theme').innerText(), /^light #[0-9a-f]{6}$/);
      await window.screenshot('app-drawn');
      await window.changeSettings({ 'workbench.colorTheme': 'Default Dark Modern' });
      await window.until(async () => (await frame.locator('#theme').innerText()).startsWith('dark #'));
      await window.screenshot('app-drawn-dark');
      await window.changeSettings({ 'workbench.colorTheme': null });
    });

    it('is a page that can be used by keyboard and screen reader, with the result as text', async () => {
      const frame = await around();
      assert.deepEqual(await axeFaults(frame), []);
      await frame.getByText('Result as text').click();
      assert.equal(await frame.locator('#result-text').innerText(), RESULT);
    });

    it('has its links and messages asked about; a message is put into the chat, and not sent', async () => {
      const frame = await app();
      const asked = (text: string): Promise<void> =>
        window.until(async () => (await frame.locator('#asked').innerText()) === text);
      await frame.locator('#link').click();
      await window.dialogButton('Open example.com in the Browser').waitFor();
      await window.screenshot('app-asks-link');
      // It may come up while the user types.
      await window.page.keyboard.press('Enter');
      await asked('link {"isError":true}');
      await frame.locator('#message').click();
      await window.dialogButton('Write into Chat').click();
      await asked('message {"isError":false}');
      const input = window.page.locator('.interactive-session .interactive-input-part .monaco-editor').first();
      await window.until(async () =>
        (await input.innerText()).replaceAll('\u00a0', ' ').includes('What the app wants'),
      );
      await window.screenshot('app-message');
      await input.click();
      await window.page.keyboard.press('Control+A');
      await window.page.keyboard.press('Delete');
    });

    it('is drawn for @mcp, and for the inspector, which says what the app called', async () => {
      await closeAll();
      window.script({ call: { name: 'mcp__apps__show_chart', input: {} } }, { text: 'drawn for @mcp.' });
      await window.say('@mcp draw ');
      await window.turnEnded('drawn for @mcp.');
      await app();
      await closeAll();
      await window.runCommand('MCP Switchboard: Open Inspector');
      const inspector = await pageNamed(window, 'Inspector');
      await inspector.getByRole('tab', { name: 'Server', exact: true }).focus();
      await window.page.keyboard.press('ArrowRight');
      await inspector.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
      await inspector.getByLabel('Tool', { exact: true }).selectOption({ value: 'mcp__apps__show_chart' });
      await inspector.getByRole('button', { name: 'Run: show_chart' }).click();
      await app();
      await window.screenshot('app-inspector');
    });

    it('that has no page says why, and its result is there', async () => {
      await closeAll();
      await window.send(callTool('apps__show_nothing'));
      assert.match(await window.result(), /result of show_nothing/);
      const frame = await frameWith('#status', 'The app can’t be shown.');
      assert.match(await frame.locator('#status').innerText(), /text\/html;profile=mcp-app/);
      assert.equal(await frame.locator('#result-text').innerText(), 'result of show_nothing');
      await window.screenshot('app-failed');
    });
  });
}
