import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { Frame } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { callTool } from '../../support/script.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { focusRow, pane, pickFromRowMenu } from '../../support/viewRows.ts';
import { pageNamed } from '../../support/webPages.ts';

/** More than any page has controls: who hasn't left it after so many keys is trapped. */
const MAX_TABS = 150;

/** What a new user does who has no mouse: where the focus goes, and where it comes back to. */
export function keyboardOnly(useWindow: UseSharedWindow): void {
  describe('by keyboard alone', () => {
    let window: AgentWindow;
    useWindow({}, async (opened) => {
      window = opened;
      await window.choosePermissions('Default permissions');
      await window.showTree();
    });

    const press = (...keys: readonly string[]): Promise<void> =>
      keys.reduce((done, key) => done.then(() => window.page.keyboard.press(key)), Promise.resolve());

    /** A command from the palette. */
    async function run(title: string): Promise<void> {
      await window.until(async () => {
        await press('F1');
        await window.box.waitFor();
        // At once: the palette draws its list anew at each character, a second of a processor for a title.
        await window.page.keyboard.insertText(`MCP Switchboard: ${title}`);
        const row = window.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: title });
        return row.waitFor({ timeout: 10_000 }).then(
          () => true,
          () => false,
        );
      });
      await press('Enter');
    }

    /** The view has the focus, and this row of it. */
    async function isAt(view: string, text: string): Promise<void> {
      const list = pane(window, view).locator('.monaco-list:focus-within');
      await list.locator('.monaco-list-row.focused', { hasText: text }).waitFor();
    }

    it('Escape comes back to the row that a list or a question was opened from', async () => {
      await window.send(callTool('notes__list_notes'));
      await window.turnEnded();
      const dialog = window.page.locator('.monaco-dialog-box');
      const fromView = [
        ['Servers', 'memory', 'Add Server…'],
        ['Servers', 'memory', 'Search Tools…'],
        ['Servers', 'memory', 'Export Servers…'],
        ['Servers', 'memory', 'Sort Servers…'],
        ['Activity', 'list_notes', 'Show Call History…'],
        ['Permissions', 'memory', 'Manage Permissions…'],
      ] as const;
      for (const [view, row, command] of fromView) {
        await focusRow(window, view, row);
        await run(command);
        await window.page.locator('.quick-input-widget:not(:has-text("MCP Switchboard: "))').waitFor();
        await press('Escape');
        await window.box.waitFor({ state: 'hidden' });
        await isAt(view, row);
      }
      await focusRow(window, 'Servers', 'memory');
      await press('Delete');
      await dialog.waitFor();
      await press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await isAt('Servers', 'memory');
      await focusRow(window, 'Activity', 'list_notes');
      await pickFromRowMenu(window, 'Run Again');
      await dialog.waitFor();
      await press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await isAt('Activity', 'list_notes');
    });

    it('a filter that nothing fits is cleared by the button in its place, and the view keeps the focus', async () => {
      await focusRow(window, 'Servers', 'memory');
      await press('Control+Alt+f');
      await window.box.waitFor();
      await window.page.keyboard.type('nothing is called so');
      await press('Enter');
      const view = pane(window, 'Servers');
      await view.getByText('No server matches the filter.').waitFor();
      await window.screenshot('keyboard-no-match');
      const clear = view.locator('.monaco-button:focus', { hasText: 'Clear Filter' });
      await window.until(async () => {
        if (await clear.isVisible()) return true;
        await press('Tab');
        return clear.isVisible();
      });
      await press('Enter');
      await window.serverRow('memory').waitFor();
      await press('ArrowDown');
      await view.locator('.monaco-list:focus-within .monaco-list-row.focused').waitFor();
    });

    it('a row that is taken away leaves the focus in its view', async () => {
      await window.send(callTool('notes__add_note', { title: 'Allowed', text: 'a' }));
      await window.pickFromMenu('Always Allow');
      await window.turnEnded();
      await focusRow(window, 'Permissions', 'add_note on notes');
      await pickFromRowMenu(window, 'Revoke Permission');
      await pane(window, 'Permissions')
        .locator('.monaco-list-row', { hasText: 'add_note on notes' })
        .waitFor({ state: 'detached' });
      await press('ArrowDown');
      await pane(window, 'Permissions').locator('.monaco-list:focus-within .monaco-list-row.focused').waitFor();
    });

    /** Everything in the page that takes the focus by itself, by its name. */
    function controls(frame: Frame): Promise<readonly string[]> {
      const all = frame.locator(':is(button, select, input, textarea, summary, a[href], [tabindex]):not(:disabled)');
      return all.evaluateAll((found) =>
        (found as unknown as readonly PageControl[])
          .filter((each) => each.tabIndex >= 0 && each.checkVisibility())
          .map((each) => each.dataset['key'] ?? each.outerHTML.slice(0, 100)),
      );
    }

    /** Where the focus is in the page, and whether it can be seen. */
    async function focused(frame: Frame): Promise<{ readonly name: string; readonly isSeen: boolean } | undefined> {
      const all = frame.locator(':focus');
      if (!(await frame.locator('html').evaluate((html) => html.ownerDocument.hasFocus()))) return undefined;
      const [found] = await all.evaluateAll((elements) =>
        (elements as unknown as readonly PageControl[]).map((each) => {
          const style = each.ownerDocument.defaultView.getComputedStyle(each);
          const isOutlined = style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) > 0;
          return {
            name: each.dataset['key'] ?? each.outerHTML.slice(0, 100),
            isSeen: isOutlined || style.boxShadow !== 'none',
          };
        }),
      );
      return found;
    }

    /** To the page’s top with Shift+Tab, and from there with Tab past all of its controls and out of it: what it passes. */
    async function pass(frame: Frame, name: string): Promise<readonly string[]> {
      const visited: string[] = [];
      const at = async (): Promise<string | undefined> => {
        const place = await focused(frame);
        if (place) assert.ok(place.isSeen, `${name}: the focus is seen at ${place.name}`);
        return place?.name;
      };
      for (let keys = 0; (await at()) !== undefined; keys += 1) {
        assert.ok(keys < MAX_TABS, `${name} keeps the focus at its top`);
        await press('Shift+Tab');
      }
      for (let keys = 0; ; keys += 1) {
        assert.ok(keys < MAX_TABS, `${name} keeps the focus: ${visited.slice(-5).join(', ')}`);
        await press('Tab');
        const place = await at();
        if (place !== undefined) visited.push(place);
        else if (visited.length > 0) return visited;
      }
    }

    /** The focus passes all that the page has; again, where the page got more meanwhile: what a server has comes in its own time. */
    async function walk(frame: Frame, name: string): Promise<void> {
      for (let tries = 0; ; tries += 1) {
        const before = await controls(frame);
        const visited = await pass(frame, name);
        const after = await controls(frame);
        const missed = after.filter((each) => !visited.includes(each));
        if (missed.length === 0) return;
        const hasChanged = !isDeepStrictEqual(before, after);
        assert.ok(hasChanged && tries < 5, `${name}: the focus doesn’t pass ${missed.join(', ')}`);
        // Into the page again.
        await window.until(async () => {
          await press('Shift+Tab');
          return (await focused(frame)) !== undefined;
        });
      }
    }

    for (const title of ['Context Budget', 'Usage'])
      it(`${title}: the focus passes all controls, and isn’t trapped`, async () => {
        await run(`Show ${title}`);
        const frame = await pageNamed(window, title);
        await walk(frame, title);
        await window.screenshot(`keyboard-${title.replaceAll(' ', '-').toLowerCase()}`);
      });

    it('Context Budget: where a button is gone with its row, the focus goes on from there', async () => {
      await window.changeSettings({ 'mcpSwitchboard.alwaysLoadTools': ['notes/*'] });
      await run('Show Context Budget');
      const frame = await pageNamed(window, 'Context Budget');
      const wanted = frame.getByRole('button', { name: /^Move to Search: / }).first();
      await wanted.waitFor();
      const name = (await wanted.getAttribute('aria-label')) ?? '';
      await window.until(async () => {
        if (await wanted.evaluate((element) => element.matches(':focus'))) return true;
        await press('Tab');
        return false;
      });
      await press('Enter');
      await frame.getByRole('button', { name, exact: true }).waitFor({ state: 'detached' });
      await window.until(async () => (await focused(frame)) !== undefined);
      await window.changeSettings({ 'mcpSwitchboard.searchOnlyTools': null, 'mcpSwitchboard.alwaysLoadTools': null });
    });

    it('the inspector: each of its tabs is reached with arrows, and the focus passes all that it has', async () => {
      await run('Open Inspector');
      const frame = await pageNamed(window, 'Inspector');
      const chosen = frame.getByRole('tab', { selected: true });
      const hasFocus = (): Promise<boolean> => chosen.evaluate((element) => element.matches(':focus'));
      const seen = new Set<string>();
      const tabs = await frame.getByRole('tab').count();
      while (seen.size < tabs) {
        await window.until(async () => {
          if (await hasFocus()) return true;
          await press('Tab');
          return hasFocus();
        });
        const name = await chosen.innerText();
        if (seen.has(name)) {
          await press('ArrowRight');
          await window.until(async () => !seen.has(await chosen.innerText()));
          continue;
        }
        seen.add(name);
        await walk(frame, `Inspector, ${name}`);
      }
    });

    it('Help has a tick at what is done already, and a picture for each step', async () => {
      await run('Help');
      for (const title of ['Add or Import Servers', 'Approve What Runs', 'Use It in the Chat'])
        await window.page
          .locator('.getting-started-step', { hasText: title })
          .locator('.codicon-getting-started-step-checked')
          .waitFor();
      const pictures: string[] = [];
      await window.until(async () => {
        for (const frame of window.page.frames()) {
          const title = frame.locator('svg[role="img"] > title').first();
          if ((await title.count().catch(() => 0)) > 0) pictures.push((await title.textContent()) ?? '');
        }
        return pictures.length > 0;
      });
      assert.deepEqual(pictures, ['The ways to add a server']);
      await window.screenshot('keyboard-help');
    });
  });
}

/** An element of a page, as far as this looks at it: tests have no types of browsers. */
interface PageControl {
  readonly tabIndex: number;
  readonly dataset: Readonly<Record<string, string>>;
  readonly outerHTML: string;
  checkVisibility(): boolean;
  readonly ownerDocument: {
    readonly defaultView: {
      getComputedStyle(element: PageControl): {
        readonly outlineStyle: string;
        readonly outlineWidth: string;
        readonly boxShadow: string;
      };
    };
  };
}
