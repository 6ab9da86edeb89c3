import { strict as assert } from 'node:assert';
import type { Locator } from 'playwright-core';
import type { AgentWindow } from '../../support/agentWindow.ts';
import { ManyServers } from '../../support/manyServers.ts';
import type { UseSharedWindow } from '../../support/sharedWindow.ts';
import { clickAction, focusRow, focusView, pane, pickFromRowMenu } from '../../support/viewRows.ts';

const SERVERS = 500;
const TOOLS = 20;

export function manyServers(useWindow: UseSharedWindow): void {
  describe(`the view Servers with ${SERVERS} servers and ${SERVERS * TOOLS} tools`, () => {
    let window: AgentWindow;
    let many: ManyServers;

    useWindow({}, async (opened) => {
      window = opened;
      many = new ManyServers(SERVERS, TOOLS);
      await many.listen();
      await window.showTree();
      await window.changeSettings({ 'mcpSwitchboard.servers': many.entries });
      await connected(SERVERS + 4);
    });

    after(async () => {
      await filter('');
      await window.changeSettings({ 'mcpSwitchboard.servers': null });
      await window.page.getByText('MCP 4/4').first().waitFor();
      await many.close();
    });

    const connected = (count: number): Promise<void> =>
      window.page
        .getByText(`MCP ${count}/${SERVERS + 4}`)
        .first()
        .waitFor();
    const press = async (...keys: readonly string[]): Promise<void> => {
      for (const key of keys) await window.page.keyboard.press(key);
    };
    const filter = async (text: string): Promise<void> => {
      await window.runCommand('MCP Switchboard: Filter Servers…');
      await window.fillBox(text);
      await window.pressInBox('Enter');
    };
    const list = (): Locator => pane(window, 'Servers').locator('.monaco-list').first();
    const focused = (): Locator => list().locator('.monaco-list-row.focused').first();
    /** The labels of the rows that are drawn, by their places. */
    const drawn = async (): Promise<readonly (readonly [number, string])[]> =>
      list()
        .locator('.monaco-list-row')
        .evaluateAll((rows) =>
          rows.map((row) => [Number(row.getAttribute('data-index')), row.getAttribute('aria-label') ?? ''] as const),
        );
    /**
     * Once the rows are those of the filter and say what their menu depends on, both of which take a while to be drawn.
     * @param state a text of each row
     */
    const selectAll = async (state: string): Promise<void> => {
      const isSelected = async (): Promise<boolean> => {
        // A row that had the focus may be gone with the filter.
        await focusView(window, 'Servers');
        await press('Home', 'Control+A');
        const rows = await list()
          .locator('.monaco-list-row')
          .evaluateAll((all) =>
            all.map((row) => ({
              label: row.getAttribute('aria-label') ?? '',
              text: row.textContent ?? '',
              selected: row.matches('.selected'),
            })),
          );
        const isRight = ({ label, text, selected }: (typeof rows)[number]): boolean =>
          selected && nameIn(label)?.startsWith('many-') === true && text.includes(state);
        return rows.length > 10 && rows.every(isRight);
      };
      await window.until(isSelected);
    };
    const nameIn = (label: string): string | undefined => /^MCP server ([^,]+),/.exec(label)?.[1];

    it('has each of them once, from the first row to the last', async () => {
      await focusView(window, 'Servers');
      await press('Home');
      await focused().waitFor();
      await window.screenshot('many-first');
      const rows = new Map<number, string>();
      const last = many.names.at(-1);
      const at = async (): Promise<string> => (await focused().getAttribute('aria-label')) ?? '';
      // A page is drawn a while after its key.
      for (;;) {
        const before = await at();
        for (const [place, label] of await drawn()) rows.set(place, label);
        if (nameIn(before) === last) break;
        await press('PageDown');
        await window.until(async () => (await at()) !== before);
      }
      const names = [...rows.values()].flatMap((label) => nameIn(label) ?? []);
      assert.equal(new Set(names).size, names.length, 'no row is there twice');
      assert.deepEqual(names.filter((name) => name.startsWith('many-')).toSorted(), many.names);
      await press('End');
      await focused()
        .and(list().locator(`[aria-label^="MCP server ${many.names.at(-1)},"]`))
        .waitFor();
      await window.screenshot('many-last');
    });

    it('one finds by the name of its tool', async () => {
      await focusView(window, 'Servers');
      await press('Control+Alt+F');
      await window.fillBox('tool_7_of_many-321');
      await window.until(async () => (await drawn()).every(([, label]) => nameIn(label) === 'many-321'));
      await window.screenshot('many-filtered');
      await press('Enter');
      await window.expandTools('many-321');
      await list().locator('[aria-label^="Tool tool_19_of_many-321"]').waitFor();
      const tools = (await drawn()).filter(([, label]) => label.startsWith('Tool tool_'));
      assert.equal(tools.length, TOOLS);
      await window.screenshot('many-expanded');
      await filter('');
      await window.until(async () => (await drawn()).some(([, label]) => nameIn(label) === 'many-003'));
    });

    it('the change of one leaves the others, the focus and the place in the list as they are', async () => {
      await focusView(window, 'Servers');
      await press('Home');
      const target = 'many-003';
      // By keyboard: a click opens it, too.
      await focusRow(window, 'Servers', target);
      const others = async (): Promise<readonly (readonly [number, string])[]> =>
        (await drawn()).filter(([, label]) => nameIn(label) !== target);
      const before = await others();
      const row = window.serverRow(target);
      await clickAction(row, 'Disconnect', row.filter({ hasText: 'Disconnected' }));
      await connected(SERVERS + 3);
      assert.deepEqual(await others(), before);
      await focused().and(window.serverRow(target)).waitFor();
      await clickAction(row, 'Connect', row.filter({ hasText: `${TOOLS} tools` }));
      await connected(SERVERS + 4);
    });

    it('all are selected and disconnected at once; connecting them can be cancelled, and leaves the rest as they are', async () => {
      await filter('many-');
      await pickFromRowMenu(window, 'Disconnect', () => selectAll('20 tools'));
      await connected(4);
      await window.screenshot('many-disconnected');
      for (const name of many.names.slice(200)) many.silent.add(name);
      await pickFromRowMenu(window, 'Connect', () => selectAll('Disconnected'));
      const progress = window.page.locator('.notification-toast', { hasText: `Connecting ${SERVERS} servers` });
      await progress.filter({ hasText: `of ${SERVERS}` }).waitFor();
      await window.until(async () => /\b200 of 500/.test(await progress.innerText()));
      await window.screenshot('many-connecting');
      await progress.locator('.monaco-button', { hasText: 'Cancel' }).click();
      await progress.waitFor({ state: 'detached' });
      await connected(204);
      // Nothing is told of those that were cancelled.
      assert.equal(await window.page.locator('.notification-toast', { hasText: 'Could not connect' }).count(), 0);
      await window.screenshot('many-cancelled');
    });
  });
}
