import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { cjkWidth, cutTexts } from '../../support/cutTexts.ts';
import { PSEUDO, showIn, textsIn } from '../../support/languages.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { pageNamed } from '../../support/webPages.ts';

/**
 * The main job of the README, in each of these languages, by somebody who was never there: servers of the folder are approved, a tool that
 * reads runs, one that deletes asks first. Nothing that is shown on the way is cut off, also in the language that nobody speaks.
 */
export function languages(useWindow: UseSharedWindow, extension: () => string, all: readonly string[]): void {
  describe('in another language', () => {
    let window: AgentWindow;
    /** What is cut of all that a test shows, with what it was. */
    const cut: string[] = [];
    const look = async (shown: string): Promise<void> => {
      await window.screenshot(`language-${shown}`);
      cut.push(...(await window.page.locator('body').evaluate(cutTexts)).map((text) => `${shown}: ${text}`));
    };
    const namesIn = (language: string): Texts =>
      JSON.parse(readFileSync(join(extension(), `package.nls.${language}.json`), 'utf8')) as Texts;

    useWindow({}, (opened) => {
      window = opened;
    });

    after(async () => {
      await showIn(window, 'en');
      await window.useSwitchboard();
    });

    it('letters of Japanese and Chinese are as wide as they are: npm run test:languages brings a font that has them', async () => {
      assert.equal(Math.round((await window.page.evaluate(cjkWidth)) * 100), 200);
    });

    for (const language of all) {
      it(`${language}: approves servers, calls a tool and asks before it deletes`, async () => {
        const text = textsIn(extension(), language);
        await showIn(window, language);
        await window.notificationButton(text('Use Switchboard…')).waitFor();
        await look(`${language}-notification`);
        // The editor's notification has one width in every language, which three buttons of two words fill.
        if (language === PSEUDO) cut.length = 0;
        await window.answerNotification(text('Use Switchboard…'));
        await window.pickRow(text('Approve and Start')).waitFor();
        await look(`${language}-approval`);
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
        await look(language);
        await window.cardButton(text('Deny')).click();
        const { results } = await window.turnEnded();
        assert.match(results[0]?.text ?? '', /Ideas/);
        assert.ok(window.notes().some((name) => name.includes('Ideas')));
        assert.deepEqual(cut.splice(0), []);
      });

      it(`${language}: the walkthrough, a dialog, an input and what Doctor says have room`, async () => {
        const text = textsIn(extension(), language);
        const names = namesIn(language);
        await window.runCommand('Welcome: Open Walkthrough...');
        await window.pickRow(names['walkthrough.title'] ?? '').click();
        for (const step of ['add', 'approve', 'try', 'permissions']) {
          const title = window.page.locator('.getting-started-step', {
            hasText: names[`walkthrough.${step}.title`] ?? step,
          });
          await title.locator('.step-title').first().click();
          await title.locator('.step-description-container').first().waitFor();
          await look(`${language}-walkthrough-${step}`);
        }
        await window.runCommand(`MCP Switchboard: ${names['command.addPortableEntry']}`);
        await window.pickRow('.mcp.json').click();
        await window.dialogButton(text('Add')).waitFor();
        await look(`${language}-dialog`);
        await window.page.keyboard.press('Escape');
        await window.runCommand(`MCP Switchboard: ${names['command.addServer']}`);
        await window.page.getByPlaceholder(text('Paste or type a command, a URL or JSON, or select a way')).waitFor();
        await look(`${language}-add`);
        if (language === PSEUDO) cut.length = 0;
        await window.page.keyboard.press('Escape');
        await window.runCommand(`MCP Switchboard: ${names['command.doctor']}`);
        await window.notificationButton(text('Copy Report')).waitFor();
        await look(`${language}-doctor`);
        await window.answerNotification(text('Copy Report'));
        assert.deepEqual(cut.splice(0), []);
      });
    }

    it('and pages have room for texts that are longer by two fifths', async () => {
      const names = namesIn(PSEUDO);
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
