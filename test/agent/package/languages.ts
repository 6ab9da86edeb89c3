import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { cutTexts } from '../../support/cutTexts.ts';
import { PSEUDO, showIn, textsIn } from '../../support/languages.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { pageNamed } from '../../support/webPages.ts';

/**
 * The main job of the README, in each of these languages, by somebody who was never there: servers of the folder are approved, a tool that
 * reads runs, one that deletes asks first. In the language that nobody speaks, nothing is cut off.
 */
export function languages(useWindow: UseSharedWindow, extension: () => string, all: readonly string[]): void {
  describe('in another language', () => {
    let window: AgentWindow;

    useWindow({}, (opened) => {
      window = opened;
    });

    after(async () => {
      await showIn(window, 'en');
      await window.useSwitchboard();
    });

    for (const language of all)
      it(`${language}: approves servers, calls a tool and asks before it deletes`, async () => {
        const text = textsIn(extension(), language);
        await showIn(window, language);
        await window.notificationButton(text('Use Switchboard…')).waitFor();
        await window.screenshot(`language-${language}-notification`);
        // The editor's notification has one width in every language, which three buttons of two words fill.
        if (language !== PSEUDO) assert.deepEqual(await window.page.locator('body').evaluate(cutTexts), []);
        await window.answerNotification(text('Use Switchboard…'));
        await window.pickRow(text('Approve and Start')).waitFor();
        await window.screenshot(`language-${language}-approval`);
        await window.pickRow(text('Approve and Start')).click();
        await window.page.locator('.activitybar [aria-label^="MCP Switchboard"]').first().click();
        await window.treeRow('notes', text('{0} tools', '4')).first().waitFor();
        await window.send(callTool('notes__list_notes'), callTool('notes__delete_note', { title: 'Ideas' }));
        await window.cardButton(text('Deny')).waitFor();
        const shown = await window.page.locator('.interactive-session').first().innerText();
        assert.ok(
          shown.replaceAll('\u00a0', ' ').includes(text('Allow “{0}” on {1}?', 'Delete a note', 'notes')),
          shown,
        );
        await window.screenshot(`language-${language}`);
        assert.deepEqual(await window.page.locator('body').evaluate(cutTexts), []);
        await window.cardButton(text('Deny')).click();
        const { results } = await window.turnEnded();
        assert.match(results[0]?.text ?? '', /Ideas/);
        assert.ok(window.notes().some((name) => name.includes('Ideas')));
      });

    it('and pages have room for texts that are longer by two fifths', async () => {
      const names = JSON.parse(readFileSync(join(extension(), `package.nls.${PSEUDO}.json`), 'utf8')) as Texts;
      for (const [key, title] of Object.entries(PAGES)) {
        await window.runCommand(`MCP Switchboard: ${names[key]}`);
        const frame = await pageNamed(window, textsIn(extension(), PSEUDO)(title));
        await window.screenshot(`language-${key}`);
        assert.deepEqual(await frame.locator('body').evaluate(cutTexts), []);
      }
    });
  });
}

type Texts = Readonly<Record<string, string>>;

const PAGES = { 'command.showContextBudget': 'Context Budget', 'command.showUsage': 'Usage' };
