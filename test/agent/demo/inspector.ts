import { strict as assert } from 'node:assert';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { root } from '../../../scripts/lib/paths.mjs';
import type { AgentWindow } from '../../support/agentWindow.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pickFromRowMenu } from '../../support/viewRows.ts';
import { axeFaults, pageNamed } from '../../support/webPages.ts';

const THEMES = {
  light: 'Default Light Modern',
  contrast: 'Default High Contrast',
  dark: 'Default Dark Modern',
};

export function inspector(useWindow: UseSharedWindow): void {
  describe('the inspector', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
      const command = process.execPath;
      const script = "console.error('no <b>database</b> at all'); process.exit(3)";
      await window.changeSettings({
        'mcpSwitchboard.servers': {
          broken: { command, args: ['-e', script] },
          markup: { command, args: [path.join(root, 'test/fixtures/servers/markup.mjs')] },
        },
        'mcpSwitchboard.reconnect.maxAttempts': 0,
      });
    });

    async function open(): Promise<Frame> {
      await window.runCommand('MCP Switchboard: Open Inspector');
      return pageNamed(window, 'Inspector');
    }

    /** By keyboard: from the tab that is chosen, with arrows. */
    async function goTo(frame: Frame, name: string): Promise<void> {
      const chosen = frame.getByRole('tab', { selected: true });
      for (let at = await chosen.innerText(); at !== name; at = await chosen.innerText()) {
        await chosen.focus();
        await window.page.keyboard.press('ArrowRight');
        // A tab is selected a moment after it has the focus; where the window had it in that moment, the key is pressed again.
        await window.until(async () => (await chosen.innerText()) !== at, 5_000).catch(() => undefined);
      }
      await frame.getByRole('tab', { name, exact: true, selected: true }).waitFor();
    }

    async function chooseServer(frame: Frame, name: string): Promise<void> {
      await frame.getByLabel('Server', { exact: true }).first().selectOption({ label: name });
    }

    async function isAccessible(frame: Frame, name: string): Promise<void> {
      for (const [theme, label] of Object.entries(THEMES)) {
        await window.changeSettings({ 'workbench.colorTheme': label });
        const kind = theme === 'contrast' ? 'high-contrast' : theme;
        await frame.locator(`body.vscode-${kind}`).waitFor();
        assert.deepEqual(await axeFaults(frame), [], `${name}, ${theme}`);
        await window.screenshot(`inspector-${name}-${theme}`);
      }
      await window.changeSettings({ 'workbench.colorTheme': null });
    }

    it('says in which state servers are, and of one that failed why, with its last lines as they are', async () => {
      const frame = await open();
      await goTo(frame, 'Server');
      await frame
        .getByRole('row', { name: /broken/ })
        .filter({ hasText: /exit|code 3/i })
        .waitFor();
      await frame.locator('pre', { hasText: 'no <b>database</b> at all' }).waitFor();
      await isAccessible(frame, 'server');
    });

    it('opens from the row of a tool, with a form for it; a call asks as any other, and its result is shown', async () => {
      await window.showTree();
      await window.expandTools('notes');
      await focusRow(window, 'Servers', 'add_note');
      await pickFromRowMenu(window, 'Open Inspector');
      const frame = await pageNamed(window, 'Inspector');
      await frame.getByRole('tab', { name: 'Tools', selected: true }).waitFor();
      const title = frame.getByLabel('title', { exact: true });
      await title.focus();
      await window.page.keyboard.type('Inspected');
      await frame.getByRole('button', { name: 'Run: add_note' }).click();
      await frame.locator('.problems li').first().waitFor();
      await frame.getByLabel('text', { exact: true }).focus();
      await window.page.keyboard.type('by keyboard');
      assert.match(await frame.getByLabel('As JSON').inputValue(), /"title": "Inspected",\n {2}"text": "by keyboard"/);
      await isAccessible(frame, 'tools');
      await frame.getByRole('button', { name: 'Run: add_note' }).focus();
      await window.page.keyboard.press('Enter');
      await window.pickRow('Allow Once').waitFor();
      await window.screenshot('inspector-asks');
      await window.pickRow('Allow Once').click();
      await frame.locator('pre', { hasText: 'Added the note' }).waitFor();
      assert.ok(window.notes().some((name) => name.includes('Inspected')));
      await window.screenshot('inspector-result');
    });

    it('runs again with a change, compares two results, and takes an earlier input', async () => {
      const frame = await open();
      await goTo(frame, 'Tools');
      await chooseServer(frame, 'everything');
      const tool = frame.getByLabel('Tool', { exact: true });
      await tool.selectOption({ value: 'mcp__everything__echo' });
      const message = frame.getByLabel('message', { exact: true });
      const run = frame.getByRole('button', { name: 'Run: echo' });
      for (const text of ['first', 'second']) {
        await message.fill(text);
        await run.click();
        await allowed(window, frame.locator('pre', { hasText: `Echo: ${text}` }));
      }
      await frame.getByLabel('Compare with').selectOption({ index: 1 });
      await frame.locator('pre', { hasText: /-Echo: first\s+\+Echo: second/ }).waitFor();
      await window.screenshot('inspector-compare');
      await frame.getByLabel('Earlier input').selectOption({ index: 2 });
      await window.until(async () => (await message.inputValue()) === 'first');
      await tool.selectOption({ value: 'mcp__everything__get-tiny-image' });
      await frame.getByRole('button', { name: 'Run: get-tiny-image' }).click();
      await allowed(window, frame.locator('img'));
      await window.until(() =>
        frame.locator('img').evaluate((image) => 'naturalWidth' in image && Number(image.naturalWidth) > 0),
      );
    });

    it('reads a resource and gets a prompt with its arguments', async () => {
      const frame = await open();
      await chooseServer(frame, 'everything');
      await goTo(frame, 'Resources');
      await frame.getByRole('button', { name: /^Read: / }).click();
      await frame.getByRole('heading', { level: 2 }).nth(1).waitFor();
      await isAccessible(frame, 'resources');
      await goTo(frame, 'Prompts');
      const prompt = frame.getByLabel('Prompt', { exact: true });
      // The page is there before the server has listed them.
      await prompt.waitFor();
      const options = await prompt.locator('option').allInnerTexts();
      await prompt.selectOption({ label: options.find((label) => /args-prompt|complex/.test(label)) ?? '' });
      const get = frame.getByRole('button', { name: /^Get: / });
      await frame
        .getByLabel(/city|temperature/)
        .first()
        .waitFor();
      await get.click();
      await frame.locator('.problems li').first().waitFor();
      await frame.locator('.field textarea').first().fill('Oslo');
      await get.click();
      await frame.locator('pre', { hasText: 'Oslo' }).waitFor();
      await window.screenshot('inspector-prompts');
      await prompt.selectOption({ label: options.find((label) => /completable|Team/.test(label)) ?? '' });
      await frame.getByLabel('department').fill('Sales');
      await frame.getByRole('button', { name: /^Propose Values: / }).click();
      await frame.locator('.field input[list]').first().waitFor();
      assert.deepEqual(await frame.locator('datalist').last().locator('option').allTextContents(), [
        'David',
        'Eve',
        'Frank',
      ]);
      assert.equal(await frame.locator('.field input[list]').first().inputValue(), 'Sales');
      await isAccessible(frame, 'proposals');
      await window.screenshot('inspector-proposals');
    });

    it('by keyboard alone: a request is found among the messages, with its answer, and what is said of it', async () => {
      const frame = await open();
      await chooseServer(frame, 'everything');
      await goTo(frame, 'Messages');
      await isAccessible(frame, 'messages');
      await frame.getByLabel('Search', { exact: true }).focus();
      await window.page.keyboard.type('Echo: second');
      const list = frame.getByRole('listbox', { name: 'Messages' });
      await list.getByRole('option').filter({ hasText: 'Echo: second' }).first().waitFor();
      // What is next is the list, however many filters there are.
      await window.until(async () => {
        if (await list.evaluate((element) => element === element.ownerDocument.activeElement)) return true;
        await window.page.keyboard.press('Tab');
        return false;
      });
      await window.page.keyboard.press('End');
      await frame.getByText(/^Era: .* · For call-\d+ · /).waitFor();
      await frame.getByRole('heading', { name: 'Response' }).waitFor();
      await window.screenshot('inspector-messages-keyboard');
      assert.deepEqual(await axeFaults(frame), [], 'messages with one picked');
      await frame.getByLabel('Search', { exact: true }).fill('');
    });

    it('has the tasks and the sign-ins of servers', async () => {
      const frame = await open();
      await goTo(frame, 'Tasks');
      await frame.getByRole('heading', { name: 'Tasks' }).waitFor();
      await isAccessible(frame, 'tasks');
      await goTo(frame, 'Sign-in');
      await frame.getByText('Only remote servers have a sign-in.').waitFor();
      await isAccessible(frame, 'sign-in');
    });

    it('pauses, and goes on', async () => {
      const frame = await open();
      await goTo(frame, 'Messages');
      await frame.getByRole('button', { name: 'Pause' }).focus();
      await window.page.keyboard.press('Enter');
      await frame.getByRole('button', { name: 'Pause', pressed: true }).waitFor();
      await window.page.keyboard.press('Enter');
    });

    it('has the lines of stderr in the log, and states and calls on a timeline with its table', async () => {
      const frame = await open();
      await goTo(frame, 'Log');
      const lines = frame.getByRole('listbox', { name: 'Log' }).getByRole('option');
      await lines.filter({ hasText: 'no <b>database</b> at all' }).first().waitFor();
      await isAccessible(frame, 'log');
      await goTo(frame, 'Timeline');
      await frame.locator('.bars li', { hasText: 'tools/call' }).first().waitFor();
      await isAccessible(frame, 'timeline');
      await frame.locator('h1').click();
      await window.page.keyboard.press('t');
      await frame
        .getByRole('table', { name: 'Timeline' })
        .getByRole('row', { name: /tools\/call/ })
        .first()
        .waitFor();
      assert.deepEqual(await axeFaults(frame), [], 'timeline as a table');
      await window.screenshot('inspector-timeline-table');
      await window.page.keyboard.press('t');
    });

    it('asks a server for what there isn’t, and says what its author can do', async () => {
      const frame = await open();
      await chooseServer(frame, 'everything');
      await goTo(frame, 'Conformance');
      await frame.getByRole('button', { name: 'Ask the Server' }).click();
      const row = frame.getByRole('row', { name: /An unknown method is refused/ });
      await row.filter({ hasText: 'Passed' }).waitFor();
      await isAccessible(frame, 'conformance');
    });

    it('shows a hostile server’s texts as texts, with what hides written out, and nothing of it runs', async () => {
      const frame = await open();
      await chooseServer(frame, 'markup');
      const isHarmless = async (tab: string): Promise<void> => {
        assert.equal(await frame.locator('a, iframe, svg script, img:not([src^="data:image/png"])').count(), 0, tab);
        const text = await frame.locator('main').innerText();
        assert.doesNotMatch(text, /[\u202E\u200b]/, tab);
        const json = frame.getByLabel('As JSON', { exact: true });
        if ((await json.count()) > 0) assert.doesNotMatch(await json.inputValue(), /[\u202E\u200b]/, tab);
        assert.match(text, /<img src=x/, tab);
        assert.notEqual(await frame.title(), 'evil', tab);
      };
      await goTo(frame, 'Server');
      await frame.locator('pre', { hasText: '<img src=x' }).waitFor();
      await isHarmless('server');
      await goTo(frame, 'Tools');
      await frame.getByRole('button', { name: 'Run: show' }).click();
      await frame.locator('pre', { hasText: 'javascript:alert(1)' }).first().waitFor();
      await isHarmless('tools');
      await window.screenshot('inspector-hostile-tools');
      for (const [tab, button] of [
        ['Resources', /^Read: /],
        ['Prompts', /^Get: /],
      ] as const) {
        await goTo(frame, tab);
        await frame.getByRole('button', { name: button }).click();
        await frame.locator('pre', { hasText: '<img src=x' }).waitFor();
        await isHarmless(tab);
      }
    });
  });
}

/** Waits for something that a call makes, and allows the call where it asks. */
async function allowed(window: AgentWindow, made: Locator): Promise<void> {
  const button = window.pickRow('Allow Once');
  await window.until(async () => (await made.isVisible()) || (await button.isVisible()));
  if (await button.isVisible()) await button.click();
  await made.waitFor();
}
